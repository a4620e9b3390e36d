/** Bars taken out of a series and others put in, as one statement: nobody ever sees the one without the other. */
import type { Interval } from "@assay/contract";
import type { BarRow } from "@assay/pricing";
import { type SQL, sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import { BULK_TIMEOUT_MS, type Store } from "../store.ts";
import { barsInKeyOrder } from "./bar-order.ts";
import { insertionOf } from "./bars.ts";
import { unnest } from "./columns.ts";
import { insertBehindFence } from "./fence.ts";

/** Which bar of a series. */
export interface BarKey {
  readonly interval: Interval;
  readonly barStartMs: number;
}

/** Whoever replaces bars knows better than what is there, a closed bar among them. */
const OVERWRITE = sql`
  on conflict (symbol, interval, bar_start) do update set
    open = excluded.open, high = excluded.high, low = excluded.low, close = excluded.close,
    volume = excluded.volume, is_closed = excluded.is_closed, source_id = excluded.source_id`;

const removal = (symbol: string, keys: readonly BarKey[]): SQL => sql`
  delete from bars using (
    select ${unnest(keys, ({ interval }) => interval, "text")} as interval,
      ${unnest(keys, ({ barStartMs }) => formatInstant(barStartMs), "timestamptz")} as bar_start
    from fence
  ) as gone
  where bars.symbol = ${symbol} and bars.interval = gone.interval and bars.bar_start = gone.bar_start`;

/** Bars taken out of a series and others put in, to run behind the fence. */
export const replacementOf = (symbol: string, removed: readonly BarKey[], written: readonly BarRow[]): SQL[] => [
  ...(removed.length > 0 ? [removal(symbol, removed)] : []),
  ...(written.length > 0 ? [insertionOf(barsInKeyOrder(written), OVERWRITE)] : []),
];

/**
 * Removes bars and writes others, all or nothing.
 * @param removed bars that are not among the written ones
 * @param written bars of the same series
 * @param revises the revision of bars it rests on; left out where no writer writes
 * @throws BarsRevisedError when bars were written since that revision; nothing is kept
 */
export const replaceBars = async (
  store: Store,
  symbol: string,
  removed: readonly BarKey[],
  written: readonly BarRow[],
  revises?: number,
): Promise<void> => {
  const steps = replacementOf(symbol, removed, written);
  if (steps.length > 0) {
    await insertBehindFence(store, undefined, steps, {
      timeoutMs: BULK_TIMEOUT_MS,
      ...(revises === undefined ? {} : { revises }),
    });
  }
};
