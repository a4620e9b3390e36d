/** What can be chosen on the market page, and what follows from it. */
import { computed } from "@preact/signals";
import type { Interval } from "../../charts/forming.ts";
import { codesOf, dollarSymbol, GOLD, isConvertUnit, METALS, metalOf, UNITS, unitOf } from "../../data/catalogue.ts";
import { choice, currency, weight } from "../../data/choices.ts";

/** The metal, and the length of the bars. */
export const metal = choice("", "metal", codesOf(METALS), GOLD);
export const interval = choice<Interval>("", "interval", ["1m", "5m", "15m", "30m", "1h", "2h", "4h", "1d"], "1d");

const chosen = computed(() => metalOf(metal.value));
const gramsOf = (code: string): string | undefined => unitOf(code)?.grams;

/** The weight that the metal's own prices are for, in grams. */
export const ownGrams = computed(() => gramsOf(chosen.value.unit) ?? "1");
/** Whether there is a row of prices in every currency, or in dollars only. */
export const isInAll = computed(() => chosen.value.quoted_in === "all");
/** Whether it is priced in the reader's currency and weight: all are but what no route converts. */
export const isConvertible = computed(() => isInAll.value || chosen.value.convertible);
export const hasKarats = computed(() => chosen.value.karats);
/** The purities it is traded in, in parts of 1000. */
export const finenesses = computed(() => chosen.value.finenesses);
export const priced = computed(() => (isConvertible.value ? currency.value : "USD"));

/** Units of prices and of conversions have names of their own: the troy ounce is one weight with two codes. */
const isPriceUnit = (code: string): boolean => gramsOf(code) === ownGrams.value;

/** Weights to choose from: one of each. */
const WEIGHTS = UNITS.filter(({ grams }, place) => UNITS.findIndex((other) => other.grams === grams) === place);

/** The weights that the metal can be shown for. */
export const weights = computed(() => (isConvertible.value ? codesOf(WEIGHTS) : [chosen.value.unit]));
export const weighed = computed(() =>
  isConvertible.value
    ? (WEIGHTS.find(({ grams }) => grams === gramsOf(weight.value))?.code ?? chosen.value.unit)
    : chosen.value.unit,
);
export const grams = computed(() => gramsOf(weighed.value) ?? ownGrams.value);
/** Whether that is the price's own unit, which ticks are for. */
export const isOwnWeight = computed(() => isPriceUnit(weighed.value));

/** The symbol of the row: in the reader's currency where there is one. */
export const symbol = computed(() => `${metal.value}-${isInAll.value ? priced.value : "USD"}-SPOT`);
/** Whether the row is in the currency that is shown. */
export const isInRow = computed(() => isInAll.value || priced.value === "USD");
/** Whether a row has the price that is shown; otherwise it is a conversion. */
export const isPublished = computed(() => isInRow.value && (isOwnWeight.value || (weighed.value === "gram" && hasKarats.value)));
/** The series of the bars, in dollars. */
export const series = computed(() => dollarSymbol(metal.value));
/** The series of daily closes in the reader's currency. */
export const cross = computed(() => `${metal.value}-${priced.value}-SPOT`);
/** Whether the chart is of bars, which are in dollars and for the metal's own weight. */
export const isInBars = computed(() => priced.value === "USD" && isOwnWeight.value);

/** The chosen weight as the conversion route is asked for it: the route does not know every unit. */
export const conversion = computed(() => {
  const unit = unitOf(weighed.value);
  const isKnown = unit === undefined || isConvertUnit(unit);
  return {
    from: chosen.value.convertible ? metal.value : GOLD,
    to: priced.value,
    amount: isKnown ? "1" : unit.grams,
    unit: isKnown ? weighed.value : "gram",
  };
});
