/** The simulated exchange's past: two years of settlements of every contract, from where the store ends. */
import { setImmediate } from "node:timers/promises";
import { readLastSettledDay, type Store, type WriterToken, writeMoment } from "@assay/db";
import {
  addDays,
  dayIn,
  NEW_YORK,
  type SettlementRow,
  SIMULATED_SETTLEMENTS,
  settlementRowOf,
  simulatedSettlements,
} from "@assay/pricing";
import { TermEndedError } from "../term-ended.ts";
import type { Progress } from "./progress.ts";

const PAST_DAYS = 731;
/** Rows that are written together. */
const BATCH = 2_000;

/** What the backfill works with. */
export interface SettlementBackfill {
  readonly store: Store;
  readonly writer: WriterToken;
  readonly seed: number;
  readonly progress: Progress;
  readonly nowMs: number;
  /** Whether a write may begin. */
  readonly mayWrite: () => boolean;
}

/** Every settlement from a day on that was said by now; each was taken in as it was said. */
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
 * Fills the store up to now. It may be stopped at any point: the next run goes on from the newest stored day.
 * @returns how many settlements were written
 */
export const backfillSimulatedSettlements = async (options: SettlementBackfill): Promise<number> => {
  const { store, writer, seed, progress, nowMs, mayWrite } = options;
  const earliest = addDays(dayIn(NEW_YORK, nowMs), -PAST_DAYS);
  const last = await readLastSettledDay(store, SIMULATED_SETTLEMENTS);
  const rows = rowsFrom(last !== null && last > earliest ? last : earliest, seed, nowMs);
  const line = progress.line("settlements", rows.length);
  for (let start = 0; start < rows.length; start += BATCH) {
    if (!mayWrite()) throw new TermEndedError("the lease ran out");
    const settlements = rows.slice(start, start + BATCH);
    await writeMoment(store, writer, { ticks: [], bars: [], fx: [], settlements });
    line.advance(settlements.length);
    // The embedded engine answers without a turn of the event loop; the lease's timers need one.
    await setImmediate();
  }
  line.done();
  return rows.length;
};
