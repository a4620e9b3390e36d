/** Backfills the simulated exchange: two years of settlements of every contract, from where the store ends. */
import { setImmediate } from "node:timers/promises";
import { readLastSettledDay, writeMoment } from "@assay/db";
import { addDays, dayIn, NEW_YORK, type SettlementRow, settlementRowOf } from "@assay/pricing";
import { SIMULATED_SETTLEMENTS, simulatedSettlements } from "@assay/simulator";
import { TermEndedError } from "../term/term-ended.ts";
import type { PastWriting } from "../term/term-options.ts";

const PAST_DAYS = 731;
/** Rows written together. */
const BATCH = 2_000;

/** What building and writing the settlements depends on. */
export interface SettlementsFill extends Omit<PastWriting, "gaps" | "thread"> {
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
  const { store, writer, seed, progress, nowMs, mayWrite } = options;
  const earliest = addDays(dayIn(NEW_YORK, nowMs), -PAST_DAYS);
  const last = await readLastSettledDay(store, SIMULATED_SETTLEMENTS);
  const rows = rowsFrom(last !== null && last > earliest ? last : earliest, seed, nowMs);
  const step = progress.step("settlements", rows.length);
  for (let start = 0; start < rows.length; start += BATCH) {
    if (!mayWrite()) throw new TermEndedError("the lease ran out");
    const settlements = rows.slice(start, start + BATCH);
    await writeMoment(store, writer, { ticks: [], bars: [], fx: [], settlements });
    step.advance(settlements.length);
    // The embedded engine answers without yielding to the event loop; the lease's timers need that.
    await setImmediate();
  }
  step.done();
  return rows.length;
};
