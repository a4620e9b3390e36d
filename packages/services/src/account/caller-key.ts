/** The calling key of an account verb. */
import type { Caller, CallerKey } from "../context.ts";

/**
 * The calling key.
 * @throws Error without a key: the pipeline refuses such a caller before these verbs
 */
export const requireKey = (caller: Caller): CallerKey => {
  if (!caller.key) throw new Error("a verb that needs a key was called without one");
  return caller.key;
};
