/** Whether the service is well: its health, and what it knows of its sources, its writer and its limits. */
import {
  type AssayContract,
  Encoded,
  type FeedStatus,
  formatOptionalTimestamp,
  formatTimestamp,
  keylessText,
  type OutputOf,
  VERSION,
  type Verb,
} from "@assay/contract";
import { StoreUnavailableError } from "@assay/db";
import { type ArchivesHealth, type FeedHealthEntry, type FeedsDocument, holderId, type LeaseToken } from "@assay/live";
import { barEnd, barsMissing, PRICE_SYMBOLS } from "@assay/pricing";
import type { ServiceDeps, VerbContext } from "../context.ts";
import type { MarketView } from "../market/market-view.ts";
import { isLate, readReport, shownError } from "../market/writer-report.ts";

type Status = OutputOf<AssayContract["system"]["status"]>;

/** Gold trades every minute while the market is open; no bar for this long means an upstream problem. */
const BARS_FRESH_MS = 5 * 60_000;
/** The last session starts a day before the market closes: while it is closed, a bar of that session counts as fresh. */
const SESSION_MS = 24 * 3_600_000;

const PRICED: ReadonlySet<string> = new Set(PRICE_SYMBOLS.map(({ instrument }) => instrument));

const age = (ms: number | null, nowMs: number): number | null => (ms === null ? null : Math.max(0, nowMs - ms) / 1000);

const feedStatus = (feed: FeedHealthEntry, nowMs: number): FeedStatus => {
  const waiting = feed.lastSuccessAtMs === null && feed.consecutiveFailures === 0;
  return {
    status: waiting ? "waiting" : isLate(feed, nowMs) ? "failing" : "ok",
    required: feed.required,
    expected_interval_seconds: feed.expectedIntervalMs / 1000,
    last_success_at: formatOptionalTimestamp(feed.lastSuccessAtMs),
    age_seconds: age(feed.lastSuccessAtMs, nowMs),
    consecutive_failures: feed.consecutiveFailures,
    rejected_observations: feed.rejectedObservations,
    last_error: shownError(feed.lastError),
  };
};

/**
 * What is weaker while an engine is unavailable; named, so that a monitor can tell them apart. docs/operate/recover.md has the
 * table.
 */
const cacheUnavailable = (why: string): string =>
  `cache_unavailable: The cache does not answer, or refuses writes (${why}). Until it does, each process counts limits, quotas and streams for itself, and receives no new prices.`;
const databaseUnavailable = (why: string): string =>
  `database_unavailable: The database does not answer (${why}). Until it does, bars that are not in memory, keys that were not used lately, and account routes are refused with 503; calls are counted and stored later.`;
const WRITES_REFUSED =
  "database_unavailable: The database refuses writes: its disk is full, or it is read-only. Until it accepts them, there are no new prices, and account routes that change something are refused with 503; calls are counted and stored later.";
/** The longest time to wait for the status. */
const DATABASE_WITHIN_MS = 1_000;

interface StoreCheck {
  readonly store: Pick<ServiceDeps["store"], "kind" | "ping" | "refusesWrites">;
}

/**
 * Why the database does not answer, in one word; null when it does. The embedded one is asked nothing: it may be busy for seconds,
 * and a process does not outlive it.
 */
const databaseFault = async ({ store }: StoreCheck): Promise<string | null> => {
  if (store.kind === "pglite") return null;
  return store.ping(DATABASE_WITHIN_MS).then(
    () => null,
    (error: unknown) => (error instanceof StoreUnavailableError ? error.class : "refused"),
  );
};

const readLive = async (
  live: ServiceDeps["live"],
): Promise<{ cache: boolean; feeds: FeedsDocument | null; lease: LeaseToken | null }> => {
  try {
    await live.latest.ping();
    const [feeds, lease] = await Promise.all([readReport(live.latest), live.lease.current()]);
    return { cache: true, feeds, lease };
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
  return { ok: isFresh(), last_bar_at: formatOptionalTimestamp(minuteMs), age_seconds: age(minuteMs, nowMs) };
};

const archivesStatus = (archives: ArchivesHealth | null): Status["archives"] =>
  archives && {
    pending: archives.pending,
    built: archives.built,
    last_built_at: formatOptionalTimestamp(archives.lastBuiltAtMs),
    last_error: shownError(archives.lastError),
  };

/** `GET /v1/status`: checks the cache, the feeds, the bars and the lease, and describes what is wrong. */
export const status =
  ({
    live,
    store,
    market,
    catalog,
    configuredWriter,
    commit,
  }: Pick<ServiceDeps, "live" | "market" | "catalog" | "configuredWriter" | "commit"> & StoreCheck): Verb<
    AssayContract["system"]["status"],
    VerbContext
  > =>
  async (_input, { nowMs }) => {
    const [{ cache, feeds, lease }, databaseFailsBy] = await Promise.all([readLive(live), databaseFault({ store })]);
    const cacheFailsBy = live.outage() ?? (cache ? null : "unreachable");
    const reasons: string[] = [];
    if (cacheFailsBy !== null) reasons.push(cacheUnavailable(cacheFailsBy));
    const isWritten = lease !== null && lease.expiresAtMs > nowMs;
    if (databaseFailsBy !== null) reasons.push(databaseUnavailable(databaseFailsBy));
    // Processes that only read do not notice; the writer does, while there is one.
    else if (store.refusesWrites() || (isWritten && feeds?.refusesWrites)) reasons.push(WRITES_REFUSED);

    const scrapers = Object.fromEntries(Object.entries(feeds?.feeds ?? {}).map(([key, feed]) => [key, feedStatus(feed, nowMs)]));
    if (cache && !feeds) reasons.push("No writer has reported on its feeds yet.");
    for (const [key, feed] of Object.entries(scrapers)) {
      if (feed.required && feed.status !== "ok") {
        reasons.push(`Feed ${key} has not succeeded within twice its interval of ${feed.expected_interval_seconds} s.`);
      }
    }

    // Feeds may answer in time, and a clock that was set or a verdict on what they say still leave no price.
    for (const instrument of PRICED) {
      if (!feeds?.required?.includes(instrument) || !market.isMissing(instrument, nowMs)) continue;
      reasons.push(`stale_price: ${instrument} has no fresh price while the market is open.`);
    }

    for (const instrument of market.unconfirmed(nowMs)) {
      reasons.push(`unconfirmed_price: ${instrument} has one source and nothing to compare it with.`);
    }

    for (const { instrument, sources } of feeds?.offReference ?? []) {
      // Without figures: the distance to a published figure would reveal the live price to delayed callers.
      reasons.push(
        `off_reference: ${instrument} is outside the agreement band of every daily price of central banks (${sources.join(", ")}).`,
      );
    }

    const bars = barsCheck(market, nowMs);
    if (!bars.ok) reasons.push("XAU-USD-SPOT bars are not fresh.");

    const holds = isWritten && (configuredWriter === null || lease.holder === configuredWriter);
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
      checked_at: formatTimestamp(nowMs),
      version: VERSION,
      ...(commit && { commit }),
      checks: {
        cache: { ok: cacheFailsBy === null },
        bars,
        live_writer: {
          ok: holds,
          configured: configuredWriter === null ? null : holderId(configuredWriter),
          lease_owner: lease ? holderId(lease.holder) : null,
          lease_expires_at: formatOptionalTimestamp(lease?.expiresAtMs ?? null),
          fencing_token: lease?.token ?? null,
        },
      },
      scrapers,
      value_staleness: valueStaleness(market, nowMs),
      market: { state: market.isOpen(nowMs) ? "open" : "closed", next_change_at: formatOptionalTimestamp(nextChangeMs) },
      history: { complete: market.bars.gaps.length === 0, pending: barsMissing(market.bars.gaps) },
      archives: archivesStatus(feeds?.archives ?? null),
      keyless: { tier: catalog.keyless.tier, description: keylessText(catalog) },
      simulated: feeds?.simulated ?? false,
      reasons,
    };
  };

/** The answer of a process that lives. */
export const HEALTH = JSON.stringify({ status: "ok", service: "assay", version: VERSION });

/** `GET /v1/health`: answers without checking anything. */
export const health: Verb<AssayContract["system"]["health"], VerbContext> = () => new Encoded(HEALTH);
