/**
 * The simulated market as a term sees it: its source, and the history it fills the store with. Bars have their own file; here
 * are two years of settlements, and a reference table of every weekday since 1996.
 */
import { DAY_MS, HOUR_MS, startOfUtcDay } from "@assay/contract";
import { readLastSettledDay, readReferenceSpan, writeMoment } from "@assay/db";
import { addDays, dayIn, type FxObservation, NEW_YORK, REFERENCE_GAP, type SettlementRow, settlementRowOf } from "@assay/pricing";
import {
  SIMULATED_REFERENCE,
  SIMULATED_SETTLEMENTS,
  SIMULATED_SOURCE,
  type SimulatedHours,
  simulatedFxReference,
  simulatedSettlements,
  simulatedSource,
} from "@assay/simulator";
import { type OlderWriting, type PastWriting, type SimulatedMarket, TermEndedError } from "../term/term-options.ts";
import { Filling } from "../writer-log.ts";
import { FIRST_DAY_MS, fillOlder, makeNewest } from "./bars.ts";

const PAST_DAYS = 731;
/** Rows written together. */
const ROWS_TOGETHER = 2_000;

interface SettlementsFill extends Omit<PastWriting, "gaps" | "thread"> {
  readonly seed: number;
}

/** Every settlement from a day on that was published by now, received when it was published. */
const rowsFrom = (firstDay: string, seed: number, nowMs: number): SettlementRow[] => {
  const rows: SettlementRow[] = [];
  const lastDay = dayIn(NEW_YORK, nowMs);
  for (let day = firstDay; day <= lastDay; day = addDays(day, 1)) {
    const settled = simulatedSettlements(day, seed).filter(({ observedAtMs }) => observedAtMs <= nowMs);
    rows.push(...settled.map((each) => settlementRowOf(each, each.observedAtMs)));
  }
  return rows;
};

/**
 * Fills the store up to now. It may be interrupted: the next run continues from the newest stored day.
 * @returns the number of settlements written
 */
export const fillSettlements = async (options: SettlementsFill): Promise<number> => {
  const { store, writer, seed, progress, nowMs, clock, mayWrite } = options;
  const earliest = addDays(dayIn(NEW_YORK, nowMs), -PAST_DAYS);
  const last = await readLastSettledDay(store, SIMULATED_SETTLEMENTS);
  const rows = rowsFrom(last !== null && last > earliest ? last : earliest, seed, nowMs);
  const step = progress.step("building: settlements", rows.length);
  try {
    for (let start = 0; start < rows.length; start += ROWS_TOGETHER) {
      if (!mayWrite()) throw new TermEndedError("the lease ran out");
      const settlements = rows.slice(start, start + ROWS_TOGETHER);
      await writeMoment(store, writer, { ticks: [], bars: [], fx: [], settlements });
      step.advance(settlements.length);
      // The embedded engine answers without yielding to the event loop; the lease's timers need that.
      await clock.turn();
    }
  } finally {
    step.done();
  }
  return rows.length;
};

/** Tables written together: making them takes about as long as writing them, ten milliseconds. */
const TABLES_TOGETHER = 100;
/** A store with fewer tables was interrupted while it was filled. */
const WHOLE_TABLES = 1_000;
/** The newest days are written again: a service that was stopped for a few of them has stored today's table since. */
const OVERLAP_MS = 11 * DAY_MS;
/** By this hour of a weekday its table is published. */
const PUBLISHED_MS = 15 * HOUR_MS;

interface ReferencesFill extends Pick<OlderWriting, "store" | "writer" | "clock" | "mayWrite"> {
  readonly log?: OlderWriting["log"];
  readonly seed: number;
  readonly nowMs: number;
  /** Where it is recorded that rates are missing while many are written. */
  readonly gaps?: OlderWriting["gaps"];
  /** Whether the process also serves requests: then writing uses only half of the time. */
  readonly sharesProcess?: boolean;
}

const isWeekday = (dayMs: number): boolean => ![0, 6].includes(new Date(dayMs).getUTCDay());

/** The days whose tables are missing, or may be. */
const daysDue = async ({ store, nowMs }: ReferencesFill): Promise<number[]> => {
  const stored = await readReferenceSpan(store, SIMULATED_REFERENCE);
  const fromMs = stored === null || stored.tables < WHOLE_TABLES ? FIRST_DAY_MS : stored.unbrokenUntilMs - OVERLAP_MS;
  const days: number[] = [];
  for (let dayMs = startOfUtcDay(fromMs); dayMs + PUBLISHED_MS <= nowMs; dayMs += DAY_MS) if (isWeekday(dayMs)) days.push(dayMs);
  return days;
};

/**
 * Fills the store up to now. It may be interrupted: the next run continues where the tables end.
 * @returns the number of tables written
 */
export const fillReferences = async (options: ReferencesFill): Promise<number> => {
  const { store, writer, seed, gaps, clock, mayWrite, log, sharesProcess = false } = options;
  const days = await daysDue(options);
  const [fromMs = 0] = days;
  const isLong = days.length > WHOLE_TABLES;
  if (isLong) await gaps?.set(REFERENCE_GAP, "daily", [{ symbol: REFERENCE_GAP, bars: "daily", fromMs, untilMs: options.nowMs }]);
  const filling = isLong && log ? new Filling({ log, clock }, "filling: exchange rates", days.length) : null;
  for (let start = 0; start < days.length; start += TABLES_TOGETHER) {
    if (!mayWrite()) throw new TermEndedError("the lease ran out");
    const startedMs = clock.elapsed();
    const fx = days
      .slice(start, start + TABLES_TOGETHER)
      .map((dayMs): FxObservation => simulatedFxReference(dayMs + PUBLISHED_MS, seed));
    await writeMoment(store, writer, { ticks: [], bars: [], fx });
    // The embedded engine answers without yielding to the event loop; the lease's timers need that.
    await (sharesProcess ? clock.sleep(clock.elapsed() - startedMs) : clock.turn());
    filling?.done(start + fx.length);
  }
  await gaps?.set(REFERENCE_GAP, "daily", []);
  return days.length;
};

export interface Simulation {
  /** The same seed always gives the same market. */
  readonly seed: number;
  readonly hours: SimulatedHours;
  /** Days of intraday bars an empty store starts with. */
  readonly historyDays: number;
}

export const openSimulatedMarket = ({ seed, hours, historyDays }: Simulation): SimulatedMarket => ({
  source: simulatedSource({ seed, hours }),
  barSource: SIMULATED_SOURCE,
  makeNewest: async (writing) => {
    const writeBars = await makeNewest({ ...writing, seed, hours, historyDays });
    return async () => {
      await fillSettlements({ ...writing, seed });
      await writeBars();
    };
  },
  fillOlder: async (writing) => {
    if ((await fillReferences({ ...writing, seed })) > 0) writing.onFilled();
    await fillOlder({ ...writing, seed, hours });
  },
});
