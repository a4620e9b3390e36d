/** Map keys for series. */
import { BAR_SYMBOLS, INTERVALS, type Interval } from "@assay/contract";

/** Made once: a map hashes a joined name again at every look-up. */
const NAMES = new Map<string, ReadonlyMap<Interval, string>>(
  BAR_SYMBOLS.map((symbol) => [symbol, new Map(INTERVALS.map((interval) => [interval, `${symbol} ${interval}`]))]),
);

/** A map key of symbol and interval. */
export const seriesName = (symbol: string, interval: Interval): string =>
  NAMES.get(symbol)?.get(interval) ?? `${symbol} ${interval}`;
