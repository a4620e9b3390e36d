/** The end of a process whose start failed for a reason an operator can mend. */
import { inspect } from "node:util";

/** Names of errors whose message says it all; others are faults of ours and keep their stack. */
const FORESEEN: ReadonlySet<string> = new Set([
  "SettingError",
  "AddressError",
  "FeedSettingError",
  "ReplayError",
  "StoreHeldError",
  "StoreUnavailableError",
  "TierConflictError",
]);

const lineOf = (error: unknown): string => {
  if (!(error instanceof Error)) return inspect(error);
  if (FORESEEN.has(error.name)) return error.message;
  return error.stack ?? error.message;
};

/** Tells on stderr why the start failed, in one line where the operator can mend it, and ends with exit 1. */
export const endFailedStart = (error: unknown): never => {
  process.stderr.write(`${lineOf(error)}\n`);
  process.exit(1);
};
