import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fraction } from "../number/exact.ts";
import { type Charge, type Piece, quotePiece, sumOfShown } from "./quote.ts";

const karat = (parts: number) => ({ numerator: BigInt(parts), denominator: 24n });
const fineness = (parts: number) => ({ numerator: BigInt(parts), denominator: 1_000n });
const piece = (more: Partial<Piece>): Piece => ({
  weight: "1",
  unit: "gram",
  purity: karat(24),
  side: "sell",
  taxOn: "all",
  ...more,
});

describe("a piece, by hand (docs/specs/counter.md)", () => {
  it("India: 22 karat by the tola, making 12 % of the metal, 3 % tax on all, whole rupees", () => {
    // 11.6638038 × 22/24 = 10.691820150; × 12,000 = 128,301.8418; 12 % 15,396.221016; 3 % of 143,698.062816 = 4,310.94188448
    const ring = piece({
      unit: "tola",
      purity: karat(22),
      making: { percent: "12" },
      taxPercent: "3",
      roundTo: "1",
    });
    expect(quotePiece(ring, "12000", 2)).toEqual({
      weightGrams: "11.6638038",
      fineWeightGrams: "10.691820",
      metalValue: "128301.84",
      margin: "0.00",
      making: "15396.22",
      charges: [],
      tax: "4310.94",
      total: "148009.00",
    });
  });

  it("the Emirates: making per gram, 5 % tax on making alone", () => {
    // 8 × 21/24 = 7 g × 480.25 = 3,361.75; making 8 × 22.5 = 180; tax 9
    const chain = piece({ weight: "8", purity: karat(21), making: { per_gram: "22.5" }, taxPercent: "5", taxOn: "making" });
    expect(quotePiece(chain, "480.25", 2)).toMatchObject({
      metalValue: "3361.75",
      making: "180.00",
      tax: "9.00",
      total: "3550.75",
    });
  });

  it("Switzerland: margin, 8.1 % tax, to the next five centimes", () => {
    // 4.25 × 0.75 = 3.1875 g × 104.10 = 331.81875; 3 % 9.9545625; 8.1 % of 341.7733125 = 27.6836383125; 369.4569508125
    const ring = piece({ weight: "4.25", purity: fineness(750), marginPercent: "3", taxPercent: "8.1", roundTo: "0.05" });
    expect(quotePiece(ring, "104.10", 2)).toMatchObject({
      metalValue: "331.82",
      margin: "9.95",
      tax: "27.68",
      total: "369.45",
    });
  });

  it("Kuwait: three decimals", () => {
    // 10 × 18/24 = 7.5 g × 41.1234567 = 308.42592525
    expect(quotePiece(piece({ weight: "10", purity: karat(18) }), "41.1234567", 3).total).toBe("308.426");
  });

  it("Japan, buying scrap: no decimals, and the margin is taken off", () => {
    // 12.34 × 0.585 = 7.2189 g × 21,543 = 155,516.7627; 8 % 12,441.341016; 143,075.421684
    const scrap = piece({ weight: "12.34", purity: fineness(585), side: "buy", marginPercent: "8" });
    expect(quotePiece(scrap, "21543", 0)).toEqual({
      weightGrams: "12.34",
      fineWeightGrams: "7.218900",
      metalValue: "155517",
      margin: "-12441",
      making: "0",
      charges: [],
      tax: "0",
      rounding: "-1",
      total: "143075",
    });
  });

  it("scrap that is melted and assayed: charges, and the tax on them, are taken off the payout", () => {
    // 10 × 0.75 = 7.5 g × 100 = 750; 6 % 45; 10 × 0.4 = 4; 10 % of −4 is −0.4
    const scrap = piece({ weight: "10", purity: fineness(750), side: "buy", marginPercent: "6", making: { per_gram: "0.4" } });
    expect(quotePiece({ ...scrap, taxPercent: "10", taxOn: "making" }, "100", 2)).toMatchObject({
      metalValue: "750.00",
      margin: "-45.00",
      making: "-4.00",
      tax: "-0.40",
      total: "700.60",
    });
  });
});

describe("the total", () => {
  it("is the rounded exact sum, not the sum of the rounded lines", () => {
    const lines = quotePiece(piece({ weight: "1", marginPercent: "50", making: { fixed: "0.004" } }), "0.004", 2);
    // 0.004 + 0.002 + 0.004 = 0.010
    expect(lines).toMatchObject({ metalValue: "0.00", margin: "0.00", making: "0.00", rounding: "0.01", total: "0.01" });
  });

  it.each([
    ["0.05", "1.025", "1.05"],
    ["0.05", "1.0249999", "1.00"],
    ["5", "12.5", "15.00"],
    ["0.001", "1.2345", "1.235"],
    ["0.25", "0.125", "0.25"],
  ])("to %s: %s is %s", (roundTo, weight, total) => {
    expect(quotePiece(piece({ weight, roundTo }), "1", 2).total).toBe(total);
  });
});

/** As shops' programs and plugins compute: each figure by hand, as fractions. */
describe("charges", () => {
  const hallmark: Charge = { name: "hallmark", addition: { fixed: "45" }, of: "metal", taxPercent: "18" };
  const charge = (name: string, addition: Charge["addition"], more: Partial<Charge> = {}): Charge => ({
    name,
    addition,
    of: "metal",
    ...more,
  });
  const rows: [string, Partial<Piece>, string, number, Record<string, unknown>][] = [
    [
      "India: wastage in percent, making per gram, a hallmark with a tax of its own, stones, 3 % on the rest, whole rupees",
      {
        weight: "8.5",
        purity: karat(22),
        making: { per_gram: "650" },
        charges: [charge("wastage", { percent: "4" }), hallmark, charge("stones", { fixed: "2400" })],
        taxPercent: "3",
        roundTo: "1",
      },
      "13150",
      2,
      {
        metalValue: "102460.42",
        making: "5525.00",
        charges: [
          { name: "wastage", amount: "4098.42" },
          { name: "hallmark", amount: "45.00", tax: "8.10" },
          { name: "stones", amount: "2400.00" },
        ],
        tax: "3442.62",
        rounding: "-0.46",
        total: "117971.00",
      },
    ],
    [
      "a web shop's plugin: profit in percent of metal and making together, 20 % on all",
      {
        weight: "5.2",
        purity: fineness(750),
        making: { fixed: "60" },
        charges: [charge("profit", { percent: "15" }, { of: "running" })],
        taxPercent: "20",
      },
      "111.25",
      2,
      { metalValue: "433.88", charges: [{ name: "profit", amount: "74.08" }], tax: "113.59", total: "681.55" },
    ],
    [
      "Turkey: labour in percent of the metal, taxed alone",
      {
        weight: "10.37",
        purity: fineness(916),
        charges: [charge("labour", { percent: "6" }, { taxPercent: "20" })],
        taxOn: "none",
      },
      "5630.4",
      2,
      { charges: [{ name: "labour", amount: "3208.96", tax: "641.79" }], tax: "641.79", total: "57333.47" },
    ],
    [
      "America: a coin's premium, and a card's fee on the sum",
      {
        weight: "31.1034768",
        charges: [charge("premium", { fixed: "65" }), charge("card", { percent: "4" }, { of: "running" })],
        taxOn: "none",
      },
      "132.5",
      2,
      { metalValue: "4121.21", charges: [{ amount: "65.00" }, { amount: "167.45" }], tax: "0.00", total: "4353.66" },
    ],
    [
      "Britain: margin, making per gram, a hallmark, design in percent of metal and margin, 20 % on all",
      {
        weight: "4.1",
        purity: fineness(375),
        marginPercent: "45",
        making: { per_gram: "8" },
        charges: [charge("hallmark", { fixed: "2.10" }), charge("design", { percent: "5" }, { of: "metal_and_margin" })],
        taxPercent: "20",
      },
      "101.9",
      2,
      { margin: "70.50", making: "32.80", charges: [{ amount: "2.10" }, { amount: "11.36" }], tax: "54.69", total: "328.12" },
    ],
    [
      "scrap bought: refining in percent of what is left, and an assay with its tax, are taken off",
      {
        weight: "12.34",
        purity: fineness(585),
        side: "buy",
        marginPercent: "6",
        making: { per_gram: "0.40" },
        charges: [
          charge("refining", { percent: "1.5" }, { of: "running" }),
          charge("assay", { fixed: "15" }, { taxPercent: "20" }),
        ],
      },
      "100",
      2,
      { charges: [{ amount: "-10.10" }, { amount: "-15.00", tax: "-3.00" }], tax: "-3.00", total: "645.54" },
    ],
    [
      "Kuwait: labour per gram, three decimals",
      { weight: "10", purity: karat(18), charges: [charge("labour", { per_gram: "1.250" })] },
      "41.1234567",
      3,
      { charges: [{ amount: "12.500" }], total: "320.926" },
    ],
    [
      "Japan: a bar's fee with its tax, no decimals",
      { weight: "20", charges: [charge("bar fee", { fixed: "5500" }, { taxPercent: "10" })], taxPercent: "10" },
      "21543",
      0,
      { charges: [{ amount: "5500", tax: "550" }], tax: "43636", total: "479996" },
    ],
  ];
  it.each(rows)("%s", (_, given, price, decimals, lines) => {
    const quoted = quotePiece(piece(given), price, decimals);
    expect(quoted).toMatchObject(lines);
    const { metalValue, margin, making, charges, tax, rounding = "0", total } = quoted;
    expect(sumOfShown([metalValue, margin, making, ...charges.map(({ amount: each }) => each), tax, rounding], decimals)).toBe(
      total,
    );
  });
});

/** An oracle of its own: integers over one common denominator. */
interface Whole {
  readonly n: bigint;
  readonly d: bigint;
}
const whole = (text: string): Whole => {
  const [int = "0", frac = ""] = text.replace("-", "").split(".");
  return { n: BigInt(int + frac), d: 10n ** BigInt(frac.length) };
};
const half = (value: Whole, decimals: number): string => {
  const scaled = value.n * 10n ** BigInt(decimals);
  const negative = scaled < 0n;
  const size = negative ? -scaled : scaled;
  const units = (2n * size + value.d) / (2n * value.d);
  const digits = units.toString().padStart(decimals + 1, "0");
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return negative && units !== 0n ? `-${text}` : text;
};

const amount = (max: number, decimals: number) =>
  fc
    .tuple(fc.integer({ min: 0, max }), fc.integer({ min: 0, max: 10 ** decimals - 1 }))
    .map(([int, frac]) => `${int}.${String(frac).padStart(decimals, "0")}`);

const RUNS = process.env["TEST_DEPTH"] === "deep" ? 1_000_000 : 20_000;

it(`agrees with plain integers to the last digit, in ${RUNS} pieces`, () => {
  fc.assert(
    fc.property(
      fc.record({
        weight: amount(5_000, 3),
        karat: fc.integer({ min: 1, max: 24 }),
        price: amount(20_000, 6),
        margin: amount(40, 2),
        making: amount(90, 2),
        makingKind: fc.constantFrom("per_gram", "percent", "fixed"),
        tax: amount(30, 2),
        taxOn: fc.constantFrom("all" as const, "making" as const, "none" as const),
        side: fc.constantFrom("sell" as const, "buy" as const),
        decimals: fc.constantFrom(0, 2, 3),
      }),
      ({ weight, karat: parts, price, margin, making, makingKind, tax, taxOn, side, decimals }) => {
        const quoted = quotePiece(
          piece({
            weight,
            purity: karat(parts),
            side,
            marginPercent: margin,
            // One of three keys, which the type cannot see.
            making: { [makingKind]: making } as unknown as NonNullable<Piece["making"]>,
            taxPercent: tax,
            taxOn,
          }),
          fraction(price),
          decimals,
        );
        const [w, p, m, k, t] = [weight, price, margin, making, tax].map(whole) as [Whole, Whole, Whole, Whole, Whole];
        // Over one denominator, in units of 1 / D.
        const D = 24n * 10n ** 24n;
        const at = (n: bigint, d: bigint): bigint => (n * D) / d;
        const value = at(w.n * p.n * BigInt(parts), w.d * p.d * 24n);
        const sign = side === "sell" ? 1n : -1n;
        const marginUnits = (sign * value * m.n) / (m.d * 100n);
        const makingUnits =
          sign *
          (makingKind === "per_gram"
            ? at(w.n * k.n, w.d * k.d)
            : makingKind === "percent"
              ? (value * k.n) / (k.d * 100n)
              : at(k.n, k.d));
        const base = taxOn === "all" ? value + marginUnits + makingUnits : taxOn === "making" ? makingUnits : 0n;
        const taxUnits = (base * t.n) / (t.d * 100n);
        const shown = (units: bigint): string => half({ n: units, d: D }, decimals);
        const { weightGrams, charges, rounding = "0", ...lines } = quoted;
        expect(charges).toEqual([]);
        expect(Number(weightGrams)).toBe(Number(weight));
        expect(sumOfShown([lines.metalValue, lines.margin, lines.making, lines.tax, rounding], decimals)).toBe(lines.total);
        expect(lines).toEqual({
          fineWeightGrams: half({ n: w.n * BigInt(parts), d: w.d * 24n }, 6),
          metalValue: shown(value),
          margin: shown(marginUnits),
          making: shown(makingUnits),
          tax: shown(taxUnits),
          total: shown(value + marginUnits + makingUnits + taxUnits),
        });
      },
    ),
    { numRuns: RUNS },
  );
}, 300_000);

describe("the sum of shown amounts", () => {
  it("adds what a bill shows, with the decimals of the finest", () => {
    expect(sumOfShown(["1.05", "-0.05", "2.005"], 2)).toBe("3.005");
    expect(sumOfShown([], 3)).toBe("0.000");
  });
});
