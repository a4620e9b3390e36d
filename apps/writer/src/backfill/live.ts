/** Backfills from public feeds: reference rates, daily closes and settlements, as far back as their publishers go. */
import { DAY_MS, type DecimalText } from "@assay/contract";
import {
  dropSettlements,
  noteReplacedBars,
  readBars,
  readReferenceSpan,
  readSeriesSources,
  readSettlementDays,
  type Store,
  upsertBars,
  type WriterToken,
  writeMoment,
} from "@assay/db";
import { feedContext, type SelectedFeed, type Upstream } from "@assay/feeds";
import {
  type BarRow,
  type FxObservation,
  type HistoryGap,
  isBusinessDay,
  type Observation,
  REFERENCE_GAP,
  REFERENCE_SERVES_MS,
  referenceDay,
  referencePrice,
  type SettlementRow,
  settlementRowOf,
  validateReference,
  validateSettlement,
} from "@assay/pricing";
import type { Progress } from "@assay/process";
import { barOf } from "../bars/bar-keeper.ts";
import type { WriterLog } from "../writer-log.ts";
import type { Gaps } from "./history-gaps.ts";

const FIRST_DAY_MS = Date.UTC(1996, 0, 1);
/**
 * How far back the newest reference rates are read again: a service that was stopped for a few days may have stored today's table
 * before what it missed.
 */
const OVERLAP_MS = 11 * DAY_MS;
/** A history with fewer tables was cut off early. It is read again from the start: that takes a few seconds. */
const WHOLE_TABLES = 1_000;
/** Older rate tables written together. */
const TABLES = 250;
/** Settlements written together. */
const SETTLEMENTS = 2_000;

interface LiveBackfill {
  readonly store: Store;
  readonly writer: WriterToken;
  readonly upstream: Upstream;
  readonly polled: readonly SelectedFeed[];
  readonly log: WriterLog;
  readonly progress: Progress;
  readonly nowMs: number;
  readonly signal: AbortSignal;
  readonly mayWrite: () => boolean;
  /** What is missing of each series' past. */
  readonly gaps: Gaps;
  /** Called when that has changed. */
  readonly onFilled: () => void;
  /** Called with a series to which bars were added. */
  readonly onBars: (symbol: string) => void;
  /** Called when settlements were added. */
  readonly onSettlements: () => void;
  /** Applies the reference rates that are still current as live readings, before any older ones are stored. */
  readonly onRates: (tables: readonly FxObservation[]) => void;
  /** Counts readings the rules refuse. */
  readonly refuse: (source: string, rule: string, detail: string) => void;
}

/** Only days without a bar: composed or imported bars are never overwritten by a close. */
const missingDays = async (store: Store, bars: readonly BarRow[], nowMs: number): Promise<BarRow[]> => {
  const missing: BarRow[] = [];
  for (const symbol of new Set(bars.map((bar) => bar.symbol))) {
    const range = { fromMs: FIRST_DAY_MS, toMs: nowMs, limit: 100_000 };
    const stored = await readBars(store, { symbol, interval: "1d", ...range });
    const taken = new Set(stored.map((bar) => bar.barStartMs));
    missing.push(...bars.filter((bar) => bar.symbol === symbol && !taken.has(bar.barStartMs)));
  }
  return missing;
};

const isFx = (observation: Observation): observation is FxObservation => observation.kind === "fx";

/**
 * Where a feed's missing history starts: shortly before the end of its stored reference tables or the first gap, or the first day
 * for closes.
 */
const missingFrom = async ({ store, nowMs }: LiveBackfill, { feed }: SelectedFeed): Promise<number> => {
  if (feed.kind !== "fx") return FIRST_DAY_MS;
  const stored = await readReferenceSpan(store, feed.info.key);
  if (stored === null || stored.tables < WHOLE_TABLES) return FIRST_DAY_MS;
  return Math.min(nowMs, stored.unbrokenUntilMs) - OVERLAP_MS;
};

/** Whether a feed has a history of reference rates. */
const hasRates = ({ feed }: SelectedFeed): boolean => feed.kind === "fx" && feed.backfill !== undefined;

/** Settlements that pass the rules, as stored. */
const settlementsOf = ({ nowMs, refuse }: LiveBackfill, observations: readonly Observation[]): SettlementRow[] =>
  observations.flatMap((each) => {
    if (each.kind !== "settlement") return [];
    const verdict = validateSettlement(each, nowMs);
    if (verdict.ok) return [settlementRowOf(each, nowMs)];
    refuse(each.source, verdict.rule, verdict.detail);
    return [];
  });

/** Closes as stored; a central bank's prices become closes once they pass the rules, each compared with the one before. */
const closesOf = ({ nowMs, refuse }: LiveBackfill, observations: readonly Observation[]): BarRow[] => {
  const known = new Map<string, DecimalText>();
  return observations.flatMap((each) => {
    if (each.kind === "bar") return [barOf(each, nowMs)];
    if (each.kind !== "reference") return [];
    const context = { nowMs, freshForMs: Number.POSITIVE_INFINITY, known: known.get(each.metal) ?? null };
    const verdict = validateReference(each, context);
    if (verdict.ok) {
      known.set(each.metal, referencePrice(each));
      return [barOf(referenceDay(each), nowMs)];
    }
    refuse(each.source, verdict.rule, verdict.detail);
    return [];
  });
};

const write = async (options: LiveBackfill, label: string, observations: readonly Observation[]): Promise<number> => {
  const { store, writer, nowMs, progress, mayWrite, onBars, onSettlements, onRates } = options;
  const settlements = settlementsOf(options, observations);
  const rates = observations.filter(isFx);
  const serves = ({ observedAtMs }: FxObservation): boolean => nowMs - observedAtMs <= REFERENCE_SERVES_MS;
  onRates(rates.filter(serves));
  const tables = rates.filter((table) => !serves(table));
  const bars = await missingDays(store, closesOf(options, observations), nowMs);
  const step = progress.step(`filling: ${label}`, tables.length + bars.length + settlements.length);
  try {
    for (let start = 0; start < tables.length && mayWrite(); start += TABLES) {
      const fx = tables.slice(start, start + TABLES);
      await writeMoment(store, writer, { ticks: [], bars: [], fx });
      step.advance(fx.length);
    }
    if (bars.length > 0 && mayWrite()) {
      await upsertBars(store, bars, { writer, reason: "late_source" });
      step.advance(bars.length);
      for (const symbol of new Set(bars.map((bar) => bar.symbol))) {
        const starts = bars.filter((bar) => bar.symbol === symbol).map((bar) => bar.barStartMs);
        await noteReplacedBars(store, symbol, Math.min(...starts), Math.max(...starts));
        onBars(symbol);
      }
    }
    for (let start = 0; start < settlements.length && mayWrite(); start += SETTLEMENTS) {
      const some = settlements.slice(start, start + SETTLEMENTS);
      await writeMoment(store, writer, { ticks: [], bars: [], fx: [], settlements: some });
      step.advance(some.length);
    }
    if (settlements.length > 0) onSettlements();
  } finally {
    step.done();
  }
  return rates.length + bars.length + settlements.length;
};

/** Records which series have no daily bars yet, and whether reference rates are missing, before feeds are asked for them. */
export const noteMissingDays = async ({
  store,
  gaps,
  polled,
  nowMs,
}: Pick<LiveBackfill, "store" | "gaps" | "polled" | "nowMs">): Promise<void> => {
  const stored = await readSeriesSources(store);
  for (const symbol of polled.flatMap(({ feed }) => feed.closesOf ?? [])) {
    if (stored.some((series) => series.symbol === symbol && series.interval === "1d")) continue;
    await gaps.set(symbol, "daily", [{ symbol, bars: "daily", fromMs: FIRST_DAY_MS, untilMs: nowMs }]);
  }
  for (const { feed } of polled.filter(hasRates)) {
    const span = await readReferenceSpan(store, feed.info.key);
    const isWhole = span !== null && span.tables >= WHOLE_TABLES;
    const gap: HistoryGap = { symbol: REFERENCE_GAP, bars: "daily", fromMs: FIRST_DAY_MS, untilMs: nowMs };
    await gaps.set(REFERENCE_GAP, "daily", isWhole ? [] : [gap]);
  }
};

/**
 * Fills in the history, one feed after another, while live prices continue. A feed that does not answer keeps its gap until
 * the next start.
 */
export const backfillLive = async (options: LiveBackfill): Promise<void> => {
  const { polled, upstream, nowMs, signal, log } = options;
  for (const selected of polled) {
    const { feed } = selected;
    if (!feed.backfill || signal.aborted || !options.mayWrite()) continue;
    try {
      const fromMs = await missingFrom(options, selected);
      if (nowMs - fromMs < DAY_MS) continue;
      const context = feedContext(selected, upstream, {
        nowMs,
        signal,
        partial: (error) => log.fault(error, `${feed.info.key}: failed to read part of its history`),
      });
      log.info(`filling: asking ${feed.info.displayName} for its history`, { feed: feed.info.key });
      const rows = await write(options, feed.info.displayName, await feed.backfill(context, { fromMs, toMs: nowMs }));
      const filled = hasRates(selected) ? [REFERENCE_GAP] : (feed.closesOf ?? []);
      for (const symbol of filled) await options.gaps.set(symbol, "daily", []);
      options.onFilled();
      log.info(`${feed.info.key}: backfilled ${rows} historical rows`, { feed: feed.info.key, rows });
    } catch (error) {
      if (!signal.aborted) log.fault(error, `${feed.info.key}: failed to backfill its history`);
    }
  }
};

/** Deletes them, so that they are never served or compared with. */
export const dropHolidaySettlements = async (store: Store, writer: WriterToken, log: WriterLog): Promise<void> => {
  const days = (await readSettlementDays(store)).filter((day) => !isBusinessDay(day));
  if (days.length === 0) return;
  await dropSettlements(store, writer, days);
  log.info(`deleted the settlements of ${days.length} days on which the exchange does not settle`, { days });
};
