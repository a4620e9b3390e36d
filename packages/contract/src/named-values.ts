/** Value lists that have their own name in documents and clients. */
import { SURFACE_FLAGS, SURFACE_METALS } from "./routes/surface.ts";
import { TIER_NAMES } from "./tiers.ts";
import {
  BAR_SYMBOLS,
  CONTRACT_TYPES,
  CONVERTIBLES,
  CURRENCIES,
  FUTURES_SYMBOLS,
  INTERVALS,
  METALS,
  RATIO_PAIRS,
  SETTLEMENT_TYPES,
  SPOT_GROUPS,
  SPOT_NAMES,
  SPOT_SYMBOLS,
  WEIGHT_UNITS,
} from "./values.ts";

/** One named list. */
export interface NamedValues {
  readonly description: string;
  readonly values: readonly string[];
}

/** Each list by its name. */
export const NAMED_VALUES: Readonly<Record<string, NamedValues>> = {
  BarSymbol: {
    description: "A series with bars: spot, the front futures contracts GC, SI and HG, or the fund GLD.",
    values: BAR_SYMBOLS,
  },
  ContractType: { description: "Immediate delivery, or the front futures contract.", values: CONTRACT_TYPES },
  Convertible: { description: "What can be converted: gold, silver and the 31 currencies.", values: CONVERTIBLES },
  Currency: { description: "The 31 quote currencies, ISO 4217.", values: CURRENCIES },
  FuturesSymbol: {
    description: "COMEX gold GC and silver SI per troy ounce, copper HG per avoirdupois pound.",
    values: FUTURES_SYMBOLS,
  },
  Interval: { description: "The length of a bar, from one minute to one UTC day.", values: INTERVALS },
  Metal: { description: "XAU gold and XAG silver per troy ounce, HG copper per avoirdupois pound.", values: METALS },
  RatioPair: { description: "Pairs of series whose daily closes are divided.", values: RATIO_PAIRS },
  SettlementType: {
    description: "What a settlement is: a public daily close or a simulated figure in its place, or the exchange's own.",
    values: SETTLEMENT_TYPES,
  },
  SpotGroup: { description: "Groups of fields a spot row can be asked for; `stats` needs a key.", values: SPOT_GROUPS },
  SpotName: { description: "A symbol of the price routes, or an alias of one.", values: SPOT_NAMES },
  SpotSymbol: {
    description:
      "Symbols of the price routes: gold in the 31 currencies, silver and copper in USD, and the front futures contracts.",
    values: SPOT_SYMBOLS,
  },
  SurfaceFlag: { description: "Caveats of a probability surface.", values: SURFACE_FLAGS },
  SurfaceMetal: { description: "Metals that have a probability surface.", values: SURFACE_METALS },
  TierName: { description: "Tiers, lowest first. Callers without a key have the tier `free`.", values: TIER_NAMES },
  WeightUnit: { description: "Weight units of the metal side of a conversion; `oz` is the troy ounce.", values: WEIGHT_UNITS },
};
