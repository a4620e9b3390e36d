/** What can be chosen on the market page. */
import { CURRENCIES, type Currency, type Metal } from "@assay/sdk";
import { computed } from "@preact/signals";
import type { Interval } from "../../charts/forming.ts";
import { choice } from "../../data/choices.ts";

/** Weights a price can be shown for. */
export const WEIGHTS = ["oz", "gram", "kg", "tola"] as const;
/** A weight a price can be shown for. */
export type Weight = (typeof WEIGHTS)[number];

/** The weights in words. */
export const WEIGHT_TEXT: Readonly<Record<Weight, string>> = {
  oz: "troy ounce",
  gram: "gram",
  kg: "kilogram",
  tola: "tola",
};

/** The metal, the currency, the weight, and the length of the bars. */
export const metal = choice<Metal>("", "metal", ["XAU", "XAG", "HG"], "XAU");
export const currency = choice<Currency>("", "currency", CURRENCIES, "USD");
export const weight = choice<Weight>("", "per", WEIGHTS, "oz");
export const interval = choice<Interval>("", "interval", ["1m", "5m", "15m", "30m", "1h", "2h", "4h", "1d"], "1d");

/** Silver and copper are priced in dollars. */
export const priced = computed<Currency>(() => (metal.value === "XAU" ? currency.value : "USD"));
/** Copper is priced by the pound, which no other weight is converted to. */
export const weighed = computed<Weight | "pound">(() => (metal.value === "HG" ? "pound" : weight.value));
/** The symbol of the price. */
export const symbol = computed(() => `${metal.value}-${priced.value}-SPOT` as const);
/** The series of the bars, in dollars. */
export const series = computed(() => `${metal.value}-USD-SPOT` as const);

/** A tola as the conversion route knows weights. */
const TOLA_GRAMS = "11.6638038";

/** The chosen weight as the conversion route is asked for it: rows do not have every weight. Copper is not converted. */
export const conversion = computed(
  () =>
    ({
      from: metal.value === "XAG" ? "XAG" : "XAU",
      to: priced.value,
      amount: weight.value === "tola" ? TOLA_GRAMS : "1",
      unit: weight.value === "kg" ? "kg" : weight.value === "oz" ? "oz" : "gram",
    }) as const,
);
