/** The calling key of an account verb. */
import { Refusal } from "@assay/contract";
import type { Caller, CallerKey } from "../context.ts";

/** The calling key; the pipeline lets nobody without one through to these verbs. */
export const requireKey = (caller: Caller): CallerKey => {
  if (!caller.key) throw new Refusal("unauthenticated");
  return caller.key;
};
