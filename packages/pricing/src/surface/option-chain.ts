/** Option chains, as feeds report them, or collected from single quotes. */
import { type DecimalText, HOUR_MS, type Metal, type SurfaceMetal } from "@assay/contract";

export interface OptionQuote {
  readonly right: "call" | "put";
  /** In USD per unit of the underlying. */
  readonly strike: DecimalText;
  /** USD per unit of the underlying; null without a bid. */
  readonly bid: DecimalText | null;
  /** USD per unit of the underlying; null without an offer. */
  readonly ask: DecimalText | null;
  /** Units of the underlying traded today; null where the venue does not say. */
  readonly volume: DecimalText | null;
}

export interface OptionExpiry {
  readonly expiresAtMs: number;
  readonly quotes: readonly OptionQuote[];
}

/** Every option of one venue on one underlying. */
export interface OptionChain {
  readonly venue: string;
  readonly metal: SurfaceMetal;
  /** American options are treated as European ones, which the answer states. */
  readonly style: "european" | "american";
  /** What the options are on, for example SLV, in USD at the chain's own moment. */
  readonly underlying: string;
  readonly underlyingUsd: DecimalText;
  /** The metal's spot in USD per troy ounce at that moment: strikes are scaled by spot / underlying. */
  readonly spotUsdPerOzt: DecimalText;
  readonly expiries: readonly OptionExpiry[];
  readonly retrievedAtMs: number;
}

/** One option's quote as a source of single quotes reports it, on the metal itself in USD per troy ounce. */
export interface OptionReading {
  readonly source: string;
  readonly metal: Metal;
  /** YYYY-MM-DD. */
  readonly expiry: string;
  readonly side: "call" | "put";
  readonly strike: DecimalText;
  readonly bid: DecimalText | null;
  readonly ask: DecimalText | null;
  readonly style: "european" | "american";
  readonly observedAtMs: number;
}

/** When a day's markets expire if no time is given: the end of the New York day in winter. */
const EXPIRY_HOUR_MS = 22 * HOUR_MS;

/**
 * The expiry instant when only the day is known.
 * @param day YYYY-MM-DD
 * @returns 22:00 UTC of that day, epoch milliseconds
 */
export const expiryOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) + EXPIRY_HOUR_MS;

const quoteOf = ({ side, strike, bid, ask }: OptionReading): OptionQuote => ({ right: side, strike, bid, ask, volume: null });

const expiriesOf = (readings: Iterable<OptionReading>): OptionExpiry[] => {
  const byDay = new Map<string, OptionQuote[]>();
  for (const reading of readings) {
    const quotes = byDay.get(reading.expiry) ?? [];
    quotes.push(quoteOf(reading));
    byDay.set(reading.expiry, quotes);
  }
  return [...byDay].map(([day, quotes]) => ({ expiresAtMs: expiryOf(day), quotes }));
};

/**
 * Builds chains from single quotes: one per source, metal and style, with the newest quote of each option.
 * @param readings in any order
 * @param spotOf spot in USD per troy ounce; where it is null, that metal has no chain
 * @returns each dated by its newest quote
 */
export const chainsFrom = (readings: readonly OptionReading[], spotOf: (metal: Metal) => DecimalText | null): OptionChain[] => {
  const chains = new Map<string, Map<string, OptionReading>>();
  for (const reading of readings) {
    const chain = `${reading.source} ${reading.metal} ${reading.style}`;
    const options = chains.get(chain) ?? new Map<string, OptionReading>();
    chains.set(chain, options);
    const option = `${reading.expiry} ${reading.side} ${Number(reading.strike)}`;
    if ((options.get(option)?.observedAtMs ?? Number.NEGATIVE_INFINITY) <= reading.observedAtMs) options.set(option, reading);
  }
  return [...chains.values()].flatMap((options) => {
    const [first] = options.values();
    const spot = first && spotOf(first.metal);
    if (!first || spot === undefined || spot === null) return [];
    return [
      {
        venue: first.source,
        metal: first.metal.toLowerCase() as SurfaceMetal, // the two metals there are
        style: first.style,
        underlying: first.metal,
        underlyingUsd: spot,
        spotUsdPerOzt: spot,
        expiries: expiriesOf(options.values()),
        retrievedAtMs: Math.max(...[...options.values()].map(({ observedAtMs }) => observedAtMs)),
      },
    ];
  });
};
