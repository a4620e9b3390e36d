/** Rates beside prices: the same as the tables they are made of give, as long as nothing is said to change. */
import { MINUTE_MS } from "@assay/contract";
import { describe, expect, test } from "vitest";
import type { FxObservation } from "../readings/observation.ts";
import { fxRate, pastRate } from "./cross.ts";
import { publishedMs } from "./published.ts";
import { asPublished, rateIn, rateTable, tableHoldsUntilMs } from "./rate-set.ts";
import { EMPTY_FX, withFx } from "./tables.ts";

const DAY_MS = 86_400_000;
const NOON_MS = Date.UTC(2026, 10, 20, 12);
const live: FxObservation = {
  kind: "fx",
  source: "live-a",
  role: "live",
  base: "USD",
  rates: { EUR: "0.86", JPY: "157.3" },
  observedAtMs: NOON_MS - MINUTE_MS,
  freshForMs: 3 * MINUTE_MS,
};
const ecb = (day: string, usd: string): FxObservation => ({
  ...live,
  source: "ecb",
  role: "reference",
  base: "EUR",
  rates: { USD: usd, JPY: "181", CHF: "0.93" },
  observedAtMs: Date.parse(day),
  freshForMs: 6 * DAY_MS,
});
const fx = [ecb("2026-11-19", "1.157"), live].reduce(withFx, EMPTY_FX);

describe("a table", () => {
  const table = rateTable(fx, NOON_MS);

  test("has each currency's rate as it is published, with its origin and its own instant", () => {
    expect(rateIn(table, "EUR", NOON_MS, NOON_MS)).toMatchObject({ source: "live-a", role: "live", isStale: false });
    expect(table.rates["CHF"]?.[0]).toBe("0.803802938634399309");
    expect(rateIn(table, "CHF", NOON_MS, NOON_MS)).toMatchObject({
      source: "ecb",
      role: "reference",
      observedAtMs: Date.parse("2026-11-19T15:00:00Z"),
    });
    expect(rateIn(table, "AED", NOON_MS, NOON_MS)).toMatchObject({ role: "peg", observedAtMs: NOON_MS, isStale: false });
    expect(rateIn(table, "BGN", NOON_MS, NOON_MS)?.rate.toFixed()).toBe("1.6820138");
    expect(rateIn(table, "USD", NOON_MS, NOON_MS)).toMatchObject({ role: "identity" });
    expect(rateIn(table, "ZAR", NOON_MS, NOON_MS)).toBeNull();
  });

  test("is what the rates of its moment are, also after it was written and read", () => {
    const read = JSON.parse(JSON.stringify(table));
    for (const currency of ["EUR", "JPY", "CHF", "BGN", "DKK", "SAR"])
      expect(rateIn(read, currency, NOON_MS, NOON_MS), currency).toEqual(asPublished(fxRate(fx, currency, NOON_MS)));
  });

  test("holds until one of its sources comes of age or goes out of it", () => {
    const untilMs = tableHoldsUntilMs(fx, NOON_MS);
    expect(untilMs).toBe(live.observedAtMs + live.freshForMs);
    expect(rateTable(fx, untilMs)).toEqual(table);
    expect(rateTable(fx, untilMs + 1)).not.toEqual(table);
    expect(rateIn(table, "EUR", NOON_MS, untilMs)?.isStale).toBe(false);
    expect(rateIn(table, "EUR", NOON_MS, untilMs + 1)?.isStale).toBe(true);
  });
});

describe("a bank's day", () => {
  const [before, after] = [ecb("2026-11-19", "1.157"), ecb("2026-11-20", "1.16")];
  const fiveMs = { winter: Date.parse("2026-11-20T15:00:00Z"), summer: Date.parse("2026-07-20T14:00:00Z") };

  test("is known from its hour of publication on, in winter and in summer", () => {
    expect([publishedMs(after), publishedMs(ecb("2026-07-20", "1"))]).toEqual([fiveMs.winter, fiveMs.summer]);
    expect(publishedMs({ ...after, observedAtMs: NOON_MS }), "stated to the second").toBe(NOON_MS);
  });

  test("serves an instant from then on, and its whole date", () => {
    const tables = [before, after];
    const at = (atMs: number, dayMs: number | null = null) => pastRate(tables, "EUR", { atMs, dayMs })?.rate.toFixed(4);
    expect([at(fiveMs.winter - 1), at(fiveMs.winter)]).toEqual(["0.8643", "0.8621"]);
    expect(at(Date.parse("2026-11-21"), Date.parse("2026-11-20"))).toBe("0.8621");
    expect(at(Date.parse("2026-11-28"), Date.parse("2026-11-27")), "seven days later").toBe("0.8621");
    expect(at(Date.parse("2026-11-29"), Date.parse("2026-11-28"))).toBeUndefined();
    expect(at(Date.parse("2026-11-19"), Date.parse("2026-11-18"))).toBeUndefined();
  });
});
