/** A bar as stored. Plain data, so that it can be sent between processes. */
import type { DecimalText, Interval } from "@assay/contract";

/** OHLCV over [barStartMs, barStartMs + interval); a stored row. */
export interface BarRow {
  readonly symbol: string;
  readonly interval: Interval;
  readonly barStartMs: number;
  readonly open: DecimalText;
  readonly high: DecimalText;
  readonly low: DecimalText;
  readonly close: DecimalText;
  /** Null for spot series. */
  readonly volume: DecimalText | null;
  readonly isClosed: boolean;
  /** The feed or import it came from, or `composed`. */
  readonly sourceId: string;
}
