/** Runs one feed: asks on its interval, holds what comes to the rules, hands on what passes, and keeps its health. */
import type { Observation } from "@assay/pricing";
import type { Feed } from "./feed.ts";
import { feedContext } from "./feed-context.ts";
import { classOf, FeedError, toFeedError } from "./feed-error.ts";
import { type FeedHealth, healthRecord } from "./health.ts";
import type { Upstream } from "./http/upstream.ts";
import { standstill } from "./standstill.ts";

/** Something a rule refused. */
export interface Refused {
  readonly rule: string;
  readonly detail: string;
}

/**
 * What the rules say: refused, or passed, perhaps trimmed of the parts that were refused. A doubted reading is handed on, because
 * others may still agree with it, but counts as refused.
 */
export type Judgement =
  | { readonly ok: true; readonly observation?: Observation; readonly refused?: readonly Refused[]; readonly doubted?: Refused }
  | ({ readonly ok: false } & Refused);

/** What is worth a line in the log. */
export type FeedEvent =
  | { readonly kind: "failed"; readonly feed: string; readonly error: FeedError; readonly partial: boolean }
  | { readonly kind: "refused"; readonly feed: string; readonly rule: string; readonly detail: string }
  /** The receiver threw: no fault of the feed. */
  | { readonly kind: "undelivered"; readonly feed: string; readonly error: unknown };

/** A reading that is handed on, and whether it is believed so far. */
interface Passed {
  readonly observation: Observation;
  readonly isBelieved: boolean;
}

/** Timers, so that tests bring their own. */
export interface Timers {
  /** Runs once after `ms` milliseconds; the answer calls it off. */
  after(ms: number, run: () => void): () => void;
}

/** The process's own timers. */
export const processTimers: Timers = {
  after: (ms, run) => {
    const handle = setTimeout(run, ms);
    return () => clearTimeout(handle);
  },
};

/** What a runner needs. */
export interface RunnerDeps {
  readonly nowMs: () => number;
  readonly timers: Timers;
  /** Between 0 and 1, for jitter. */
  readonly random: () => number;
  readonly upstream: Upstream;
  readonly isMarketOpen: (nowMs: number) => boolean;
  /** The rules; asked once for every observation, in the feed's order. */
  readonly judge: (observation: Observation) => Judgement;
  /** Takes what passed, in the feed's order; the next reading waits until it is done. */
  readonly deliver: (observations: readonly Observation[]) => void | Promise<void>;
  readonly report?: (event: FeedEvent) => void;
}

/** One running feed. */
export interface FeedRunner {
  readonly key: string;
  /** The country whose dealers it reads. */
  readonly country: string | undefined;
  /** Begins at once and goes on until stopped. */
  start(): void;
  /** Makes one reading now; it never rejects. */
  round(): Promise<void>;
  /** Counts a reading that could be judged only after it was handed on, and was refused then. */
  refuse(rule: string, detail: string): void;
  /** Calls off what is under way and waits for it. */
  stop(): Promise<void>;
  health(): FeedHealth;
}

/** At most this part of the interval is added at random, so that many installations do not ask in step. */
const JITTER = 0.1;
/** A feed with a long interval is asked again sooner after a failure, at first after this long, then twice as long. */
const FIRST_RETRY_MS = 30_000;
/** No reading takes longer than twice its interval, and none is cut before a minute. */
const MIN_ROUND_LIMIT_MS = 60_000;

/** At most this much of it, so that a publication is not missed by hours. */
const MAX_JITTER_MS = 30_000;

const whenAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));

/**
 * Prepares one feed; nothing happens before `start` or `round`.
 * @param selected the feed, and the base URL it is to use
 */
export const createFeedRunner = (selected: { readonly feed: Feed; readonly baseUrl: string }, deps: RunnerDeps): FeedRunner => {
  const { feed } = selected;
  const { key, intervalMs } = feed.info;
  const { nowMs, timers } = deps;
  const known = new Set(feed.sources.map((source) => source.key));
  const health = healthRecord(feed.info);
  const still = standstill(deps.isMarketOpen);
  let running = false;
  // One controller a reading: a signal that outlives its readings would keep every one of them in memory.
  let reading = new AbortController();
  let cancelNext = (): void => undefined;
  let current: Promise<void> = Promise.resolve();
  /** Until when the upstream asked to be left alone. */
  let holdUntilMs = 0;

  const read = async (): Promise<readonly Observation[]> => {
    const controller = new AbortController();
    reading = controller;
    const tooLong = () => controller.abort(new FeedError("timeout", "the reading took too long"));
    const cancelLimit = timers.after(Math.max(2 * intervalMs, MIN_ROUND_LIMIT_MS), tooLong);
    const partial = (error: FeedError): void => {
      health.noted(classOf(error), nowMs());
      deps.report?.({ kind: "failed", feed: key, error, partial: true });
    };
    try {
      const context = feedContext(selected, deps.upstream, { nowMs: nowMs(), signal: controller.signal, partial });
      return await Promise.race([feed.fetch(context), whenAborted(controller.signal)]);
    } catch (thrown) {
      // Whatever a feed makes of being cut off, the reason is why it was cut off.
      throw controller.signal.aborted ? controller.signal.reason : thrown;
    } finally {
      cancelLimit();
    }
  };

  const refuse = (rule: string, detail: string): void => {
    health.rejected(rule, nowMs());
    deps.report?.({ kind: "refused", feed: key, rule, detail });
  };

  const pass = (observation: Observation, frozenSinceMs: number | null): Passed | null => {
    if (!known.has(observation.source)) {
      refuse("unknown_source", observation.source);
      return null;
    }
    if (frozenSinceMs !== null) {
      refuse("frozen", `unchanged since ${new Date(frozenSinceMs).toISOString()}`);
      return null;
    }
    const judgement = deps.judge(observation);
    if (!judgement.ok) {
      refuse(judgement.rule, judgement.detail);
      return null;
    }
    for (const { rule, detail } of judgement.refused ?? []) refuse(rule, detail);
    if (judgement.doubted) refuse(judgement.doubted.rule, judgement.doubted.detail);
    return { observation: judgement.observation ?? observation, isBelieved: judgement.doubted === undefined };
  };

  const accept = async (observations: readonly Observation[]): Promise<void> => {
    const atMs = nowMs();
    const frozen = observations.map((each) => (feed.info.moves ? still.frozenSince(each, atMs) : null));
    const since = frozen.filter((sinceMs) => sinceMs !== null);
    health.frozen(since.length > 0 ? Math.min(...since) : null);
    const passed = observations.map((each, index) => pass(each, frozen[index] ?? null)).filter((each) => each !== null);
    // A feed of which nothing is believed is down, however promptly it answers.
    if (observations.length > 0 && !passed.some(({ isBelieved }) => isBelieved)) {
      health.failed(health.read().lastError ?? "refused", atMs);
    } else health.succeeded(atMs);
    if (passed.length === 0) return;
    try {
      await deps.deliver(passed.map(({ observation }) => observation));
    } catch (error) {
      deps.report?.({ kind: "undelivered", feed: key, error });
    }
  };

  const round = async (): Promise<void> => {
    try {
      await accept(await read());
    } catch (thrown) {
      const error = toFeedError(thrown);
      if (error.kind === "aborted") return;
      holdUntilMs = error.retryAtMs ?? 0;
      health.failed(classOf(error), nowMs());
      deps.report?.({ kind: "failed", feed: key, error, partial: false });
    }
  };

  const next = (startedAtMs: number): void => {
    if (!running) return;
    const atMs = nowMs();
    const { consecutiveFailures } = health.read();
    const retryMs = consecutiveFailures === 0 ? Number.POSITIVE_INFINITY : FIRST_RETRY_MS * 2 ** (consecutiveFailures - 1);
    const delayMs = Math.min(retryMs, feed.nextDelayMs?.(atMs) ?? Math.max(0, startedAtMs + intervalMs - atMs));
    const jitterMs = deps.random() * Math.min(JITTER * intervalMs, MAX_JITTER_MS);
    cancelNext = timers.after(Math.max(delayMs + jitterMs, holdUntilMs - atMs), go);
  };

  const go = (): void => {
    const startedAtMs = nowMs();
    current = round().then(() => next(startedAtMs));
  };

  return {
    key,
    country: feed.info.country,
    start: () => {
      if (running) return;
      running = true;
      go();
    },
    round,
    refuse,
    stop: async () => {
      running = false;
      cancelNext();
      reading.abort(new FeedError("aborted", "stopped"));
      await current;
    },
    health: health.read,
  };
};
