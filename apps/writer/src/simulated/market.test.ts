/** The simulated reference rates: one table for each weekday, however often the filling is interrupted. */
import { DAY_MS } from "@assay/contract";
import { claimFence, readFxTables, readHistoryGaps, readReferenceDays, type Store, writeMoment } from "@assay/db";
import { openTestStore } from "@assay/db/testing";
import { machineTime } from "@assay/ports";
import { simulatedFxReference } from "@assay/simulator";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Gaps } from "../backfill/history-gaps.ts";
import { TermEndedError } from "../term/term-options.ts";
import { fillReferences } from "./market.ts";

/** A Friday; early, so that the tables are few. */
const NOW_MS = Date.parse("2001-03-09T16:00:00Z");
const SEED = 7;
const writer = { token: 1, holder: "writer" };

let store: Store;
beforeEach(async () => {
  store = await openTestStore();
  await claimFence(store, writer.token, writer.holder);
});
afterEach(() => store.close());

const fill = async (nowMs: number, writes = Number.POSITIVE_INFINITY): Promise<number> => {
  let begun = 0;
  const gaps = await Gaps.read(store, writer);
  return fillReferences({ store, writer, gaps, seed: SEED, nowMs, clock: machineTime, mayWrite: () => ++begun <= writes });
};

/** Monday to Friday since 1996. */
const weekdays = (untilMs: number): string[] => {
  const days: string[] = [];
  for (let dayMs = Date.UTC(1996, 0, 1); dayMs <= untilMs; dayMs += DAY_MS)
    if (![0, 6].includes(new Date(dayMs).getUTCDay())) days.push(new Date(dayMs).toISOString().slice(0, 10));
  return days;
};

const storedDays = async (): Promise<string[]> => (await readReferenceDays(store, "EUR", "INR")).days.map(({ day }) => day);

test("are those the market publishes, on every weekday up to now", async () => {
  await fill(NOW_MS);
  expect(await storedDays()).toEqual(weekdays(NOW_MS));
  expect((await readFxTables(store, NOW_MS - DAY_MS)).at(-1)).toEqual(simulatedFxReference(NOW_MS, SEED));
});

test("are filled in to the end after an interruption, and recorded as missing until then", async () => {
  await expect(fill(NOW_MS, 3)).rejects.toThrow(TermEndedError);
  expect(await storedDays()).toHaveLength(300);
  expect((await readHistoryGaps(store)).map(({ symbol }) => symbol)).toEqual(["reference-rates"]);
  await fill(NOW_MS);
  expect(await storedDays()).toEqual(weekdays(NOW_MS));
  expect(await readHistoryGaps(store)).toEqual([]);
});

test("of days on which the service was stopped are added, although today's came first", async () => {
  await fill(NOW_MS - 7 * DAY_MS);
  await writeMoment(store, writer, { ticks: [], bars: [], fx: [simulatedFxReference(NOW_MS, SEED)] });
  expect(await fill(NOW_MS)).toBeLessThan(20);
  expect(await storedDays()).toEqual(weekdays(NOW_MS));
});
