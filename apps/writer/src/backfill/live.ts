/** Backfills from public feeds: reference rates, daily closes and settlements, as far back as their publishers go. */
import { DAY_MS } from "@assay/contract";
import {
  noteReplacedBars,
  readBars,
  readReferenceSpan,
  readSeriesSources,
  type Store,
  upsertBars,
  type WriterToken,
  writeMoment,
} from "@assay/db";
import { feedContext, type SelectedFeed, type Upstream } from "@assay/feeds";
import {
  type BarRow,
  type FxObservation,
  type Observation,
  REFERENCE_SERVES_MS,
  type SettlementRow,
  settlementRowOf,
  validateSettlement,
} from "@assay/pricing";
import type { Progress } from "@assay/process";
import { barOf } from "../bars/bar-keeper.ts";
import type { WriterLog } from "../writer-log.ts";
import type { Gaps } from "./gaps.ts";

const FIRST_DAY_MS = Date.UTC(1996, 0, 1);
/** Older rate tables written together. */
const TABLES = 250;
/** Settlements written together. */
const SETTLEMENTS = 2_000;

/** What the backfill depends on. */
export interface LiveBackfill {
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
  const [first] = bars;
  if (!first) return [];
  const stored = await readBars(store, {
    symbol: first.symbol,
    interval: "1d",
    fromMs: FIRST_DAY_MS,
    toMs: nowMs,
    limit: 100_000,
  });
  const taken = new Set(stored.map((bar) => bar.barStartMs));
  return bars.filter((bar) => !taken.has(bar.barStartMs));
};

const isFx = (observation: Observation): observation is FxObservation => observation.kind === "fx";

/**
 * Where a feed's missing history starts: the end of its stored reference tables or the first gap, or the first day for closes.
 */
const missingFrom = async ({ store, nowMs }: LiveBackfill, { feed }: SelectedFeed): Promise<number> => {
  if (feed.kind !== "fx") return FIRST_DAY_MS;
  const stored = await readReferenceSpan(store, feed.info.key);
  // A history that was cut off early is reloaded from the start: it takes a few seconds.
  return stored === null || stored.tables < 1_000 ? FIRST_DAY_MS : Math.min(nowMs, stored.unbrokenUntilMs + 1);
};

/** Settlements that pass the rules, as stored. */
const settlementsOf = ({ nowMs, refuse }: LiveBackfill, observations: readonly Observation[]): SettlementRow[] =>
  observations.flatMap((each) => {
    if (each.kind !== "settlement") return [];
    const verdict = validateSettlement(each, nowMs);
    if (verdict.ok) return [settlementRowOf(each, nowMs)];
    refuse(each.source, verdict.rule, verdict.detail);
    return [];
  });

const write = async (options: LiveBackfill, label: string, observations: readonly Observation[]): Promise<number> => {
  const { store, writer, nowMs, progress, mayWrite, onBars, onSettlements, onRates } = options;
  const settlements = settlementsOf(options, observations);
  const rates = observations.filter(isFx);
  const serves = ({ observedAtMs }: FxObservation): boolean => nowMs - observedAtMs <= REFERENCE_SERVES_MS;
  onRates(rates.filter(serves));
  const tables = rates.filter((table) => !serves(table));
  const reported = observations.flatMap((each) => (each.kind === "bar" ? [barOf(each, nowMs)] : []));
  const bars = await missingDays(store, reported, nowMs);
  const step = progress.step(label, tables.length + bars.length + settlements.length);
  for (let start = 0; start < tables.length && mayWrite(); start += TABLES) {
    const fx = tables.slice(start, start + TABLES);
    await writeMoment(store, writer, { ticks: [], bars: [], fx });
    step.advance(fx.length);
  }
  if (bars.length > 0 && mayWrite()) {
    await upsertBars(store, bars, { writer });
    step.advance(bars.length);
    const starts = bars.map((bar) => bar.barStartMs);
    for (const symbol of new Set(bars.map((bar) => bar.symbol))) {
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
  step.done();
  return rates.length + bars.length + settlements.length;
};

/** Records which series have no daily bars yet, before their feeds are asked for them. */
export const noteMissingCloses = async ({
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
      const rows = await write(options, feed.info.displayName, await feed.backfill(context, { fromMs, toMs: nowMs }));
      for (const symbol of feed.closesOf ?? []) await options.gaps.set(symbol, "daily", []);
      options.onFilled();
      log.info(`${feed.info.key}: backfilled ${rows} historical rows`, { feed: feed.info.key, rows });
    } catch (error) {
      if (!signal.aborted) log.fault(error, `${feed.info.key}: failed to backfill its history`);
    }
  }
};
