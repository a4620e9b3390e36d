/** The writer's log messages. */
import { classOf, FeedError, type FeedEvent } from "@assay/feeds";
import { type Log, Outage, REMIND_EVERY_MS } from "@assay/live";

/** The writer's log. */
export interface WriterLog {
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  fault(error: unknown, message: string): void;
  feed(event: FeedEvent): void;
}

/** Refusals of one feed by one rule. */
interface Refusals {
  loggedAtMs: number;
  /** Since that line. */
  count: number;
}

/**
 * The writer's log over pino. A feed that fails is a line when that begins and one when it is over; refusals of its readings are
 * a line per rule every few hours, with the figures of the last one, since the status names only the rule. The others are at
 * debug.
 */
export const writerLog = (logger: Log, clock: () => number): WriterLog => {
  const refused = new Map<string, Refusals>();
  const outages = new Map<string, Outage>();
  const outageOf = (feed: string, partial: boolean): Outage => {
    const name = partial ? `${feed} in part` : feed;
    const known = outages.get(name);
    if (known) return known;
    const what = partial ? "part of a feed" : "a feed";
    const lines = {
      ...{ fields: { feed }, begins: `${what} fails; retrying` },
      ...{ lasts: `${what} still fails; retrying`, ends: `${what} works again` },
    };
    const outage = new Outage({ log: logger, clock, lines });
    outages.set(name, outage);
    return outage;
  };

  const refuse = (feed: string, rule: string, detail: string): void => {
    const name = `${feed} ${rule}`;
    const nowMs = clock();
    const known = refused.get(name);
    if (known && nowMs - known.loggedAtMs < REMIND_EVERY_MS) {
      known.count += 1;
      logger.debug({ feed, rule, detail }, "a reading was refused");
      return;
    }
    logger.warn({ feed, rule, detail, ...(known ? { others: known.count } : {}) }, "a reading was refused");
    refused.set(name, { loggedAtMs: nowMs, count: 0 });
  };

  return {
    info: (message, fields = {}) => logger.info(fields, message),
    warn: (message, fields = {}) => logger.warn(fields, message),
    fault: (error, message) => {
      // An upstream's fault, which a stack does not explain.
      if (error instanceof FeedError) logger.warn({ class: classOf(error), reason: error.message }, message);
      else logger.error({ err: error }, message);
    },
    feed: (event) => {
      const { kind, feed } = event;
      if (kind === "failed") {
        const { error, partial } = event;
        logger.debug({ feed, err: error, partial }, "a feed failed");
        outageOf(feed, partial).failed({ class: classOf(error), reason: error.message });
      } else if (kind === "read") {
        outageOf(feed, false).recovered();
        if (event.whole) outageOf(feed, true).recovered();
      } else if (kind === "refused") refuse(feed, event.rule, event.detail);
      else logger.error({ feed, err: event.error }, "failed to process readings");
    },
  };
};
