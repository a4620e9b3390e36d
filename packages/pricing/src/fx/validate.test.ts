import { describe, expect, it } from "vitest";
import type { FxObservation } from "../readings/observation.ts";
import { EMPTY_FX, withFx } from "./tables.ts";
import { validateFx } from "./validate.ts";

const NOW = Date.UTC(2026, 10, 20, 14);
const DAY = 86_400_000;
const table = (rates: Record<string, string>, more: Partial<FxObservation> = {}): FxObservation => ({
  kind: "fx",
  source: "live-a",
  role: "live",
  base: "USD",
  rates,
  observedAtMs: NOW - 1_000,
  freshForMs: 180_000,
  ...more,
});

describe("a sound table", () => {
  it("passes with every rate as published", () => {
    const sound = table({ EUR: "0.8600", JPY: "156.20", USD: "1" });
    expect(validateFx(sound, NOW)).toEqual({ ok: true, table: sound, refused: [] });
  });

  it("silently drops what is not a currency code", () => {
    const odd = JSON.parse('{"EUR":"0.86","1INCH":"5","eur":"0.9","__proto__":"1","PAXGX":"2"}') as Record<string, string>;
    expect(validateFx(table(odd), NOW)).toMatchObject({ ok: true, table: { rates: { EUR: "0.86" } }, refused: [] });
  });
});

describe("a fault of one currency", () => {
  it.each([
    ["0,86", "malformed"],
    ["", "malformed"],
    ["N/A", "malformed"],
    ["0", "not_positive"],
    ["-0.86", "not_positive"],
  ])("costs that currency only: %j is %s", (text, rule) => {
    expect(validateFx(table({ EUR: text, JPY: "156" }), NOW)).toMatchObject({
      ok: true,
      table: { rates: { JPY: "156" } },
      refused: [{ currency: "EUR", rule }],
    });
  });

  it("is a base rate other than one", () => {
    expect(validateFx(table({ USD: "1.01", EUR: "0.86" }), NOW)).toMatchObject({
      refused: [{ currency: "USD", rule: "base_not_one" }],
    });
    expect(validateFx(table({ USD: "1.000", EUR: "0.86" }), NOW)).toMatchObject({ refused: [] });
  });

  it("is a move of more than a fifth since the table before", () => {
    const before = table({ EUR: "1.00", JPY: "150", THB: "33" }, { observedAtMs: NOW - 60_000 });
    const verdict = validateFx(table({ EUR: "1.2000", JPY: "119.99", THB: "39.61", INR: "88" }), NOW, withFx(EMPTY_FX, before));
    expect(verdict).toMatchObject({ ok: true, table: { rates: { EUR: "1.2000", INR: "88" } } });
    expect(verdict.ok && verdict.refused.map(({ currency, rule }) => [currency, rule])).toEqual([
      ["JPY", "moved"],
      ["THB", "moved"],
    ]);
  });

  it("is accepted when it is in the next table too: a devaluation is one", () => {
    const before = table({ EGP: "31", EUR: "0.86" }, { observedAtMs: NOW - 120_000 });
    const first = validateFx(table({ EGP: "49", EUR: "0.86" }, { observedAtMs: NOW - 60_000 }), NOW, withFx(EMPTY_FX, before));
    if (!first.ok) throw new Error(first.rule);
    expect(first.table.rates).toEqual({ EUR: "0.86" });
    expect(validateFx(table({ EGP: "49.2", EUR: "0.86" }), NOW, withFx(EMPTY_FX, first.table))).toMatchObject({
      refused: [],
      table: { rates: { EGP: "49.2" } },
    });
  });

  it("is not checked across two bases", () => {
    const before = table({ USD: "1.16", JPY: "180" }, { base: "EUR" });
    expect(validateFx(table({ JPY: "156" }), NOW, withFx(EMPTY_FX, before))).toMatchObject({ refused: [] });
  });
});

describe("a live table beside a reference of the last seven days", () => {
  const reference = (rates: Record<string, string>, ageDays = 1): FxObservation =>
    table(rates, { source: "ecb", role: "reference", base: "EUR", observedAtMs: NOW - ageDays * DAY, freshForMs: 5 * DAY });
  const known = withFx(EMPTY_FX, reference({ USD: "1.25", JPY: "200", GBP: "0.9375", TRY: "56.25" }));

  it("loses each leg that is more than a tenth off, the first time and every later time", () => {
    const lying = table({ EUR: "1.25", JPY: "161", GBP: "0.84" });
    const first = validateFx(lying, NOW, known);
    expect(first).toMatchObject({ ok: true, table: { rates: { JPY: "161" } } });
    expect(first.ok && first.refused.map(({ currency, rule }) => [currency, rule])).toEqual([
      ["EUR", "off_reference"],
      ["GBP", "off_reference"],
    ]);
    const again = { ...lying, observedAtMs: NOW };
    expect(validateFx(again, NOW, first.ok ? withFx(known, first.table) : known)).toMatchObject({
      table: { rates: { JPY: "161" } },
    });
  });

  it("is refused whole when its base is off, as every leg is crossed through it", () => {
    const inverted = table({ USD: "0.8", JPY: "200" }, { base: "EUR" });
    expect(validateFx(inverted, NOW, known)).toMatchObject({ ok: false, rule: "off_reference" });
  });

  it("may move by more than a fifth where the reference says that it did", () => {
    const before = withFx(EMPTY_FX, table({ TRY: "45" }, { observedAtMs: NOW - 60_000 }));
    const moved = withFx(before, reference({ USD: "1.25", TRY: "75" }));
    expect(validateFx(table({ TRY: "60" }), NOW, moved)).toMatchObject({ table: { rates: { TRY: "60" } }, refused: [] });
  });

  it("is compared with the table before where the reference is older, or lacks the currency", () => {
    const before = table({ EUR: "0.8", THB: "33" }, { observedAtMs: NOW - 60_000 });
    const old = withFx(withFx(EMPTY_FX, before), reference({ USD: "1.25" }, 8));
    expect(validateFx(table({ EUR: "1.25", THB: "33.1" }), NOW, old)).toMatchObject({
      table: { rates: { THB: "33.1" } },
      refused: [{ currency: "EUR", rule: "moved" }],
    });
  });

  it.each([
    ["AED", { AED: "3.60" }],
    ["SAR", { SAR: "37.5" }],
    ["HKD", { HKD: "7.70" }],
    ["BGN", { EUR: "0.8", BGN: "1.6" }],
    ["DKK", { EUR: "0.8", DKK: "6.1" }],
  ])("loses %s more than a percent off its peg, with a reference or without", (currency, rates: Record<string, string>) => {
    for (const fx of [EMPTY_FX, known]) {
      expect(validateFx(table({ ...rates, INR: "88" }), NOW, fx)).toMatchObject({
        ok: true,
        refused: [{ currency, rule: "off_reference" }],
      });
    }
  });
});

describe("a fault of the table", () => {
  it.each([
    [table({ EUR: "0.86" }, { observedAtMs: NOW + 5_001 }), "from_the_future"],
    [table({ EUR: "0.86" }, { observedAtMs: NOW - 8 * DAY }), "too_old"],
    [table({ EUR: "0.86" }, { observedAtMs: Number.NaN }), "unreadable_time"],
    [table({ EUR: "0.86" }, { base: "usd" }), "malformed_base"],
    [table({}), "empty"],
    [table({ EUR: "0" }), "empty"],
    [table({ JPY: "180" }, { base: "EUR" }), "no_usd_leg"],
    [table({ JPY: "180", USD: "0" }, { base: "EUR" }), "no_usd_leg"],
  ])("refuses it whole: %#", (whole, rule) => {
    expect(validateFx(whole, NOW)).toMatchObject({ ok: false, rule });
  });
});
