/** A composed price, and the tick that publishes it. Plain data, so that it can be sent between processes. */
import type { DecimalText } from "@assay/contract";
import type { Instrument } from "../market/symbols.ts";
import type { SourceRole } from "../readings/observation.ts";

/** One source's contribution to a composed price. */
export interface PriceSource {
  readonly source: string;
  readonly displayName: string;
  readonly license: string;
  readonly role: SourceRole;
  readonly price: DecimalText;
  readonly observedAtMs: number;
  /** The last instant at which its reading is fresh. */
  readonly freshUntilMs: number;
}

/** A composed price in USD per the instrument's unit; unrounded. */
export interface SpotPrice {
  readonly instrument: Instrument;
  readonly price: DecimalText;
  readonly bid?: DecimalText;
  readonly ask?: DecimalText;
  /** Half-width of the confidence band: half the spread or half the range of sources, whichever is larger. */
  readonly conf: DecimalText;
  /** What set the price: fresh primaries, or the council rate when none was fresh. */
  readonly basis: "primary" | "council";
  readonly sources: readonly PriceSource[];
  /** (highest − lowest) / median × 10 000 over fresh primaries, one decimal; null with fewer than two. */
  readonly divergenceBps: number | null;
  /** Volume since the last tick, for futures and funds. */
  readonly volume?: DecimalText;
  readonly computedAtMs: number;
  /** The last instant at which the price is fresh. */
  readonly freshUntilMs: number;
}

/** A published price: `seq` rises by one per instrument, across restarts, writers and processes. */
export interface Tick extends SpotPrice {
  readonly seq: number;
}
