/** The writer's log messages. */
import type { FeedEvent } from "@assay/feeds";
import type { Log } from "@assay/live";

/** The writer's log. */
export interface WriterLog {
  info(message: string, fields?: Record<string, unknown>): void;
  fault(error: unknown, message: string): void;
  feed(event: FeedEvent): void;
}

/**
 * How often refusals of one feed by one rule are logged in full, since the status names only the rule; the others are logged at
 * debug.
 */
const REFUSAL_EVERY_MS = 60_000;

/** The writer's log over pino. */
export const writerLog = (logger: Log, clock: () => number): WriterLog => {
  const loggedAtMs = new Map<string, number>();
  const isDue = (feed: string, rule: string): boolean => {
    const nowMs = clock();
    if (nowMs - (loggedAtMs.get(`${feed} ${rule}`) ?? Number.NEGATIVE_INFINITY) < REFUSAL_EVERY_MS) return false;
    loggedAtMs.set(`${feed} ${rule}`, nowMs);
    return true;
  };
  return {
    info: (message, fields = {}) => logger.info(fields, message),
    fault: (error, message) => logger.error({ err: error }, message),
    feed: (event) => {
      const { kind, feed } = event;
      if (kind === "failed") logger.warn({ feed, err: event.error, partial: event.partial }, "a feed failed");
      else if (kind === "refused") {
        const { rule, detail } = event;
        logger[isDue(feed, rule) ? "warn" : "debug"]({ feed, rule, detail }, "a reading was refused");
      } else logger.error({ feed, err: event.error }, "failed to process readings");
    },
  };
};
