/** Bars that a clock closed which was ahead: no bar ends after now. */
import { noteReplacedBars, readBarsAhead, type Store, type WithdrawnBars, type WriterToken, writeMoment } from "@assay/db";
import { barEnd } from "@assay/pricing";

/** What the clock says, and from when on a writer computes: later, where it waits until its clock has caught up. */
interface Clocks {
  readonly nowMs: number;
  readonly computesFromMs: number;
}

/**
 * Lets bars form again that are closed and end after now, and removes those of a time that will be computed again.
 * @returns the series whose bars have changed
 * @throws StaleTokenError when a newer writer has written since
 */
export const takeBackBarsAhead = async (
  store: Store,
  writer: WriterToken,
  { nowMs, computesFromMs }: Clocks,
): Promise<readonly string[]> => {
  const ahead = await readBarsAhead(store, nowMs);
  const symbols = [...new Set(ahead.map(({ symbol }) => symbol))];
  const withdrawnBars = symbols.map((symbol): WithdrawnBars => {
    const own = ahead.filter((bar) => bar.symbol === symbol);
    return {
      symbol,
      removed: own.filter(({ barStartMs }) => barStartMs > computesFromMs),
      restored: own.filter((bar) => bar.isClosed && bar.barStartMs <= computesFromMs).map((bar) => ({ ...bar, isClosed: false })),
    };
  });
  const changed = withdrawnBars.filter(({ removed, restored }) => removed.length + restored.length > 0);
  if (changed.length === 0) return [];
  // Done first, so that no archive of them is left even after a crash in between.
  for (const { symbol } of changed) await noteReplacedBars(store, symbol, nowMs, Math.max(...ahead.map(barEnd)));
  await writeMoment(store, writer, { ticks: [], bars: [], fx: [], withdrawnBars: changed });
  return changed.map(({ symbol }) => symbol);
};
