/** What the documents say beyond the declarations: of the service, of who may call a route, and the names of value lists. */

import { COUNTER_CURRENCIES } from "./bill.ts";
import { needsKey } from "./keyless.ts";
import type { Route } from "./route.ts";
import { SURFACE_FLAGS, SURFACE_METALS } from "./routes/surface.ts";
import { latenessOf, TIER_NAMES, type TierName, tierTitle } from "./tiers.ts";
import {
  BAR_SYMBOLS,
  CONTRACT_TYPES,
  CONVERTIBLES,
  CROSSES,
  CURRENCIES,
  DEALER_WEIGHT_UNITS,
  FUTURES_SYMBOLS,
  INTERVALS,
  METALS,
  PRICE_UNITS,
  RATIO_PAIRS,
  SETTLEMENT_TYPES,
  SPOT_GROUPS,
  SPOT_NAMES,
  SPOT_SYMBOLS,
  UNITS,
  WEIGHT_UNITS,
} from "./values.ts";
import { WEBHOOK_TYPES } from "./webhooks.ts";
import { CONVERT_NAME_LIST, CURRENCY_COUNT, METAL_NAMES, QUOTING } from "./wording.ts";

/** What Assay is, in one sentence without the full stop. */
export const SUMMARY = `Prices of ${METAL_NAMES}: spot in ${CURRENCY_COUNT}, OHLCV bars, conversion and karat prices`;

/** The base of links in committed documents; a running service substitutes its own address. */
export const DOCUMENTED_URL = "http://127.0.0.1:8080";

/** @param keyless the tier of callers without a key */
const keyRule = (route: Pick<Route, "access">, keyless: TierName): string => {
  if (route.access.auth === "none") return "none; one that is sent is ignored";
  if (needsKey(route, keyless)) return "required";
  return `optional; without one you have the tier ${tierTitle(keyless)}, prices ${latenessOf(keyless)}, and the keyless limits`;
};

const LIMIT = {
  standard: "those of your tier, or of your address without a key",
  light: "60 a minute and address",
  none: "none",
} as const;

/**
 * Who may call a route and what a call costs: "**Key**: required. **Tier**: Pro and up. …"
 * @param keyless the tier of callers without a key
 */
export const accessNote = (route: Pick<Route, "access">, keyless: TierName = "free"): string => {
  const { access } = route;
  return [
    `**Key**: ${keyRule(route, keyless)}.`,
    access.tier === "free" ? "**Tier**: any." : `**Tier**: ${tierTitle(access.tier)} and up.`,
    `**Limits**: ${LIMIT[access.limit]}.`,
    access.metered && access.auth !== "none" ? "A success counts against the monthly quota." : "Free of the monthly quota.",
  ].join(" ");
};

/** A value list that has its own name in documents and clients. */
export interface NamedValues {
  readonly description: string;
  readonly values: readonly string[];
  /** Whether an operator's catalogue can add to it. */
  readonly extendable?: true;
}

export const NAMED_VALUES: Readonly<Record<string, NamedValues>> = {
  BarSymbol: {
    description: "A series with bars: spot, the futures GC, SI and HG, or the fund GLD.",
    values: BAR_SYMBOLS,
    extendable: true,
  },
  ContractType: { description: "Immediate delivery, or the front futures contract.", values: CONTRACT_TYPES },
  Convertible: {
    description: `What can be converted: ${CONVERT_NAME_LIST} and the ${CURRENCY_COUNT}.`,
    values: CONVERTIBLES,
    extendable: true,
  },
  CounterCurrency: {
    description: "Currencies that pieces are priced in: those quoted, and others of the catalogue.",
    values: COUNTER_CURRENCIES,
    extendable: true,
  },
  Cross: { description: "A metal in a quote currency, for daily series.", values: CROSSES, extendable: true },
  Currency: { description: `The ${CURRENCIES.length} quote currencies, ISO 4217.`, values: CURRENCIES, extendable: true },
  FuturesSymbol: {
    description: "COMEX gold GC and silver SI per troy ounce, copper HG per avoirdupois pound.",
    values: FUTURES_SYMBOLS,
    extendable: true,
  },
  DealerWeightUnit: {
    description: "Weight units dealers quote in; `oz` is the troy ounce.",
    values: DEALER_WEIGHT_UNITS,
    extendable: true,
  },
  Interval: { description: "The length of a bar, from one minute to one UTC day.", values: INTERVALS },
  Metal: {
    description: "XAU gold and XAG silver per troy ounce, HG copper per avoirdupois pound.",
    values: METALS,
    extendable: true,
  },
  PriceUnit: { description: "Units that prices are per.", values: PRICE_UNITS, extendable: true },
  RatioPair: { description: "Pairs of series whose daily closes are divided.", values: RATIO_PAIRS, extendable: true },
  SettlementType: {
    description: "What a settlement is: a public daily close or a simulated figure in its place, or the exchange's own.",
    values: SETTLEMENT_TYPES,
  },
  SpotGroup: {
    description: "Groups of fields a spot row can be asked for; anonymous callers do not get `stats`.",
    values: SPOT_GROUPS,
  },
  SpotName: { description: "A symbol of the price routes, or an alias of one.", values: SPOT_NAMES, extendable: true },
  SpotSymbol: {
    description: `Symbols of the price routes: ${QUOTING}, and the front futures contracts.`,
    values: SPOT_SYMBOLS,
    extendable: true,
  },
  Unit: { description: "Every unit of weight; `oz` is the troy ounce.", values: UNITS, extendable: true },
  SurfaceFlag: { description: "Caveats of a probability surface.", values: SURFACE_FLAGS },
  SurfaceMetal: { description: "Metals that have a probability surface.", values: SURFACE_METALS, extendable: true },
  TierName: {
    description: "Tiers, lowest first. Callers without a key have the tier `free`, unless the service says otherwise.",
    values: TIER_NAMES,
  },
  WebhookType: { description: "What an event says.", values: WEBHOOK_TYPES, extendable: true },
  WeightUnit: {
    description: "Weight units of the metal side of a conversion; `oz` is the troy ounce.",
    values: WEIGHT_UNITS,
    extendable: true,
  },
};
