/** Single option quotes, collected into chains. */
import type { DecimalText, SurfaceMetal } from "@assay/contract";
import type { OptionChain, OptionExpiry, OptionQuote } from "./option-chain.ts";

/** One option's quote as a source of single quotes reports it, on the metal itself in USD per troy ounce. */
export interface OptionReading {
  readonly source: string;
  readonly metal: "XAU" | "XAG";
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
const EXPIRY_HOUR_MS = 22 * 3_600_000;

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
export const chainsFrom = (
  readings: readonly OptionReading[],
  spotOf: (metal: "XAU" | "XAG") => DecimalText | null,
): OptionChain[] => {
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
