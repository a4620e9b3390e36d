import { CONVERT_METALS, CURRENCIES, type Currency, WEIGHT_UNITS } from "@assay/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gramsPer } from "../conventions/units.ts";
import { Decimal, dec } from "../number/exact.ts";
import { shown } from "../testing/shown.ts";
import { type Conversion, convert } from "./convert.ts";

const SPOT: Readonly<Record<string, string>> = { XAU: "4003.20", XAG: "51.25" };
const RATES: Partial<Record<Currency, string>> = { USD: "1", EUR: "0.86", JPY: "156.2", BGN: "1.6820138", IDR: "16650.5" };

const ask = (from: string, to: string, amount = "1", unit = "oz"): Conversion =>
  convert(
    { from, to, amount, unit },
    (metal) => SPOT[metal] ?? null,
    (currency) => RATES[currency] ?? null,
  );

describe("convert", () => {
  it("converts metal to currency: spot times rate, in the currency's minor units", () => {
    expect(ask("XAU", "EUR", "2.5")).toEqual({
      ok: true,
      from: { kind: "metal", code: "XAU" },
      to: { kind: "currency", code: "EUR" },
      amount: "2.5",
      rate: "3442.752",
      result: "8606.88",
      unit: "oz",
    });
    expect(ask("XAU", "JPY")).toMatchObject({ rate: "625299.84", result: "625300" });
  });

  it("converts currency to metal: the inverse, 6 decimals", () => {
    expect(ask("EUR", "XAU", "3442.752")).toMatchObject({ result: "1.000000", rate: "0.000290465302176863161" });
  });

  it("converts metal to metal: the ratio of spot prices, whatever the weight unit", () => {
    for (const unit of WEIGHT_UNITS) {
      expect(ask("XAU", "XAG", "1", unit)).toMatchObject({ rate: "78.111219512195122", result: "78.111220", unit });
    }
  });

  it("converts currency to currency through the dollar", () => {
    expect(ask("EUR", "JPY", "10")).toMatchObject({ rate: "181.627906976744186", result: "1816" });
    expect(ask("EUR", "EUR", "10")).toMatchObject({ rate: "1", result: "10.00" });
  });

  it("applies the weight unit to the metal side", () => {
    expect(ask("XAU", "USD", "31.1034768", "gram")).toMatchObject({ result: "4003.20" });
    expect(ask("XAU", "USD", "1", "kg")).toMatchObject({ result: "128705.87" });
    expect(ask("USD", "XAU", "4003.20", "gram")).toMatchObject({ result: "31.103477" });
    expect(ask("EUR", "JPY", "10", "kg")).toMatchObject({ result: "1816" });
  });

  it("rounds the result once, from the unrounded rate: a tie goes up", () => {
    // 1500 EUR at 1.95583 are exactly 2933.745 BGN, which a quotient of rounded rates would miss.
    expect(ask("EUR", "BGN", "1500")).toMatchObject({ rate: "1.95583", result: "2933.75" });
    const large = "123456789012345678901234567890";
    expect(ask("IDR", "IDR", large)).toMatchObject({ result: `${large}.00` });
  });

  it("accepts codes in any case and answers the canonical ones, and the amount without trailing zeros", () => {
    expect(ask("Xau", "eur", "002.500")).toMatchObject({ from: { code: "XAU" }, to: { code: "EUR" }, amount: "2.5" });
    expect(ask("XAU", "EUR", "100")).toMatchObject({ amount: "100" });
    expect(ask("XAU", "EUR", "0.10")).toMatchObject({ amount: "0.1" });
  });

  it.each([
    ["HG", "USD", "1", "oz", "unsupported_currency"],
    ["XAU", "AED", "1", "oz", "unsupported_currency"],
    ["constructor", "USD", "1", "oz", "unsupported_currency"],
    ["XAU", "", "1", "oz", "unsupported_currency"],
    ["XAU", "USD", "1", "ounce", "unsupported_unit"],
    ["EUR", "USD", "1", "tola", "unsupported_unit"],
    ["XAU", "USD", "0", "oz", "bad_request"],
    ["XAU", "USD", "0.000", "oz", "bad_request"],
    ["XAU", "USD", "-1", "oz", "bad_request"],
    ["XAU", "USD", "Infinity", "oz", "bad_request"],
    ["XAU", "USD", "-Infinity", "oz", "bad_request"],
    ["XAU", "USD", "NaN", "oz", "bad_request"],
    ["XAU", "USD", "1e3", "oz", "bad_request"],
    ["XAU", "USD", "", "oz", "bad_request"],
  ] as const)("refuses %s to %s, amount %j, unit %s: %s", (from, to, amount, unit, reason) => {
    expect(ask(from, to, amount, unit)).toEqual({ ok: false, reason });
  });

  it.each([
    ["XAG", "USD", [{ kind: "metal", code: "XAG" }]],
    ["USD", "XAG", [{ kind: "metal", code: "XAG" }]],
    ["XAU", "CHF", [{ kind: "currency", code: "CHF" }]],
    [
      "CHF",
      "XAG",
      [
        { kind: "currency", code: "CHF" },
        { kind: "metal", code: "XAG" },
      ],
    ],
    ["CHF", "CHF", [{ kind: "currency", code: "CHF" }]],
  ])("from %s to %s names the legs that are missing", (from, to, missing) => {
    const blind = convert(
      { from, to, amount: "1", unit: "oz" },
      (metal) => (metal === "XAG" ? null : "4000"),
      (currency) => (currency === "CHF" ? null : "1"),
    );
    expect(blind).toEqual({ ok: false, reason: "spot_unavailable", missing });
  });
});

describe("there and back", () => {
  const figure = fc
    .tuple(fc.integer({ min: 1, max: 99_999_999 }), fc.integer({ min: 0, max: 6 }))
    .map(([units, scale]) => new Decimal(units).div(new Decimal(10).pow(scale)).toFixed());
  const code = fc.constantFrom(...CONVERT_METALS, ...CURRENCIES);

  it("is one to within the 18 digits of both rates, for any two legs and any unit", () => {
    fc.assert(
      fc.property(code, code, figure, figure, fc.constantFrom(...WEIGHT_UNITS), (from, to, one, other, unit) => {
        const worth = (leg: string): string => (leg === from ? one : other);
        const rateOf = (a: string, b: string): Decimal => {
          const answer = convert({ from: a, to: b, amount: "1", unit }, worth, worth);
          if (!answer.ok) throw new Error(answer.reason);
          expect(answer.rate).toMatch(/^(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/);
          expect(answer.rate.replace(".", "").replace(/^0+/, "").length).toBeLessThanOrEqual(18 + trailingZeros(answer.rate));
          return dec(answer.rate);
        };
        expect(rateOf(from, to).mul(rateOf(to, from)).minus(1).abs().lte("1.1e-17")).toBe(true);
      }),
      { numRuns: 1500 },
    );
  });

  /** Trailing zeros of a whole number are magnitude, not significant digits. */
  const trailingZeros = (text: string): number => (text.includes(".") ? 0 : text.length - text.replace(/0+$/, "").length);

  it("agrees with decimal.js on every result", () => {
    fc.assert(
      fc.property(figure, figure, figure, fc.constantFrom(...WEIGHT_UNITS), (spot, rate, amount, unit) => {
        const answer = convert(
          { from: "XAU", to: "EUR", amount, unit },
          () => spot,
          () => rate,
        );
        const oracle = shown(dec(amount).mul(spot).mul(rate).mul(gramsPer(unit)).div("31.1034768"), 2);
        expect(answer).toMatchObject({ ok: true, result: oracle });
      }),
      { numRuns: 1500 },
    );
  });
});
