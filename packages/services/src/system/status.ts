/** GET /v1/status: whether prices can be trusted right now, and why not. */
import { type AssayContract, type FeedStatus, formatTimestamp, type OutputOf, VERSION, type Verb } from "@assay/contract";
import { type ArchivesHealth, FEEDS_DOCUMENT_KEY, type FeedHealthEntry, type FeedsDocument, type LeaseToken } from "@assay/live";
import { PRICE_SYMBOLS, staleness } from "@assay/pricing";
import type { ServiceDeps, VerbContext } from "../context.ts";
import type { MarketView } from "../market/market-view.ts";
import { shownError, shownHolder } from "./shown.ts";

type Status = OutputOf<AssayContract["system"]["status"]>;

/** Gold trades every minute it is open; without a bar for this long something upstream is wrong. */
const BARS_FRESH_MS = 5 * 60_000;
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

const readLive = async (
  live: ServiceDeps["live"],
): Promise<{ cache: boolean; feeds: FeedsDocument | null; lease: LeaseToken | null }> => {
  try {
    await live.latest.ping();
    const [text, lease] = await Promise.all([live.latest.get(FEEDS_DOCUMENT_KEY), live.lease.current()]);
    // Written by our own writer in this very form.
    return { cache: true, feeds: text === null ? null : (JSON.parse(text) as FeedsDocument), lease };
  } catch {
    return { cache: false, feeds: null, lease: null };
  }
};

const valueStaleness = (market: MarketView, nowMs: number): Status["value_staleness"] =>
  Object.fromEntries(
    PRICE_SYMBOLS.map((symbol) => {
      const tick = market.tickAt(symbol.instrument, nowMs);
      const rate = market.fxRate(symbol.currency, nowMs);
      if (!tick || !rate)
        return [symbol.symbol, { is_stale: true, age_seconds: null, reason: tick ? "fx_fallback" : "feed_down" }];
      const stale = staleness(tick, rate, nowMs, market.isOpen(nowMs));
      return [
        symbol.symbol,
        { is_stale: stale.isStale, age_seconds: age(tick.computedAtMs, nowMs), reason: stale.isStale ? stale.reason : null },
      ];
    }),
  );

const archivesStatus = (archives: ArchivesHealth | null): Status["archives"] =>
  archives && {
    pending: archives.pending,
    built: archives.built,
    last_built_at: iso(archives.lastBuiltAtMs),
    last_error: shownError(archives.lastError),
  };

/** Looks at the cache, the feeds, the bars and the lease, and says in words what is wrong. */
export const status =
  ({
    live,
    market,
    configuredWriter,
  }: Pick<ServiceDeps, "live" | "market" | "configuredWriter">): Verb<AssayContract["system"]["status"], VerbContext> =>
  async (_input, { nowMs }) => {
    const { cache, feeds, lease } = await readLive(live);
    const reasons: string[] = [];
    if (!cache) reasons.push("The cache does not answer.");

    const scrapers = Object.fromEntries(Object.entries(feeds?.feeds ?? {}).map(([key, feed]) => [key, feedStatus(feed, nowMs)]));
    if (cache && !feeds) reasons.push("No writer has reported on its feeds yet.");
    for (const [key, feed] of Object.entries(scrapers)) {
      if (feed.required && feed.status !== "ok") {
        reasons.push(`Feed ${key} has no success within twice its interval of ${feed.expected_interval_seconds} s.`);
      }
    }

    const lastBarMs = market.bars.recent.newestMinuteMs("XAU-USD-SPOT");
    const open = market.isOpen(nowMs);
    const barsFresh = lastBarMs !== null && (!open || nowMs - lastBarMs <= BARS_FRESH_MS);
    if (!barsFresh) reasons.push("XAU-USD-SPOT bars are not fresh.");

    const holds = lease !== null && lease.expiresAtMs > nowMs && (configuredWriter === null || lease.holder === configuredWriter);
    if (cache && !holds) {
      reasons.push(
        lease === null
          ? "No writer holds the lease."
          : "The lease is held by another writer than the configured one, or has expired.",
      );
    }
    const nextChangeMs = market.nextChangeMs(nowMs);
    return {
      status: reasons.length === 0 ? "ok" : "degraded",
      checked_at: formatTimestamp(new Date(nowMs)),
      version: VERSION,
      checks: {
        cache: { ok: cache },
        bars: { ok: barsFresh, last_bar_at: iso(lastBarMs), age_seconds: age(lastBarMs, nowMs) },
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
      market: { state: open ? "open" : "closed", next_change_at: iso(nextChangeMs) },
      archives: archivesStatus(feeds?.archives ?? null),
      simulated: feeds?.simulated ?? false,
      reasons,
    };
  };
