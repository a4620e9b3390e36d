/** Runs one feed: polls at its interval, applies the rules, passes on valid observations, and tracks its health. */
import type { Observation } from "@assay/pricing";
import { classOf, FeedError, toFeedError } from "../feed/error.ts";
import type { Feed } from "../feed/feed.ts";
import type { Upstream } from "../http/upstream.ts";
import { feedContext } from "./feed-context.ts";
import { type FeedHealth, healthRecord } from "./health.ts";
import { standstill } from "./standstill.ts";

/** A refusal by a rule. */
export interface Refused {
  readonly rule: string;
  readonly detail: string;
}

/**
 * The verdict of the rules: refused, or passed, possibly without the refused parts. A doubted reading is passed on, because
 * others may still agree with it, but counts as refused.
 */
export type Judgement =
  | { readonly ok: true; readonly observation?: Observation; readonly refused?: readonly Refused[]; readonly doubted?: Refused }
  | ({ readonly ok: false } & Refused);

/** Events worth logging. */
export type FeedEvent =
  | { readonly kind: "failed"; readonly feed: string; readonly error: FeedError; readonly partial: boolean }
  /** A reading arrived; `whole` unless part of it failed. */
  | { readonly kind: "read"; readonly feed: string; readonly whole: boolean }
  | { readonly kind: "refused"; readonly feed: string; readonly rule: string; readonly detail: string }
  /** The receiver threw: not a fault of the feed. */
  | { readonly kind: "undelivered"; readonly feed: string; readonly error: unknown };

/** A reading that is passed on, and whether it is believed so far. */
interface Passed {
  readonly observation: Observation;
  readonly isBelieved: boolean;
}

/** Timers, injectable for tests. */
export interface Timers {
  /** Runs once after `ms` milliseconds; returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
}

/** The process's timers. */
export const processTimers: Timers = {
  after: (ms, run) => {
    const handle = setTimeout(run, ms);
    return () => clearTimeout(handle);
  },
};

/** Dependencies of a runner. */
export interface RunnerDeps {
  readonly nowMs: () => number;
  readonly timers: Timers;
  /** Between 0 and 1, for jitter. */
  readonly random: () => number;
  readonly upstream: Upstream;
  readonly isMarketOpen: (nowMs: number) => boolean;
  /** The rules; called once per observation, in the feed's order. */
  readonly judge: (observation: Observation) => Judgement;
  /** Receives valid observations, in the feed's order; the next reading waits for it. */
  readonly deliver: (observations: readonly Observation[]) => void | Promise<void>;
  readonly report?: (event: FeedEvent) => void;
}

/** One running feed. */
export interface FeedRunner {
  readonly key: string;
  /** The country whose dealers it reads. */
  readonly country: string | undefined;
  /** Starts immediately and runs until stopped. */
  start(): void;
  /** Makes one reading now; never rejects. */
  round(): Promise<void>;
  /** Counts a reading that was refused only after it had been passed on. */
  refuse(rule: string, detail: string): void;
  /** Aborts the reading in progress and waits for it. */
  stop(): Promise<void>;
  health(): FeedHealth;
}

/** Maximum random addition, as a share of the interval, so that installations do not poll in step. */
const JITTER = 0.1;
/** After a failure, a feed with a long interval retries sooner: first after this long, then with doubling delays. */
const FIRST_RETRY_MS = 30_000;
/** A reading is aborted after twice its interval, but never before a minute. */
const MIN_ROUND_LIMIT_MS = 60_000;

/** Maximum jitter, so that a publication is not missed by hours. */
const MAX_JITTER_MS = 30_000;

const whenAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));

/**
 * Prepares one feed; nothing runs before `start` or `round`.
 * @param selected the feed, and its effective base URL
 */
export const createFeedRunner = (selected: { readonly feed: Feed; readonly baseUrl: string }, deps: RunnerDeps): FeedRunner => {
  const { feed } = selected;
  const { key, intervalMs } = feed.info;
  const { nowMs, timers } = deps;
  const known = new Set(feed.sources.map((source) => source.key));
  const health = healthRecord(feed.info);
  const still = standstill(deps.isMarketOpen);
  let running = false;
  // One AbortController per reading: a long-lived signal would keep every reading in memory.
  let reading = new AbortController();
  let cancelNext = (): void => undefined;
  let current: Promise<void> = Promise.resolve();
  /** Until when the upstream asked us to wait. */
  let holdUntilMs = 0;

  const read = async (): Promise<readonly Observation[]> => {
    const controller = new AbortController();
    reading = controller;
    let whole = true;
    const tooLong = () => controller.abort(new FeedError("timeout", "the reading took too long"));
    const cancelLimit = timers.after(Math.max(2 * intervalMs, MIN_ROUND_LIMIT_MS), tooLong);
    const partial = (error: FeedError): void => {
      whole = false;
      health.noted(classOf(error), nowMs());
      deps.report?.({ kind: "failed", feed: key, error, partial: true });
    };
    try {
      const context = feedContext(selected, deps.upstream, { nowMs: nowMs(), signal: controller.signal, partial });
      const observations = await Promise.race([feed.fetch(context), whenAborted(controller.signal)]);
      deps.report?.({ kind: "read", feed: key, whole });
      return observations;
    } catch (thrown) {
      // Whatever error a feed throws when aborted, the reason of the abort counts.
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
    // A feed whose readings are all disbelieved is down, however promptly it answers.
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
