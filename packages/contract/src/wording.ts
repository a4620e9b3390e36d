/** Phrases about the running catalogue, for descriptions and messages. */
import { catalogue, type MetalRow } from "@assay/catalogue";
import { TIER_NAMES, tierTitle } from "./tiers.ts";
import { BAR_SYMBOLS, CONVERT_METALS, CURRENCIES, FUTURES_METALS, FUTURES_SYMBOLS, WEIGHT_UNITS } from "./values.ts";

/** Words in a sentence: `a, b and c`. */
export const inWords = (words: readonly string[], join: "and" | "or" = "and"): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${join} ${words.at(-1)}`;

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
const names = (metals: readonly MetalRow[]): string[] => metals.map(({ name }) => name);

const { spotMetals } = catalogue;
const everywhere = spotMetals.filter(({ quoted_in }) => quoted_in === "all");
const inDollars = spotMetals.filter(({ quoted_in }) => quoted_in !== "all");
const convertible = spotMetals.filter((metal) => metal.convertible);
const withSurface = spotMetals.filter(({ surface }) => surface !== null);
const withFutures = spotMetals.filter(({ futures }) => futures !== null);

/** `31 currencies` */
export const CURRENCY_COUNT = `${CURRENCIES.length} currencies`;
/** `gold, silver and copper` */
export const METAL_NAMES = inWords(names(spotMetals));
/** `gold, silver or copper` */
export const METAL_NAME_CHOICE = inWords(names(spotMetals), "or");
/** `GC, SI or HG` */
export const PRODUCT_CHOICE = inWords(FUTURES_SYMBOLS, "or");
/** `gold (GC), silver (SI) or copper (HG)` */
export const PRODUCT_NAME_CHOICE = inWords(
  withFutures.map(({ name, futures }) => `${name} (${futures?.product})`),
  "or",
);
/** `gold, silver and copper`, as far as they have futures */
export const FUTURES_NAMES = inWords(names(withFutures));
/** `gold, silver or copper`, as far as they have futures */
export const FUTURES_NAME_CHOICE = inWords(names(withFutures), "or");
/** `XAU, XAG or HG`, as far as they have futures */
export const FUTURES_METAL_CHOICE = inWords(FUTURES_METALS, "or");
/** `oz, gram or kg` */
export const UNIT_CHOICE = inWords(WEIGHT_UNITS, "or");
/** `XAU, XAG` */
export const CONVERT_METAL_LIST = CONVERT_METALS.join(", ");
/** `gold, silver` */
export const CONVERT_NAME_LIST = names(convertible).join(", ");
/** `gold (XAU), silver (XAG)` */
export const CONVERT_CODED_LIST = convertible.map(({ name, code }) => `${name} (${code})`).join(", ");
/** `gold and silver`, as far as they have probability surfaces */
export const SURFACE_NAMES = inWords(names(withSurface));
/** `gold or silver` */
export const SURFACE_NAME_CHOICE = inWords(names(withSurface), "or");
/** `XAU-USD-SPOT, XAG-USD-SPOT, …, GC, SI, HG, GLD`, and how they may be written */
export const SERIES_LIST = `in dash or slash form (XAU-USD-SPOT, XAU/USD): ${BAR_SYMBOLS.join(", ")}`;
/** `pound for HG, otherwise troy_ounce` */
export const PRICE_UNIT_RULE = [
  ...spotMetals.flatMap(({ code, unit }) => (unit === spotMetals[0]?.unit ? [] : [`${unit} for ${code}`])),
  `otherwise ${spotMetals[0]?.unit}`,
].join(", ");

/** `gold in the 31 currencies, silver and copper in USD` */
export const QUOTING = [
  `${inWords(names(everywhere))} in the ${CURRENCY_COUNT}`,
  ...(inDollars.length === 0 ? [] : [`${inWords(names(inDollars))} in USD`]),
].join(", ");
/** `Gold is priced in 31 currencies (XAU-EUR-SPOT), silver and copper in USD.` */
export const QUOTING_SENTENCE = [
  `${capital(inWords(names(everywhere)))} ${everywhere.length === 1 ? "is" : "are"} priced in ${CURRENCY_COUNT} (XAU-EUR-SPOT)`,
  ...(inDollars.length === 0 ? [] : [`${inWords(names(inDollars))} in USD`]),
]
  .join(", ")
  .concat(".");

/** `XAG and HG need Pro.` */
export const METAL_TIERS = TIER_NAMES.filter((tier) => tier !== "free")
  .flatMap((tier) => {
    const codes = spotMetals.filter((metal) => metal.tier === tier).map(({ code }) => code);
    return codes.length === 0 ? [] : [`${inWords(codes)} ${codes.length === 1 ? "needs" : "need"} ${tierTitle(tier)}.`];
  })
  .join(" ");
