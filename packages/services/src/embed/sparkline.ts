/** The last weeks of a price as a small line: the daily closes a caller may see, and the price itself at its end. */
import { DAY_MS } from "@assay/contract";
import { type Exact, type Fraction, fraction, multiplyExact, type PriceSymbol, readCross, toFixedText } from "@assay/pricing";
import { depthFloor } from "../access/gate.ts";
import type { Caller } from "../context.ts";
import type { MarketView } from "../market/market-view.ts";

const DAYS = 30;
/** Its place, in its own units. */
const [WIDTH, HEIGHT, EDGE] = [240, 40, 2];

export interface Sparkline {
  readonly days: number;
  /** Points of an SVG polyline within `viewBox`. */
  readonly points: string;
  readonly viewBox: string;
}

/** A picture places points by number; no figure is read from it. */
const heightOf = (price: Fraction): number => Number(toFixedText(price, 6));

/**
 * Draws the line; every weight and purity has the same one.
 * @param closes in a currency, oldest first
 * @returns null when there are fewer than two points
 */
export const drawSparkline = (closes: readonly Fraction[], newest: Fraction | null): Sparkline | null => {
  const heights = [...closes, ...(newest === null ? [] : [newest])].map(heightOf);
  if (heights.length < 2) return null;
  const [low, high] = [Math.min(...heights), Math.max(...heights)];
  const step = (WIDTH - 2 * EDGE) / (heights.length - 1);
  const points = heights.map((height, at) => {
    const share = high === low ? 0.5 : (height - low) / (high - low);
    return `${(EDGE + at * step).toFixed(1)},${(HEIGHT - EDGE - share * (HEIGHT - 2 * EDGE)).toFixed(1)}`;
  });
  return { days: closes.length, points: points.join(" "), viewBox: `0 0 ${WIDTH} ${HEIGHT}` };
};

/** What a line is read as: whose it is, and the price it ends with. */
interface LineOptions {
  readonly symbol: PriceSymbol;
  readonly caller: Caller;
  readonly asOfMs: number;
  readonly newest: { readonly usd: Exact; readonly rate: Exact } | null;
}

/**
 * Reads and draws the line.
 * @returns null when there is none, also while the database does not respond: a price without it is better than no page
 */
export const sparklineOf = async (
  market: Pick<MarketView, "crosses">,
  { symbol, caller, asOfMs, newest }: LineOptions,
): Promise<Sparkline | null> => {
  const cross = readCross(`${symbol.metal}-${symbol.currency}-SPOT`);
  if (cross === null) return null;
  try {
    const { days } = await market.crosses.of(cross);
    // A day appears once it is over.
    const toMs = asOfMs - DAY_MS;
    const fromMs = Math.max(toMs - DAYS * DAY_MS + 1, depthFloor(caller, "1d", asOfMs));
    const seen = days.filter(({ dayMs }) => dayMs >= fromMs && dayMs <= toMs).map(({ written }) => written.local);
    return drawSparkline(seen, newest === null ? null : multiplyExact(fraction(newest.usd), fraction(newest.rate)));
  } catch {
    return null;
  }
};
