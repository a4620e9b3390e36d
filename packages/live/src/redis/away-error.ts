/** The error of a Redis that is unavailable. In a file of its own: the client is the largest module of all. */

/** Redis does not answer, or refuses commands for now. The command may still have been executed. */
export class RedisAwayError extends Error {
  override readonly name = "RedisAwayError";
}
