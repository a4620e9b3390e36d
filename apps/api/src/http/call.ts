/** A request as the pipeline takes it. */
import type { IncomingMessage } from "node:http";
import type { Call } from "@assay/services";
import { keyOf, requestIdOf } from "./client.ts";

/**
 * Reads a request's head.
 * @param readInput how its parameters are read, once the checks before that have passed
 */
export const callOf = (
  incoming: IncomingMessage,
  addressOf: (incoming: IncomingMessage) => string,
  readInput: () => unknown,
): Call => {
  const idempotencyKey = incoming.headers["idempotency-key"];
  return {
    requestId: requestIdOf(incoming),
    ip: addressOf(incoming),
    key: keyOf(incoming),
    idempotencyKey: typeof idempotencyKey === "string" ? idempotencyKey : undefined,
    ifNoneMatch: incoming.headers["if-none-match"],
    readInput,
  };
};
