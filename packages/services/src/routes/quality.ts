/** GET /v1/quality: how complete each day of a series is, newest first. */
import {
  type AssayContract,
  type BarSymbol,
  DAY_MS,
  type DayQuality,
  INTERVAL_MS,
  INTERVALS,
  type Interval,
  MAX_QUALITY_DAYS,
  type Verb,
} from "@assay/contract";
import { type DayBars, readDayBars, readOldestStarts, readOriginsByDay } from "@assay/db";
import { expectedBars, instrumentOf, openWithin, type Session, utcDay, venueOf } from "@assay/pricing";
import { depthFloor, requireSeries } from "../access/gate.ts";
import type { Caller, ServiceDeps, VerbContext } from "../context.ts";
import { refuseParameter } from "../input.ts";

/** Days of one interval, next to each other. */
interface Run {
  readonly interval: Interval;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The shortest interval that a caller may read of a day and of which there are bars as old as that. */
const intervalOf = (dayMs: number, caller: Caller, oldest: ReadonlyMap<Interval, number>, nowMs: number): Interval => {
  const mayRead = (interval: Interval): boolean =>
    interval === "1d" || (caller.reach.intraday && dayMs >= depthFloor(caller, interval, nowMs));
  const isKept = (interval: Interval): boolean => (oldest.get(interval) ?? Number.POSITIVE_INFINITY) < dayMs + DAY_MS;
  return INTERVALS.find((interval) => mayRead(interval) && isKept(interval)) ?? "1d";
};

const runsOf = (days: readonly number[], intervalAt: (dayMs: number) => Interval): Run[] => {
  const runs: Run[] = [];
  for (const dayMs of days) {
    const interval = intervalAt(dayMs);
    const last = runs.at(-1);
    if (last?.interval === interval) runs[runs.length - 1] = { ...last, toMs: dayMs + DAY_MS };
    else runs.push({ interval, fromMs: dayMs, toMs: dayMs + DAY_MS });
  }
  return runs;
};

const conditionOf = (expected: number, present: number, isPending: boolean): DayQuality["condition"] => {
  if (isPending) return "pending";
  if (present >= expected) return "available";
  return present === 0 ? "missing" : "degraded";
};

/** The part of open hours whose bars have ended by an instant. */
const endedBy = (hours: readonly Session[], intervalMs: number, atMs: number): Session[] => {
  const endMs = Math.floor(atMs / intervalMs) * intervalMs;
  return hours.flatMap(({ fromMs, toMs }) => (fromMs < endMs ? [{ fromMs, toMs: Math.min(toMs, endMs) }] : []));
};

/** The days of a window that have begun, oldest first. */
const daysOf = (fromMs: number, toMs: number, asOfMs: number): number[] => {
  const days: number[] = [];
  for (let dayMs = fromMs; dayMs <= Math.min(toMs, asOfMs); dayMs += DAY_MS) days.push(dayMs);
  return days;
};

/** Counts the bars of each day, against the market's calendar. */
export const listQuality = ({
  market,
  store,
  marketHours,
}: Pick<ServiceDeps, "market" | "store" | "marketHours">): Verb<AssayContract["quality"]["list"], VerbContext> => {
  const hoursOf = (symbol: BarSymbol, dayMs: number): readonly Session[] =>
    marketHours ? openWithin(dayMs, dayMs + DAY_MS, venueOf(instrumentOf(symbol))) : [{ fromMs: dayMs, toMs: dayMs + DAY_MS }];

  return async (input, { caller, asOfMs, nowMs, fail }) => {
    const symbol = requireSeries(input.symbol, "1d", caller, fail);
    const [fromMs, toMs] = [Date.parse(input.from), Date.parse(input.to)];
    if (fromMs > toMs) return refuseParameter(fail, "from", "must not be after to");
    if (toMs - fromMs >= MAX_QUALITY_DAYS * DAY_MS)
      return refuseParameter(fail, "from", `must be less than ${MAX_QUALITY_DAYS} days before to`);
    const floorMs = depthFloor(caller, "1d", nowMs);
    if (fromMs < floorMs)
      return fail("range_too_deep", { message: `from is too early: your tier's daily bars begin on ${utcDay(floorMs)}.` });

    const days = daysOf(fromMs, toMs, asOfMs);
    const oldest = await readOldestStarts(store, symbol);
    const intervalAt = (dayMs: number): Interval => intervalOf(dayMs, caller, oldest, nowMs);
    const stored = new Map<number, DayBars>();
    for (const run of runsOf(days, intervalAt))
      for (const [dayMs, bars] of await readDayBars(store, { symbol, ...run, asOfMs })) stored.set(dayMs, bars);
    const origins = await readOriginsByDay(store, { instrument: instrumentOf(symbol), fromMs, toMs });

    const rows = days.map((dayMs): DayQuality => {
      const interval = intervalAt(dayMs);
      const intervalMs = INTERVAL_MS[interval];
      const endMs = dayMs + DAY_MS;
      const expected = expectedBars(intervalMs, endedBy(hoursOf(symbol, dayMs), intervalMs, asOfMs));
      const { present, lastRevision } = stored.get(dayMs) ?? { present: 0, lastRevision: null };
      const isFilled = market.bars.isComplete({ symbol, interval, fromMs: dayMs, toMs: endMs - 1 });
      return {
        date: utcDay(dayMs),
        condition: conditionOf(expected, present, asOfMs < endMs || !isFilled),
        origins: origins.get(dayMs) ?? null,
        bars: { interval, expected, present },
        last_revision: lastRevision,
      };
    });
    return { symbol, days: rows.reverse(), meta: { tier: caller.tier, count: rows.length } };
  };
};
