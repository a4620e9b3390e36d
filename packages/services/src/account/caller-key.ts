/** What the account verbs share: the calling key, and a store that may not answer. */
import { Refusal } from "@assay/contract";
import { StoreUnavailableError } from "@assay/db";
import type { Caller, CallerKey, ServiceLog } from "../context.ts";

/** The calling key; the pipeline lets nobody without one through to these verbs. */
export const requireKey = (caller: Caller): CallerKey => {
  if (!caller.key) throw new Refusal("unauthenticated");
  return caller.key;
};

/** Asks the store; when it does not answer the caller reads so, and the log why. */
export const storeAnswer = async <T>(log: ServiceLog, ask: () => Promise<T>): Promise<T> => {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    log.error({ err: error }, "the store does not answer");
    throw new Refusal("service_unavailable");
  }
};
