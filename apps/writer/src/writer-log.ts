/**
 * What the writer logs: its messages, outages of feeds as one line each, the loss of all feeds as one, and how far long work in
 * the background is.
 */
import { classOf, FeedError, type FeedEvent } from "@assay/feeds";
import { type Log, Outage, REMIND_EVERY_MS, type Why } from "@assay/live";
import type { Clock, Time } from "@assay/ports";

export interface WriterLog {
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  fault(error: unknown, message: string): void;
  feed(event: FeedEvent): void;
  /** How the last pass over the archives went; null when the storage took them all. */
  archives(why: Why | null): void;
}

/** How long nothing must have been read. Feeds that are read at the same time may fail one after the other. */
const SILENT_MS = 10_000;
/** This many publishers do not fail together by chance. */
const TELLING_FEEDS = 3;

/**
 * Notices when no feed can be read any more, by those that have failed since any was read: one cause, most likely the network of
 * this machine, instead of one for each feed.
 */
class NetworkWatch {
  readonly #clock: Clock;
  readonly #outage: Outage;
  readonly #known = new Set<string>();
  readonly #failing = new Set<string>();
  #sinceMs = Number.NEGATIVE_INFINITY;

  constructor(log: Log, clock: Clock) {
    this.#clock = clock;
    const lines = {
      fields: {},
      begins: "every feed fails; check the network",
      lasts: "every feed still fails; check the network",
      ends: "feeds can be read again",
    };
    this.#outage = new Outage({ log, clock, lines });
  }

  /** Whether every feed fails, or may: many have, and none was read since. */
  get isSuspected(): boolean {
    return this.#outage.isOn || this.#failing.size > TELLING_FEEDS;
  }

  read(feed: string): void {
    this.#known.add(feed);
    this.#failing.clear();
    this.#outage.recovered();
  }

  /**
   * Notes that a feed could not be read.
   * @param why why this one
   */
  failed(feed: string, why: Why): void {
    const nowMs = this.#clock();
    if (this.#failing.size === 0) this.#sinceMs = nowMs;
    this.#known.add(feed);
    this.#failing.add(feed);
    if (nowMs - this.#sinceMs < SILENT_MS || this.#failing.size < Math.min(TELLING_FEEDS, this.#known.size)) return;
    this.#outage.failed({ ...why, feeds: this.#failing.size });
  }
}

interface Refusals {
  loggedAtMs: number;
  /** Since that line. */
  count: number;
}

/**
 * The writer's log over pino. A feed that fails is a line when that begins and one when it is over; refusals of its readings are
 * a line per rule every few hours, with the figures of the last one, since the status names only the rule. The others are at
 * debug, and so is a feed that begins to fail while every other seems to.
 */
export const writerLog = (logger: Log, clock: Clock): WriterLog => {
  const refused = new Map<string, Refusals>();
  const outages = new Map<string, Outage>();
  const network = new NetworkWatch(logger, clock);
  const outageOf = (feed: string, partial: boolean): Outage => {
    const name = partial ? `${feed} in part` : feed;
    const known = outages.get(name);
    if (known) return known;
    const what = partial ? "part of a feed" : "a feed";
    const lines = {
      fields: { feed },
      begins: `${what} fails; retrying`,
      lasts: `${what} still fails; retrying`,
      ends: `${what} works again`,
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

  const archives = new Outage({
    log: logger,
    clock,
    lines: {
      fields: {},
      begins: "archives cannot be stored; retrying every minute",
      lasts: "archives still cannot be stored; retrying every minute",
      ends: "archives are stored again",
    },
  });

  return {
    archives: (why) => (why ? archives.failed(why) : archives.recovered()),
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
        const { error, partial, isLocal } = event;
        logger.debug({ feed, err: error, partial }, "a feed failed");
        const why = { class: classOf(error), reason: error.message };
        if (!partial && !isLocal) network.failed(feed, why);
        const outage = outageOf(feed, partial);
        // Files are named by their faults.
        if (outage.isOn || isLocal || !network.isSuspected) outage.failed(why, isLocal ? why.reason : why.class);
      } else if (kind === "read") {
        if (!event.isLocal) network.read(feed);
        outageOf(feed, false).recovered();
        if (event.whole) outageOf(feed, true).recovered();
      } else if (kind === "refused") refuse(feed, event.rule, event.detail);
      else logger.error({ feed, err: event.error }, "failed to process readings");
    },
  };
};

/** How often long work is logged. */
const EVERY_MS = 2_500;

/** Logs how far one piece of long work in the background is: when it begins, and every few seconds. */
export class Filling {
  readonly #log: Pick<WriterLog, "info">;
  readonly #clock: Pick<Time, "elapsed">;
  readonly #what: string;
  readonly #total: number;
  #loggedMs: number;

  /**
   * Begins it.
   * @param what the work, as each line begins
   * @param total how much there is to do, in the unit of `done`
   */
  constructor(by: { readonly log: Pick<WriterLog, "info">; readonly clock: Pick<Time, "elapsed"> }, what: string, total: number) {
    this.#log = by.log;
    this.#clock = by.clock;
    this.#loggedMs = by.clock.elapsed();
    this.#what = what;
    this.#total = total;
    by.log.info(`${what}: begins`, { total });
  }

  /** Notes how much of it is done. */
  done(count: number): void {
    const nowMs = this.#clock.elapsed();
    if (nowMs - this.#loggedMs < EVERY_MS) return;
    this.#loggedMs = nowMs;
    const percent = Math.floor((100 * count) / this.#total);
    this.#log.info(`${this.#what}: ${percent}%`, { done: count, total: this.#total });
  }
}
