/** Validation rules of settlements. */
import { expect, it, test } from "vitest";
import type { SettlementObservation } from "../readings/observation.ts";
import { settlementPublisher, validateSettlement } from "./settlement.ts";

const NOW_MS = Date.parse("2026-11-20T23:00:00Z");
const settlement = (change: Partial<SettlementObservation> = {}): SettlementObservation => ({
  kind: "settlement",
  source: "alpha",
  sourceType: "proxy_daily_close",
  symbol: "GC",
  futuresContract: "GCZ26",
  settlementDate: "2026-11-20",
  price: "4010.50",
  volume: 1_200,
  openInterest: null,
  observedAtMs: NOW_MS - 3_600_000,
  ...change,
});

test("a settlement of today, and one of years ago, passes", () => {
  expect(validateSettlement(settlement(), NOW_MS)).toEqual({ ok: true });
  const old = { futuresContract: "GCZ96", settlementDate: "1996-12-02", observedAtMs: Date.parse("1996-12-02T22:00:00Z") };
  expect(validateSettlement(settlement(old), NOW_MS)).toEqual({ ok: true });
  expect(validateSettlement(settlement({ settlementDate: "2026-12-29", observedAtMs: 0 }), Date.parse("2027-01-02"))).toEqual({
    ok: true,
  });
});

test.each<[string, Partial<SettlementObservation>]>([
  ["malformed", { price: "4,010.50" }],
  ["malformed", { volume: 1.5 }],
  ["malformed", { openInterest: -1 }],
  ["not_positive", { price: "0.00" }],
  ["not_positive", { price: "-37.63" }],
  ["unknown_contract", { futuresContract: "SIZ26" }],
  ["unknown_contract", { futuresContract: "GCZ2026" }],
  ["holiday", { settlementDate: "2026-11-15" }],
  ["holiday", { settlementDate: "2026-09-07" }],
  ["holiday", { futuresContract: "GCJ26", settlementDate: "2026-04-03" }],
  ["holiday", { futuresContract: "GCZ01", settlementDate: "2001-09-12" }],
  ["after_expiry", { futuresContract: "GCV26" }],
  ["from_the_future", { settlementDate: "2026-11-23" }],
  ["from_the_future", { observedAtMs: NOW_MS + 60_000 }],
  ["from_the_future", { observedAtMs: Number.NaN }],
])("a settlement that is %s is refused: %o", (rule, change) => {
  expect(validateSettlement(settlement(change), NOW_MS)).toMatchObject({ ok: false, rule });
});

it.each(["my-file", "constructor", "__proto__"])(
  "%s, a replayed source, is known by its name, and its figures are the operator's",
  (name) => {
    expect(settlementPublisher(name)).toEqual({ displayName: name, license: "operator-licence", publisher: name, url: "" });
  },
);
