/** The forward curve: the settlement of each contract, its age, and what is missing. */
import { FUTURES_SYMBOLS } from "@assay/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { forwardCurve, nearestSettlement } from "./forward-curve.ts";
import { tradingContracts } from "./futures-contract.ts";
import { outranks, type SettlementRow } from "./settlement.ts";

const NOON_MS = Date.parse("2026-11-21T12:00:00Z");
const row = (futuresContract: string, change: Partial<SettlementRow> = {}): SettlementRow => ({
  symbol: "GC",
  futuresContract,
  settlementDate: "2026-11-20",
  price: "4012.5",
  volume: 10,
  openInterest: null,
  source: "alpha",
  sourceType: "proxy_daily_close",
  observedAtMs: NOON_MS - 3_600_500,
  fetchedAtMs: NOON_MS,
  ...change,
});

describe("the curve", () => {
  const known: Record<string, SettlementRow> = {
    GCZ26: row("GCZ26"),
    GCG27: row("GCG27", { settlementDate: "2026-11-19" }),
    GCQ27: row("GCQ27", { observedAtMs: NOON_MS + 1_000 }),
  };
  const curve = forwardCurve("GC", (name) => known[name] ?? null, NOON_MS);

  test("has a horizon per main contract, by date, with or without data for it", () => {
    expect(curve.map(({ futuresContract, expiry, settlement }) => [futuresContract.name, expiry, settlement !== null])).toEqual([
      ["GCZ26", "2026-12-29", true],
      ["GCG27", "2027-02-24", true],
      ["GCJ27", "2027-04-28", false],
      ["GCM27", "2027-06-28", false],
      ["GCQ27", "2027-08-27", true],
      ["GCV27", "2027-10-27", false],
    ]);
  });

  test("gives a settlement's age in whole seconds, and never a negative one", () => {
    expect(curve.map(({ ageSeconds }) => ageSeconds)).toEqual([3_600, 3_600, 0, 0, 0, 0]);
  });

  test("says which settlement is overdue and which is missing", () => {
    expect(curve.map(({ errors }) => errors)).toEqual([
      [],
      ["the settlement of 2026-11-20 is overdue; this one is of 2026-11-19"],
      ["no settlement is known"],
      ["no settlement is known"],
      [],
      ["no settlement is known"],
    ]);
  });

  test("waits for a settlement over weekends and holidays, and until its day is over", () => {
    const errorsAt = (instant: string) =>
      forwardCurve("GC", () => row("GCZ26", { settlementDate: "2026-11-25" }), Date.parse(instant))[0]?.errors.length;
    // Wednesday the 25th; Thursday is Thanksgiving, Friday settles, and Monday.
    expect(errorsAt("2026-11-27T23:00:00Z")).toBe(0);
    expect(errorsAt("2026-11-28T06:00:00Z")).toBe(1);
    expect(
      forwardCurve("GC", () => row("GCZ26", { settlementDate: "2026-11-27" }), Date.parse("2026-12-01T04:00:00Z"))[0]?.errors,
    ).toEqual([]);
  });
});

describe("the nearest settlement", () => {
  const nearest = (day: string, ...names: string[]) => {
    const newestOf = (name: string) => (names.includes(name) ? row(name) : null);
    const atMs = Date.parse(`${day}T12:00:00Z`);
    const curve = forwardCurve("GC", newestOf, atMs);
    return [nearestSettlement("GC", newestOf, atMs)?.futuresContract ?? null, curve[0]?.futuresContract.name];
  };

  test("belongs to the first contract that still trades, to its last day", () => {
    expect(nearest("2026-11-25", "GCZ26", "GCG27")).toEqual(["GCZ26", "GCZ26"]);
    expect(nearest("2026-12-29", "GCZ26", "GCG27")).toEqual(["GCZ26", "GCZ26"]);
    expect(nearest("2026-12-30", "GCZ26", "GCG27")).toEqual(["GCG27", "GCG27"]);
  });

  test("belongs to the next contract that has one, where the first has none", () => {
    expect(nearest("2026-11-24", "GCG27")).toEqual(["GCG27", "GCZ26"]);
    expect(nearest("2026-11-25", "GCJ27")).toEqual(["GCJ27", "GCZ26"]);
  });

  test("is missing where no contract that still trades has settled", () => {
    expect(nearest("2026-12-30", "GCZ26", "GCX26")).toEqual([null, "GCG27"]);
  });

  test("is the nearest settlement of the curve, on any day and whatever has settled", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...FUTURES_SYMBOLS),
        fc.integer({ min: Date.UTC(1996, 0, 1), max: Date.UTC(2040, 0, 1) }),
        fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
        (symbol, atMs, settled) => {
          const contracts = tradingContracts(symbol, new Date(atMs).toISOString().slice(0, 10));
          const known = new Map(contracts.filter((_, place) => settled[place]).map(({ name }) => [name, row(name, { symbol })]));
          const newestOf = (name: string) => known.get(name) ?? null;
          const nearest = forwardCurve(symbol, newestOf, atMs).find(({ settlement }) => settlement !== null);
          expect(nearestSettlement(symbol, newestOf, atMs)).toBe(nearest?.settlement ?? null);
        },
      ),
    );
  });
});

describe("of two settlements of a contract", () => {
  test("the later day counts, then the exchange's own, then the one published later", () => {
    const proxy = row("GCZ26");
    const official = row("GCZ26", { sourceType: "official_settlement", observedAtMs: 1 });
    const later = row("GCZ26", { observedAtMs: NOON_MS });
    expect(outranks(row("GCZ26", { settlementDate: "2026-11-23" }), official)).toBe(true);
    expect(outranks(official, later)).toBe(true);
    expect(outranks(later, official)).toBe(false);
    expect(outranks(later, proxy)).toBe(true);
    expect(outranks(proxy, proxy)).toBe(false);
  });
});
