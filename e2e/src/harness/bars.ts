/** Bars as the wire gives them: whole windows, page by page, and coarser bars computed from minutes. */
import { type Bar, type BarSymbol, contract, INTERVAL_MS, type Interval, MINUTE_MS } from "@assay/contract";
import { read } from "./call.ts";
import { eventually } from "./eventually.ts";

interface Window {
  readonly symbol: BarSymbol;
  readonly interval: Interval;
  readonly fromMs: number;
  readonly toMs: number;
}

const PAGE = 10_000;

/** Every bar of a window, newest first, over as many pages as needed. */
export const walkBars = async (url: string, { symbol, interval, fromMs, toMs }: Window, key: string): Promise<Bar[]> => {
  const query = { symbol, interval, from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString(), limit: PAGE };
  const bars: Bar[] = [];
  let cursor: string | null = null;
  do {
    const page: { bars: Bar[]; next_cursor: string | null } = await read(
      url,
      contract.bars.list,
      { ...query, ...(cursor === null ? {} : { cursor }) },
      { key },
    );
    bars.push(...page.bars);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return bars;
};

/** Starts, epoch milliseconds, oldest first. */
export const startsOf = (bars: readonly Bar[]): number[] => bars.map(({ bar_start }) => Date.parse(bar_start)).reverse();

/** What is wrong with a series that should contain every bar of a period exactly once; empty when nothing is. */
export const faultsOf = (startsMs: readonly number[], interval: Interval): string[] =>
  startsMs.flatMap((startMs, index) => {
    const before = startsMs[index - 1];
    if (before === undefined || startMs - before === INTERVAL_MS[interval]) return [];
    const what =
      startMs === before ? "twice" : startMs < before ? "out of order" : `missing after ${new Date(before).toISOString()}`;
    return [`${interval} ${new Date(startMs).toISOString()}: ${what}`];
  });

/** A figure in units of its eighteenth decimal place, so that figures compare and add exactly. */
const units = (text: string | null): bigint => {
  const [whole = "0", decimals = ""] = (text ?? "0").split(".");
  return BigInt(whole + decimals.padEnd(18, "0"));
};

/** A bar's figures, in a comparable form. */
interface Figures {
  readonly startMs: number;
  readonly open: bigint;
  readonly high: bigint;
  readonly low: bigint;
  readonly close: bigint;
  readonly volume: bigint;
}

export const figuresOf = ({ bar_start, open, high, low, close, volume }: Bar): Figures => ({
  startMs: Date.parse(bar_start),
  open: units(open),
  high: units(high),
  low: units(low),
  close: units(close),
  volume: units(volume),
});

/** Aggregates minutes into a coarser interval, oldest first: first open, highest high, lowest low, last close, summed volume. */
export const coarser = (oldestFirst: readonly Figures[], interval: Interval): Figures[] => {
  const made: Figures[] = [];
  for (const minute of oldestFirst) {
    const startMs = Math.floor(minute.startMs / INTERVAL_MS[interval]) * INTERVAL_MS[interval];
    const last = made.at(-1);
    if (last?.startMs !== startMs) made.push({ ...minute, startMs });
    else {
      made[made.length - 1] = {
        startMs,
        open: last.open,
        high: minute.high > last.high ? minute.high : last.high,
        low: minute.low < last.low ? minute.low : last.low,
        close: minute.close,
        volume: last.volume + minute.volume,
      };
    }
  }
  return made;
};

const MINUTES = 15;

/** What is wrong with them: missing or duplicate ones, or forming ones before the newest; empty when nothing is. */
export const minuteFaults = async (url: string, key: string): Promise<string[]> => {
  const nowMs = Date.now();
  const window = { symbol: "XAU-USD-SPOT", interval: "1m", fromMs: nowMs - MINUTES * MINUTE_MS, toMs: nowMs } as const;
  const bars = await walkBars(url, window, key);
  const forming = bars.filter(({ is_closed }) => !is_closed).length;
  return [
    ...faultsOf(startsOf(bars), "1m"),
    ...(bars.length < MINUTES - 1 ? [`${bars.length} bars of ${MINUTES} minutes`] : []),
    ...(forming > 1 ? [`${forming} bars are forming`] : []),
  ];
};

/** Waits until all of them are there: an API reloads what it missed in the background. */
export const untilMinutes = (urls: readonly string[], key: string): Promise<string[]> =>
  eventually(
    "every minute is there",
    async () => (await Promise.all(urls.map((url) => minuteFaults(url, key)))).flat(),
    (faults) => faults.length === 0,
  );
