/** The series of the simulated market: volatility, correlation, volume and format of each. */
import { BAR_SYMBOL_OF, type DailySymbol, type Instrument, type REPORTED_DAYS } from "@assay/pricing";
import { openPath, type Path, type PathShape } from "../path/path.ts";
import { frontContractFactor, ouncesPerShare } from "./basis.ts";
import { type LevelMetal, metalAnchors } from "./levels.ts";

/** Every instrument with a simulated price: those the composition prices, and platinum and palladium. */
export type SimulatedInstrument = Instrument | (typeof REPORTED_DAYS)[number];

/** The definition of a series. */
export interface Series {
  readonly instrument: SimulatedInstrument;
  /** The symbol of its bars. */
  readonly symbol: DailySymbol;
  readonly metal: LevelMetal;
  /** Decimals its price is published with. */
  readonly decimals: 2 | 3 | 4;
  /** Half the spread, in bps of the price. */
  readonly halfSpreadBps: number;
  /** The factor from the metal to this series on a UTC day; none for spot. */
  readonly basis: ((day: number) => number) | null;
  /** Units traded per day in 1996, and how many more each year; null where no volume is known. */
  readonly volume: { readonly first: number; readonly perYear: number } | null;
  /** The first UTC day with bars. */
  readonly firstDay: number;
}

const FIRST_DAY = Date.UTC(1996, 0, 1) / 86_400_000;
const FUND_FIRST_DAY = Date.UTC(2004, 10, 18) / 86_400_000;

const spot = (metal: LevelMetal, decimals: 2 | 4, halfSpreadBps: number): Series => {
  const instrument = `${metal}-USD-SPOT` as const;
  return { instrument, symbol: instrument, metal, decimals, halfSpreadBps, basis: null, volume: null, firstDay: FIRST_DAY };
};

const futures = (metal: "XAU" | "XAG" | "HG", rest: Pick<Series, "decimals" | "halfSpreadBps" | "volume">): Series => ({
  instrument: `${metal}-USD-FUTURES`,
  symbol: BAR_SYMBOL_OF[`${metal}-USD-FUTURES`],
  metal,
  basis: (day) => frontContractFactor(metal, day),
  firstDay: FIRST_DAY,
  ...rest,
});

const SERIES: readonly Series[] = [
  spot("XAU", 2, 0.375),
  spot("XAG", 4, 2),
  spot("HG", 4, 0.9),
  spot("XPT", 2, 3),
  spot("XPD", 2, 6),
  futures("XAU", { decimals: 2, halfSpreadBps: 0.25, volume: { first: 35_000, perYear: 5_000 } }),
  futures("XAG", { decimals: 3, halfSpreadBps: 1, volume: { first: 15_000, perYear: 2_000 } }),
  futures("HG", { decimals: 4, halfSpreadBps: 0.5, volume: { first: 8_000, perYear: 2_500 } }),
  {
    instrument: "GLD",
    symbol: "GLD",
    metal: "XAU",
    decimals: 2,
    halfSpreadBps: 0.27,
    basis: ouncesPerShare,
    volume: { first: 1_000_000, perYear: 270_000 },
    firstDay: FUND_FIRST_DAY,
  },
];

const BY_NAME = new Map<string, Series>(
  SERIES.flatMap((series) => [series.symbol, series.instrument].map((name) => [name, series])),
);

/**
 * The series of an instrument or of a bar symbol.
 * @throws RangeError when there is none of that name
 */
export const seriesOf = (name: SimulatedInstrument | DailySymbol): Series => {
  const series = BY_NAME.get(name);
  if (!series) throw new RangeError(`the simulated market has no series ${name}`);
  return series;
};

/** Gold leads; the others are partly correlated with it. */
const SHAPES: Record<LevelMetal, PathShape> = {
  XAU: { name: "XAU", yearlyVolatility: 0.16 },
  XAG: { name: "XAG", yearlyVolatility: 0.27, follows: { name: "XAU", share: 0.8 } },
  HG: { name: "HG", yearlyVolatility: 0.21, follows: { name: "XAU", share: 0.3 } },
  XPT: { name: "XPT", yearlyVolatility: 0.23, follows: { name: "XAU", share: 0.7 } },
  XPD: { name: "XPD", yearlyVolatility: 0.28, follows: { name: "XAU", share: 0.5 } },
};

/** How far futures and funds deviate from their metal within the day, relative to the metal's own movement. */
const OWN_SHARE = 0.03;

const openSeries = (series: Series, seed: number): Path => {
  const shape = SHAPES[series.metal];
  const metal = openPath(shape, metalAnchors(series.metal), seed);
  if (!series.basis) return metal;
  const own = openPath({ ...shape, wobble: { name: series.symbol, size: OWN_SHARE } }, metal.anchors, seed);
  return { ...own, basis: { of: metal, factor: series.basis } };
};

const opened = new Map<string, { readonly seed: number; readonly path: Path }>();

/** The path of a series under a seed. The last one of each series is cached, since opening it costs more than a price. */
export const pathOf = (series: Series, seed: number): Path => {
  const known = opened.get(series.instrument);
  if (known?.seed === seed) return known.path;
  const path = openSeries(series, seed);
  opened.set(series.instrument, { seed, path });
  return path;
};
