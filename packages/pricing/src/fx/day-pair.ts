/** The first price of a UTC day and the last before it, each with the rates beside it: what a day's change in a currency is made of. */
import type { DecimalText } from "@assay/contract";
import type { Instrument } from "../conventions/symbols.ts";
import type { CalendarDay } from "../conventions/zoned-time.ts";
import type { Tick } from "../spot/compose.ts";

/** A published price in USD, and the number of the rates beside it. */
export interface PublishedPair {
  readonly price: DecimalText;
  readonly atMs: number;
  readonly rateSet: number;
}

/** How a day of an instrument began. */
export interface DayPair {
  readonly instrument: Instrument;
  readonly day: CalendarDay;
  readonly opens: PublishedPair;
  /** The last of the day before it that had any; null when none is known. */
  readonly before: PublishedPair | null;
}

/** The pair of a tick; null when its writer named no rates. */
export const pairOf = ({ price, computedAtMs, rateSet }: Tick): PublishedPair | null =>
  rateSet === undefined ? null : { price, atMs: computedAtMs, rateSet };
