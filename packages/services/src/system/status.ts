/** GET /v1/status: whether prices can be trusted right now, and why not. */
import { type AssayContract, type FeedStatus, formatTimestamp, type OutputOf, VERSION, type Verb } from "@assay/contract";
import { type ArchivesHealth, FEEDS_DOCUMENT_KEY, type FeedHealthEntry, type FeedsDocument, type LeaseToken } from "@assay/live";
import { barEnd, barsMissing, PRICE_SYMBOLS } from "@assay/pricing";
import type { ServiceDeps, VerbContext } from "../context.ts";
import type { MarketView } from "../market/market-view.ts";
import { shownError, shownHolder } from "./shown.ts";

type Status = OutputOf<AssayContract["system"]["status"]>;

/** Gold trades every minute while the market is open; no bar for this long means an upstream problem. */
const BARS_FRESH_MS = 5 * 60_000;
/** The last session starts a day before the market closes: while it is closed, a bar of that session counts as fresh. */
const SESSION_MS = 24 * 3_600_000;
/** A feed is late after twice its interval. */
const LATE_FACTOR = 2;

const iso = (ms: number | null): string | null => (ms === null ? null : formatTimestamp(new Date(ms)));
const age = (ms: number | null, nowMs: number): number | null => (ms === null ? null : Math.max(0, nowMs - ms) / 1000);

const feedStatus = (feed: FeedHealthEntry, nowMs: number): FeedStatus => {
  const late = feed.lastSuccessAtMs === null || nowMs - feed.lastSuccessAtMs > LATE_FACTOR * feed.expectedIntervalMs;
  const waiting = feed.lastSuccessAtMs === null && feed.consecutiveFailures === 0;
  return {
    status: waiting ? "waiting" : late ? "failing" : "ok",
    required: feed.required,
    expected_interval_seconds: feed.expectedIntervalMs / 1000,
    last_success_at: iso(feed.lastSuccessAtMs),
    age_seconds: age(feed.lastSuccessAtMs, nowMs),
    consecutive_failures: feed.consecutiveFailures,
    rejected_observations: feed.rejectedObservations,
    last_error: shownError(feed.lastError),
  };
};

/** What is weaker while an engine is unavailable; named, so that a monitor can tell them apart. docs/operate.md has the table. */
const CACHE_UNAVAILABLE =
  "cache_unavailable: The cache does not answer, or refuses writes. Until it does, each process counts limits, quotas and streams for itself, and receives no new prices.";
const DATABASE_UNAVAILABLE =
  "database_unavailable: The database does not answer. Until it does, bars that are not in memory, keys that were not used within a minute, and account routes are refused with 503; calls are counted and stored later.";
/** The longest time to wait for the status. */
const DATABASE_WITHIN_MS = 1_000;

/** What is asked of the store. */
interface StoreCheck {
  readonly store: Pick<ServiceDeps["store"], "kind" | "ping">;
}

/** Whether the database answers. The embedded one is asked nothing: it may be busy for seconds, and a process does not outlive it. */
const databaseAnswers = async ({ store }: StoreCheck): Promise<boolean> => {
  if (store.kind === "pglite") return true;
  return store.ping(DATABASE_WITHIN_MS).then(
    () => true,
    () => false,
  );
};

const readLive = async (
  live: ServiceDeps["live"],
): Promise<{ cache: boolean; feeds: FeedsDocument | null; lease: LeaseToken | null }> => {
  try {
    await live.latest.ping();
    const [text, lease] = await Promise.all([live.latest.get(FEEDS_DOCUMENT_KEY), live.lease.current()]);
    // Our own writer wrote it in this shape.
    return { cache: true, feeds: text === null ? null : (JSON.parse(text) as FeedsDocument), lease };
  } catch {
    return { cache: false, feeds: null, lease: null };
  }
};

const valueStaleness = (market: MarketView, nowMs: number): Status["value_staleness"] =>
  Object.fromEntries(
    PRICE_SYMBOLS.map((symbol) => {
      const { price, rate, stale } = market.standingOf(symbol, nowMs);
      // Without a price in its currency there is no age either.
      const ageSeconds = age(rate && (price?.computedAtMs ?? null), nowMs);
      return [symbol.symbol, { is_stale: stale.isStale, age_seconds: ageSeconds, reason: stale.isStale ? stale.reason : null }];
    }),
  );

/** Whether gold's bars are as fresh as they can be, and when the newest started. */
const barsCheck = (market: MarketView, nowMs: number): Status["checks"]["bars"] => {
  const { recent } = market.bars;
  const minuteMs = recent.newestMinuteMs("XAU-USD-SPOT");
  const closedAtMs = market.closedSinceMs(nowMs);
  const isFresh = (): boolean => {
    if (closedAtMs === null) return minuteMs !== null && nowMs - minuteMs <= BARS_FRESH_MS;
    const last = recent.lastBefore("XAU-USD-SPOT", closedAtMs, nowMs);
    const reachesMs = Math.max(minuteMs ?? Number.NEGATIVE_INFINITY, last ? barEnd(last) : Number.NEGATIVE_INFINITY);
    return reachesMs > closedAtMs - SESSION_MS;
  };
  return { ok: isFresh(), last_bar_at: iso(minuteMs), age_seconds: age(minuteMs, nowMs) };
};

const archivesStatus = (archives: ArchivesHealth | null): Status["archives"] =>
  archives && {
    pending: archives.pending,
    built: archives.built,
    last_built_at: iso(archives.lastBuiltAtMs),
    last_error: shownError(archives.lastError),
  };

/** Checks the cache, the feeds, the bars and the lease, and describes what is wrong. */
export const status =
  ({
    live,
    store,
    market,
    configuredWriter,
  }: Pick<ServiceDeps, "live" | "market" | "configuredWriter"> & StoreCheck): Verb<
    AssayContract["system"]["status"],
    VerbContext
  > =>
  async (_input, { nowMs }) => {
    const [{ cache, feeds, lease }, database] = await Promise.all([readLive(live), databaseAnswers({ store })]);
    const isCacheWell = cache && !live.isAway();
    const reasons: string[] = [];
    if (!isCacheWell) reasons.push(CACHE_UNAVAILABLE);
    if (!database) reasons.push(DATABASE_UNAVAILABLE);

    const scrapers = Object.fromEntries(Object.entries(feeds?.feeds ?? {}).map(([key, feed]) => [key, feedStatus(feed, nowMs)]));
    if (cache && !feeds) reasons.push("No writer has reported on its feeds yet.");
    for (const [key, feed] of Object.entries(scrapers)) {
      if (feed.required && feed.status !== "ok") {
        reasons.push(`Feed ${key} has not succeeded within twice its interval of ${feed.expected_interval_seconds} s.`);
      }
    }

    for (const instrument of market.unconfirmed(nowMs)) {
      reasons.push(`unconfirmed_price: ${instrument} has one source and nothing to compare it with.`);
    }

    const bars = barsCheck(market, nowMs);
    if (!bars.ok) reasons.push("XAU-USD-SPOT bars are not fresh.");

    const holds = lease !== null && lease.expiresAtMs > nowMs && (configuredWriter === null || lease.holder === configuredWriter);
    if (cache && !holds) {
      reasons.push(
        lease === null
          ? "No writer holds the lease."
          : "The lease is held by a writer other than the configured one, or has expired.",
      );
    }
    const nextChangeMs = market.nextChangeMs(nowMs);
    return {
      status: reasons.length === 0 ? "ok" : "degraded",
      checked_at: formatTimestamp(new Date(nowMs)),
      version: VERSION,
      checks: {
        cache: { ok: isCacheWell },
        bars,
        live_writer: {
          ok: holds,
          configured: configuredWriter === null ? null : shownHolder(configuredWriter),
          lease_owner: lease ? shownHolder(lease.holder) : null,
          lease_expires_at: iso(lease?.expiresAtMs ?? null),
          fencing_token: lease?.token ?? null,
        },
      },
      scrapers,
      value_staleness: valueStaleness(market, nowMs),
      market: { state: market.isOpen(nowMs) ? "open" : "closed", next_change_at: iso(nextChangeMs) },
      history: { complete: market.bars.gaps.length === 0, pending: barsMissing(market.bars.gaps) },
      archives: archivesStatus(feeds?.archives ?? null),
      simulated: feeds?.simulated ?? false,
      reasons,
    };
  };
