/** Runs one feed: polls at its interval, applies the rules, passes on valid observations, and tracks its health. */
import type { Time } from "@assay/ports";
import type { Observation, SourceInfo } from "@assay/pricing";
import { classOf, FeedError, toFeedError } from "../feed/error.ts";
import type { Feed } from "../feed/feed.ts";
import type { Upstream } from "../http/upstream.ts";
import { feedContext, readOnce } from "./reading.ts";
import { type Judgement, screening } from "./screening.ts";

/** How a feed is doing. Contains no address, header, payload or figure of the publisher's. */
interface FeedHealth {
  readonly required: boolean;
  readonly expectedIntervalMs: number;
  readonly lastSuccessAtMs: number | null;
  /** Failures since the last success. */
  readonly consecutiveFailures: number;
  /** Refused observations since the start, in total and by rule. */
  readonly rejectedObservations: number;
  readonly rejectedByRule: Readonly<Record<string, number>>;
  /** The class of the last failure, or the rule of the last refusal, as one word; kept after a success. */
  readonly lastError: string | null;
}

const healthRecord = (feed: { readonly required: boolean; readonly intervalMs: number }) => {
  let health: FeedHealth = {
    required: feed.required,
    expectedIntervalMs: feed.intervalMs,
    lastSuccessAtMs: null,
    consecutiveFailures: 0,
    rejectedObservations: 0,
    rejectedByRule: {},
    lastError: null,
  };
  const change = (to: Partial<FeedHealth>): void => {
    health = { ...health, ...to };
  };
  return {
    succeeded: (atMs: number): void => change({ lastSuccessAtMs: atMs, consecutiveFailures: 0 }),
    failed: (lastError: string): void => change({ lastError, consecutiveFailures: health.consecutiveFailures + 1 }),
    /** Part of a reading failed; the reading as a whole may still succeed. */
    noted: (lastError: string): void => change({ lastError }),
    rejected: (rule: string): void =>
      change({
        lastError: rule,
        rejectedObservations: health.rejectedObservations + 1,
        rejectedByRule: { ...health.rejectedByRule, [rule]: (health.rejectedByRule[rule] ?? 0) + 1 },
      }),
    read: (): FeedHealth => health,
  };
};

/** `isLocal`: read from this machine's disk, which says nothing about its network. */
export type FeedEvent =
  | {
      readonly kind: "failed";
      readonly feed: string;
      readonly error: FeedError;
      readonly partial: boolean;
      readonly isLocal: boolean;
    }
  /** A reading arrived; `whole` unless part of it failed. */
  | { readonly kind: "read"; readonly feed: string; readonly whole: boolean; readonly isLocal: boolean }
  | { readonly kind: "refused"; readonly feed: string; readonly rule: string; readonly detail: string }
  /** The receiver threw: not a fault of the feed. */
  | { readonly kind: "undelivered"; readonly feed: string; readonly error: unknown };

export interface RunnerDeps {
  readonly clock: Time;
  /** Between 0 and 1, for jitter. */
  readonly random: () => number;
  readonly upstream: Upstream;
  readonly isMarketOpen: (nowMs: number) => boolean;
  /** The rules; called once per observation, in the feed's order. */
  readonly judge: (observation: Observation) => Judgement;
  /** Receives every observation of a known source, with the rule that refused it, or null. */
  readonly judged?: (observation: Observation, rule: string | null) => void;
  /** Receives valid observations, in the feed's order; the next reading waits for it. */
  readonly deliver: (observations: readonly Observation[]) => void | Promise<void>;
  readonly report?: (event: FeedEvent) => void;
}

export interface FeedRunner {
  readonly key: string;
  readonly country: string | undefined;
  readonly required: boolean;
  readonly sources: readonly SourceInfo[];
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
/** The longest jitter, so that a publication is not missed by hours. */
const MAX_JITTER_MS = 30_000;

/** Milliseconds from now until the next reading, without jitter. */
const delayAfter = (feed: Feed, startedAtMs: number, nowMs: number, failures: number): number => {
  const retryMs = failures === 0 ? Number.POSITIVE_INFINITY : FIRST_RETRY_MS * 2 ** (failures - 1);
  return Math.min(retryMs, feed.nextDelayMs?.(nowMs) ?? Math.max(0, startedAtMs + feed.info.intervalMs - nowMs));
};

/** Reads a feed, passes on what is valid, and records how it went. */
const readings = (selected: { readonly feed: Feed; readonly baseUrl: string }, deps: RunnerDeps) => {
  const { feed } = selected;
  const { key } = feed.info;
  const isLocal = feed.baseUrl === "";
  const { clock, report } = deps;
  const health = healthRecord(feed.info);
  // One AbortController per reading: a long-lived signal would keep every reading in memory.
  let controller = new AbortController();
  /** Until when the upstream asked us to wait. */
  let holdUntilMs = 0;

  const refuse = (rule: string, detail: string): void => {
    health.rejected(rule);
    report?.({ kind: "refused", feed: key, rule, detail });
  };
  const screen = screening(feed, { isMarketOpen: deps.isMarketOpen, judge: deps.judge, refuse, judged: deps.judged });

  const read = async (): Promise<readonly Observation[]> => {
    controller = new AbortController();
    let whole = true;
    const partial = (error: FeedError): void => {
      whole = false;
      health.noted(classOf(error));
      report?.({ kind: "failed", feed: key, error, partial: true, isLocal });
    };
    const context = feedContext(selected, deps.upstream, { nowMs: clock(), signal: controller.signal, partial });
    const observations = await readOnce(feed, context, controller, clock);
    report?.({ kind: "read", feed: key, whole, isLocal });
    return observations;
  };

  const accept = async (observations: readonly Observation[]): Promise<void> => {
    const atMs = clock();
    const { passed, isBelieved } = screen(observations, atMs);
    // A feed whose readings are all disbelieved is down, however promptly it answers.
    if (observations.length > 0 && !isBelieved) health.failed(health.read().lastError ?? "refused");
    else health.succeeded(atMs);
    if (passed.length === 0) return;
    try {
      await deps.deliver(passed);
    } catch (error) {
      report?.({ kind: "undelivered", feed: key, error });
    }
  };

  const round = async (): Promise<void> => {
    try {
      await accept(await read());
    } catch (thrown) {
      const error = toFeedError(thrown);
      if (error.kind === "aborted") return;
      holdUntilMs = error.retryAtMs ?? 0;
      health.failed(classOf(error));
      report?.({ kind: "failed", feed: key, error, partial: false, isLocal });
    }
  };

  const abort = (): void => controller.abort(new FeedError("aborted", "stopped"));
  return { round, refuse, abort, health: health.read, holdUntilMs: () => holdUntilMs };
};

/**
 * Prepares one feed; nothing runs before `start` or `round`.
 * @param selected the feed, and its effective base URL
 */
export const createFeedRunner = (selected: { readonly feed: Feed; readonly baseUrl: string }, deps: RunnerDeps): FeedRunner => {
  const { feed } = selected;
  const { key, intervalMs, country, required } = feed.info;
  const { clock, random } = deps;
  const { round, refuse, abort, health, holdUntilMs } = readings(selected, deps);
  let running = false;
  let cancelNext = (): void => undefined;
  let current: Promise<void> = Promise.resolve();

  const go = (): void => {
    const startedAtMs = clock();
    current = round().then(() => {
      if (!running) return;
      const atMs = clock();
      const delayMs = delayAfter(feed, startedAtMs, atMs, health().consecutiveFailures);
      const jitterMs = random() * Math.min(JITTER * intervalMs, MAX_JITTER_MS);
      cancelNext = clock.after(Math.max(delayMs + jitterMs, holdUntilMs() - atMs), go);
    });
  };

  return {
    key,
    country,
    required,
    sources: feed.sources,
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
      abort();
      await current;
    },
    health,
  };
};
