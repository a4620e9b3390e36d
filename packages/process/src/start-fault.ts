/** Exits a process whose start failed for a reason an operator can fix. */
import { inspect } from "node:util";

/** Names of errors whose message is enough; others are bugs and keep their stack. */
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

/** Prints to stderr why the start failed, in one line when the operator can fix it, and exits with 1. */
export const endFailedStart = (error: unknown): never => {
  process.stderr.write(`${lineOf(error)}\n`);
  process.exit(1);
};
