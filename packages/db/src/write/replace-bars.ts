/** Removes bars of a series and inserts others in one statement, so that no reader sees one without the other. */
import type { Interval } from "@assay/contract";
import type { BarRow } from "@assay/pricing";
import { type SQL, sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import { BULK_TIMEOUT_MS, type Store } from "../store.ts";
import { barsInKeyOrder } from "./bar-order.ts";
import { insertionOf, REPLACE } from "./bars.ts";
import { unnest } from "./columns.ts";
import { insertBehindFence } from "./fence.ts";

/** Identifies a bar of a series. */
export interface BarKey {
  readonly interval: Interval;
  readonly barStartMs: number;
}

const removal = (symbol: string, keys: readonly BarKey[]): SQL => sql`
  delete from bars using (
    select ${unnest(keys, ({ interval }) => interval, "text")} as interval,
      ${unnest(keys, ({ barStartMs }) => formatInstant(barStartMs), "timestamptz")} as bar_start
    from fence
  ) as gone
  where bars.symbol = ${symbol} and bars.interval = gone.interval and bars.bar_start = gone.bar_start`;

/** Removes bars of a series and inserts others, to run behind the fence. */
export const replacementOf = (symbol: string, removed: readonly BarKey[], written: readonly BarRow[]): SQL[] => [
  ...(removed.length > 0 ? [removal(symbol, removed)] : []),
  ...(written.length > 0 ? [insertionOf(barsInKeyOrder(written), REPLACE)] : []),
];

/**
 * Removes bars and writes others, all or nothing.
 * @param removed bars that are not among the written ones
 * @param written bars of the same series; overwrite closed ones too
 * @param revises the revision of bars this is based on; omitted where no writer runs
 * @throws BarsRevisedError when bars were written since that revision; nothing is stored
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
