/**
 * Keeps an outage of the database or of Redis out of the log line by line: it is logged when it begins and when it is over, so
 * what fails because of it meanwhile is at debug.
 */
import { StoreUnavailableError } from "@assay/db";
import { RedisAwayError } from "@assay/live";
import type { LogFn, Logger } from "pino";

/** How deep a cause is looked for. */
const MOST_CAUSES = 5;

/** Whether an error comes from an engine that is unavailable. */
export const isOutage = (error: unknown): boolean => {
  let cause = error;
  for (let depth = 0; depth < MOST_CAUSES && cause instanceof Error; depth += 1) {
    if (cause instanceof StoreUnavailableError || cause instanceof RedisAwayError) return true;
    cause = cause.cause;
  }
  return false;
};

const INFO = 30;

/** A hook of pino: logs the lines of an outage at debug. */
export function quietOutages(this: Logger, args: Parameters<LogFn>, method: LogFn, level: number): void {
  const [fields] = args as unknown[]; // pino's own types describe the message first
  const isPart = level >= INFO && typeof fields === "object" && fields !== null && "err" in fields && isOutage(fields.err);
  if (isPart) this.debug(...args);
  else method.apply(this, args);
}
