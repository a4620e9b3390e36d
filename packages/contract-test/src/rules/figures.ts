/** What the figures of one object say of each other: which is never above which, and which is made of others. */
import { CURRENCIES, GRAM_FIELDS, KARATS } from "@assay/contract";
import { Decimal, METAL_DECIMALS, minorUnits } from "@assay/pricing";
import { fieldsOf } from "../wire/exchange.ts";
import { figureIn, GRAMS_PER_OZT, halfUlp, halfUp, ofRows, pricePlaces } from "./row.ts";
import type { AnswerObject, Rule } from "./rule.ts";

/** Pairs of fields of one object, where the first is never above the second. */
const ORDERED: readonly (readonly [low: string, high: string])[] = [
  ["bid", "price"],
  ["price", "ask"],
  ["low", "open"],
  ["low", "close"],
  ["open", "high"],
  ["close", "high"],
  ["low_price", "high_price"],
  ["low_price", "open_price"],
  ["open_price", "high_price"],
  ["median", "p99"],
  ["present", "expected"],
  ["accepted", "received"],
];

const ordered = ofRows("figures agree", "bid ≤ price ≤ ask, low ≤ open, close ≤ high; no part is above its whole", (row) => {
  const pairs = ORDERED.flatMap(([lower, upper]) => {
    const [low, high] = [figureIn(row, lower), figureIn(row, upper)];
    return low && high ? [low.gt(high) ? `${lower} is above ${upper}` : ""] : [];
  });
  return pairs.length === 0 ? null : pairs.filter((fault) => fault !== "");
});

/** A figure that two others of its object make; of those that are shown rounded, the exact ones are not known. */
interface Made {
  readonly field: string;
  readonly of: readonly [one: string, other: string];
  readonly isOfRounded?: true;
  readonly from: (one: Decimal, other: Decimal) => Decimal;
}

const minus = (one: Decimal, other: Decimal): Decimal => one.minus(other);

const MADE: readonly Made[] = [
  { field: "ratio", of: ["numerator_close", "denominator_close"], from: (one, other) => one.div(other) },
  { field: "result", of: ["amount", "rate"], from: (one, other) => one.mul(other) },
  { field: "change_value", of: ["settlement_price", "prior_settlement"], isOfRounded: true, from: minus },
  { field: "ch", of: ["price", "prev_close_price"], isOfRounded: true, from: minus },
  { field: "chp", of: ["price", "prev_close_price"], isOfRounded: true, from: (one, other) => one.div(other).minus(1).mul(100) },
];

/** A rate has up to 18 significant digits. */
const RATE_ERROR = new Decimal("4e-17");

const madeFaults = (row: AnswerObject, { field, of, isOfRounded, from }: Made): string[] | null => {
  const [shown, one, other] = [field, ...of].map((name) => figureIn(row, name));
  if (!shown || !one || !other) return null;
  const around = (name: string, figure: Decimal): Decimal[] =>
    isOfRounded ? [figure.minus(halfUlp(row, name)), figure.plus(halfUlp(row, name))] : [figure];
  const made = around(of[0], one).flatMap((a) => around(of[1], other).map((b) => from(a, b)));
  const exact = from(one, other);
  const error = halfUlp(row, field).plus(exact.abs().mul(RATE_ERROR));
  const isMade = shown.gte(Decimal.min(...made).minus(error)) && shown.lte(Decimal.max(...made).plus(error));
  return isMade ? [] : [`${field} is ${shown}, and ${of.join(" and ")} make ${exact.toSignificantDigits(12)}`];
};

/** What is wrong with each of the figures that an object can have; null when it has none. */
const each = (judged: readonly (string[] | null)[]): string[] | null =>
  judged.every((faults) => faults === null) ? null : judged.flatMap((faults) => faults ?? []);

const made = ofRows(
  "figures are made of those beside them",
  "a ratio is the quotient of its closes, a change the difference, a result amount × rate",
  (row) => each(MADE.map((it) => madeFaults(row, it))),
);

/** Decimals of a conversion's result, by the code of a currency or a metal. */
const placesOf = (code: unknown): number => {
  const currency = CURRENCIES.find((other) => other === code);
  return currency === undefined ? METAL_DECIMALS : minorUnits(currency);
};

/** Digits of a result below the last of its decimals. */
const SMALL_DIGITS = 4;

const places = ofRows("decimals of a result", "a result has the decimals of its currency or metal, or four digits", (row) => {
  const result = figureIn(row, "result");
  if (!result || typeof row.to !== "string") return null;
  const most = placesOf(row.to);
  const isSmall = result.lt(new Decimal(10).pow(-most)) && result.precision() <= SMALL_DIGITS;
  return isSmall || result.decimalPlaces() <= most ? [] : [`${row.to} has ${result.decimalPlaces()} decimals, not ${most}`];
});

const gramOf = (perOunce: Decimal, index: number): Decimal =>
  perOunce
    .mul(KARATS[index] ?? 0)
    .div(24)
    .div(GRAMS_PER_OZT);

/** The figures that are made of an exact price: of one that is shown in dollars with every digit, and its rate. */
const partFaults = (row: AnswerObject): string[] | null => {
  const dollars = figureIn(row, "price_usd");
  const rate = row.fx_rate === undefined ? new Decimal(1) : figureIn(row, "fx_rate");
  if (!dollars || !rate) return null;
  const exact = dollars.mul(rate);
  const figures = [
    ["price", halfUp(exact, pricePlaces(exact))] as const,
    ...GRAM_FIELDS.map((field, index) => [field, halfUp(gramOf(exact, index), 4)] as const),
  ];
  return figures.flatMap(([field, from]) => {
    const shown = figureIn(row, field);
    return shown === null || shown.eq(from) ? [] : [`${field} is ${shown}, and ${dollars} × ${rate} makes ${from}`];
  });
};

/** Prices of karats without the exact price: each is its share of the purest. */
const karatFaults = (row: AnswerObject): string[] | null => {
  const pure = figureIn(row, "price_gram_24k");
  if (!pure) return null;
  return GRAM_FIELDS.flatMap((field, index) => {
    const shown = figureIn(row, field);
    const share = pure.mul(KARATS[index] ?? 0).div(24);
    return shown === null || shown.minus(share).abs().lte("0.0001") ? [] : [`${field} is ${shown}, its share of 24k ${share}`];
  });
};

const parts = ofRows(
  "price × rate",
  "price_usd × fx_rate, rounded once, is the price to its last digit; a gram of a karat is its share of it / 31.1034768",
  (row) => each([partFaults(row), karatFaults(row)]),
);

/** A row's series: of bars in a list, that of the answer. */
const volume = ofRows("volume", "spot has no volume: it is null", (row) => {
  const rows = [row.bars, row.bar, row.series].flat().map(fieldsOf);
  if (!/-SPOT$/.test(String(row.symbol)) || !rows.some((bar) => "volume" in bar)) return null;
  return rows.flatMap(({ volume: said }) => (said === null || said === undefined ? [] : [`the volume of spot is ${said}`]));
});

const stale = ofRows("a stale price says why", "a row has a stale_reason when it is stale, and only then", (row) => {
  const { contract_type: type, is_stale: isStale, stale_reason: reason } = row;
  if (type === undefined || typeof isStale !== "boolean") return null;
  return isStale === (reason !== undefined) ? [] : [`is_stale is ${isStale}, and the reason ${String(reason)}`];
});

/** Those that follow from one answer alone. */
export const FIGURES: readonly Rule[] = [ordered, made, places, parts, volume, stale];
