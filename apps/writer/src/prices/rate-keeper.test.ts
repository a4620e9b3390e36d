/** Rates beside ticks: one number as long as they stand, which a later term goes on from. */
import { MINUTE_MS } from "@assay/contract";
import { EMPTY_FX, type FxObservation, type RateSet, withFx } from "@assay/pricing";
import { expect, test } from "vitest";
import { RateKeeper } from "./rate-keeper.ts";

const NOON_MS = Date.UTC(2026, 10, 20, 12);
const live = (eur: string, observedAtMs = NOON_MS): FxObservation => ({
  ...{ kind: "fx", source: "live-a", role: "live", base: "USD", rates: { EUR: eur }, observedAtMs },
  freshForMs: 3 * MINUTE_MS,
});
const first = withFx(EMPTY_FX, live("0.86"));
const second = withFx(first, live("0.87", NOON_MS + MINUTE_MS));

test("rates get a new number when they change, and once when they only grow old", () => {
  const keeper = new RateKeeper([]);
  const at = (fx: typeof first, ms: number) => {
    const { set, isNew } = keeper.at(fx, NOON_MS + ms);
    return [set.id, isNew, set.rates["EUR"]?.[0]];
  };
  expect([at(first, 0), at(first, 1_000), at(first, 2_000)]).toEqual([
    [1, true, "0.86"],
    [1, false, "0.86"],
    [1, false, "0.86"],
  ]);
  expect([at(second, MINUTE_MS), at(second, MINUTE_MS + 1_000)]).toEqual([
    [2, true, "0.87"],
    [2, false, "0.87"],
  ]);
  const aged = [4, 5].map((minutes) => at(second, minutes * MINUTE_MS + 1));
  expect(aged, "stale, and still the last one known").toEqual([
    [2, false, "0.87"],
    [2, false, "0.87"],
  ]);
});

test("a later term goes on with the same rates under their number, and knows those of recent ticks", () => {
  const before = new RateKeeper([]);
  const sets = [before.at(first, NOON_MS).set, before.at(second, NOON_MS + MINUTE_MS).set];
  // As they come from the store.
  const after = new RateKeeper(JSON.parse(JSON.stringify(sets)) as RateSet[]); // written from sets
  expect(after.at(second, NOON_MS + 2 * MINUTE_MS)).toMatchObject({ set: { id: 2 }, isNew: false });
  const beside = (rateSet: number | undefined, atMs = NOON_MS) =>
    after.beside(second, { computedAtMs: NOON_MS, ...(rateSet && { rateSet }) }, "EUR", atMs);
  expect(beside(1)?.rate.toFixed()).toBe("0.86");
  expect(beside(1, NOON_MS + 3 * MINUTE_MS + 1)).toMatchObject({ isStale: true });
  expect(beside(undefined, NOON_MS + MINUTE_MS)?.rate.toFixed(), "of an earlier version's writer").toBe("0.87");
});
