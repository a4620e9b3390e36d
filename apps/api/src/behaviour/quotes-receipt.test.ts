/** A bill's receipt says all that its figures are made of: they are computed again here, from the receipt alone. */
import type { AssayContract, OutputOf } from "@assay/contract";
import { FRIDAY_MS, makeRates, makeTick } from "@assay/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";

type Bill = OutputOf<AssayContract["quotes"]["create"]>;
type Item = Bill["items"][number];

// The program: fractions of integers, and what stands in the receipt. It knows no unit, metal or currency.
type Ratio = readonly [over: bigint, under: bigint];
const NIL: Ratio = [0n, 1n];
const read = (text: string): Ratio => [BigInt(text.replace(".", "")), 10n ** BigInt(text.split(".")[1]?.length ?? 0)];
const times = (...all: readonly Ratio[]): Ratio => all.reduce(([a, b], [c, d]): Ratio => [a * c, b * d], [1n, 1n]);
const plus = (...all: readonly Ratio[]): Ratio => all.reduce(([a, b], [c, d]): Ratio => [a * d + c * b, b * d], NIL);
const over = ([a, b]: Ratio, [c, d]: Ratio): Ratio => [a * d, b * c];
const percent = (of: Ratio, text = "0"): Ratio => times(of, read(text), [1n, 100n]);
/** To the nearest step, half away from zero, and written with the decimals of the figure it is compared with. */
const shown = ([a, b]: Ratio, like: string, step?: string): string => {
  const decimals = like.split(".")[1]?.length ?? 0;
  const [n, d] = step === undefined ? ([1n, 10n ** BigInt(decimals)] as const) : read(step);
  const size = ((2n * (a < 0n ? -a : a) * d + b * n) / (2n * b * n)) * n * 10n ** BigInt(decimals);
  const digits = String(size / d).padStart(decimals + 1, "0");
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return a < 0n && /[1-9]/.test(text) ? `-${text}` : text;
};
const recomputed = (item: Item, prices: Bill["prices"]) => {
  const { asked, weight_grams: grams = "", metal_value: like = "", total = "" } = item;
  const price = prices.find(({ metal, side }) => metal === item.metal && side === item.side);
  if (!asked || !price) throw new Error("the receipt lacks a price or what was asked");
  const purity: Ratio = asked.karat === undefined ? [1n, 1n] : [BigInt(asked.karat), 24n];
  const fine = times(read(grams), asked.fineness === undefined ? purity : times(read(asked.fineness), [1n, 1_000n]));
  const gram = over(times(read(price.price_usd), read(price.fx_rate)), read(price.unit_grams));
  const value = times(fine, gram);
  const sign: Ratio = item.side === "buy" ? [-1n, 1n] : [1n, 1n];
  const added = ({ per_gram, percent: share, fixed = "0" }: NonNullable<typeof asked.making>, of: Ratio): Ratio =>
    times(sign, per_gram ? times(read(per_gram), read(grams)) : share ? percent(of, share) : read(fixed));
  const margin = times(sign, percent(value, asked.margin_percent));
  const making = added(asked.making ?? {}, value);
  let [running, taxable, own] = [plus(value, margin, making), plus(value, margin, making), NIL];
  const charges = (asked.charges ?? []).map((charge) => {
    const amount = added(charge, { metal: value, metal_and_margin: plus(value, margin), running }[charge.of ?? "metal"]);
    const tax = percent(amount, charge.tax_percent);
    running = plus(running, amount);
    if (charge.tax_percent === undefined) taxable = plus(taxable, amount);
    own = plus(own, tax);
    return {
      name: charge.name,
      amount: shown(amount, like),
      ...(charge.tax_percent !== undefined && { tax: shown(tax, like) }),
    };
  });
  const base = { all: taxable, making, none: NIL }[asked.tax_on];
  const tax = plus(percent(base, asked.tax_percent), own);
  const lines = {
    metal_value: shown(value, like),
    margin: shown(margin, like),
    making: shown(making, like),
    tax: shown(tax, like),
  };
  const sum = shown(plus(running, tax), total, asked.round_to);
  const all = [...Object.values(lines), ...charges.map(({ amount }) => amount)];
  const rounding = shown(plus(read(sum), ...all.map((line) => times([-1n, 1n], read(line)))), total);
  return { ...lines, ...(asked.charges && { charges }), total: sum, ...(/[1-9]/.test(rounding) && { rounding }) };
};
// The end of the program.

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await app.publish({
    ticks: [
      makeTick(1, { price: "4003.2075", bid: "4003.005", ask: "4003.41" }),
      makeTick(1, { computedAtMs: FRIDAY_MS - 9_000, instrument: "XAG-USD-SPOT", price: "52.125" }),
    ],
    // Of a euro, as its bank publishes them: units for one dollar have no end.
    fx: [makeRates({ base: "EUR", rates: { USD: "1.1537", JPY: "178.91", KWD: "0.3541", INR: "102.7" } })],
  });
});
afterAll(() => app.close());

const SIDES = ["sell", "buy"];
const PURITIES = [{}, { karat: 22 }, { karat: 14 }, { fineness: 585 }, { fineness: "999.9" }];
const MAKINGS = [{}, { making: { per_gram: "12.505" } }, { making: { percent: "9.3" } }, { making: { fixed: "40" } }];
const TAXES = [{}, { tax_percent: "8.1" }, { tax_percent: "21", tax_on: "making" }, { tax_percent: "3", tax_on: "none" }];
const CHARGES = [
  {},
  {
    charges: [
      { name: "wastage", percent: "4.5" },
      { name: "hallmark", fixed: "2.105", tax_percent: "18" },
      { name: "fee", percent: "1.25", of: "running" },
    ],
  },
  {
    charges: [
      { name: "stones", per_gram: "3.333", tax_percent: "0" },
      { name: "design", percent: "5", of: "metal_and_margin" },
    ],
  },
];
const ROUNDINGS = [{}, { round_to: "0.05" }, { round_to: "1" }];
const UNITS = ["gram", "oz", "tola"];

/** Pieces in every combination of a side with a purity, a making, a tax and a rounding. */
const PIECES = SIDES.flatMap((side) =>
  PURITIES.flatMap((purity, a) =>
    MAKINGS.flatMap((making, b) =>
      TAXES.flatMap((tax, c) =>
        ROUNDINGS.map((rounding, d) => ({
          id: `${side}-${a}${b}${c}${d}`,
          metal: a < 3 || b > 1 ? "XAU" : "XAG",
          weight: `${a * 7 + b + 1}.${c}${d}5`,
          unit: UNITS[(a + b + c + d) % 3],
          side,
          margin_percent: `${a + c}.${d}`,
          ...{ ...purity, ...making, ...CHARGES[(b + c + d) % CHARGES.length], ...tax, ...rounding },
        })),
      ),
    ),
  ),
);

test.each(["EUR", "USD", "JPY", "INR"])("a receipt in %s is computed again from itself, to the last digit", async (currency) => {
  const { key } = await app.key("pro");
  const { text } = await app.ask("/v1/quotes?format=jws", { method: "POST", key, body: { currency, items: PIECES } });
  const { body } = JSON.parse(Buffer.from(text.split(".")[1] ?? "", "base64url").toString()) as { body: Bill }; // a test's own
  expect(body.items.map(({ id }) => id)).toEqual(PIECES.map(({ id }) => id));
  for (const item of body.items) {
    const { metal_value, margin, making, charges, tax, rounding, total } = item;
    const said = {
      metal_value,
      margin,
      making,
      ...(charges && { charges }),
      tax,
      ...(rounding !== undefined && { rounding }),
      total,
    };
    expect(said, item.id).toEqual(recomputed(item, body.prices));
  }

  const { sell, buy, due } = body.totals;
  const add = (like: string, texts: readonly (string | undefined)[]): string =>
    shown(plus(...texts.map((each = "0") => read(each))), like);
  for (const [side, sums] of [["sell", sell] as const, ["buy", buy] as const]) {
    const pieces = body.items.filter((item) => item.side === side);
    for (const [sum, line] of [
      [sums.metal_value, "metal_value"],
      [sums.margin, "margin"],
      [sums.tax, "tax"],
      [sums.rounding ?? "0", "rounding"],
      [sums.total, "total"],
    ] as const) {
      expect(
        add(
          sum,
          pieces.map((item) => item[line]),
        ),
        `${side} ${line}`,
      ).toBe(sum);
    }
    const charged = pieces.flatMap(({ making, charges = [] }) => [making, ...charges.map(({ amount }) => amount)]);
    expect(add(sums.charges, charged), side).toBe(sums.charges);
    expect(add(sums.total, [sums.metal_value, sums.margin, sums.charges, sums.tax, sums.rounding])).toBe(sums.total);
  }
  expect(add(due, [sell.total, `-${buy.total}`])).toBe(due);
});

test("charges on what is bought, and the tax on them, are taken off the payout", async () => {
  const scrap = { metal: "XAU", weight: "31.1034768", unit: "gram", side: "buy", making: { fixed: "40" } };
  const body = { currency: "USD", items: [{ ...scrap, tax_percent: "10", tax_on: "making" }] };
  const { json } = await app.ask("/v1/quotes", { method: "POST", key: (await app.key("pro")).key, body });
  expect(json.items[0]).toMatchObject({ metal_value: "4003.01", making: "-40.00", tax: "-4.00", total: "3959.01" });
  expect(json.totals).toMatchObject({ buy: { charges: "-40.00", total: "3959.01" }, due: "-3959.01" });
});
