/** Checks that a file's bars are spaced as their interval says. */
import { INTERVAL_MS, INTERVALS, type Interval } from "@assay/contract";
import type { StartSet } from "./start-set.ts";

/** From this many bars on, a complete lack of adjacent bars is no coincidence. */
const TELLING_ROWS = 5;
/** One adjacent pair in this many gaps is enough: thin markets have holes, weekly bars have no neighbours. */
const FEWEST_SHARE = 20;

const UNITS: readonly (readonly [ms: number, name: string])[] = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "m"],
];

const lengthText = (ms: number): string => {
  const [unitMs, name] = UNITS.find(([each]) => ms % each === 0) ?? [1_000, "s"];
  return `${ms / unitMs}${name}`;
};

/**
 * Checks the spacing of bars.
 * @returns what is wrong; null when most are spaced by the interval
 */
export const spacingFault = (starts: StartSet, interval: Interval): string | null => {
  const gaps = new Map<number, number>();
  let rows = 0;
  let previousMs = Number.NaN;
  starts.forEach((startMs) => {
    if (rows > 0) gaps.set(startMs - previousMs, (gaps.get(startMs - previousMs) ?? 0) + 1);
    previousMs = startMs;
    rows += 1;
  });
  if (rows < TELLING_ROWS || (gaps.get(INTERVAL_MS[interval]) ?? 0) * FEWEST_SHARE >= rows - 1) return null;
  const [gapMs = 0, times = 0] = [...gaps].sort((a, b) => b[1] - a[1])[0] ?? [];
  const apparent = INTERVALS.find((each) => INTERVAL_MS[each] === gapMs);
  const advice = apparent ? `if they are ${apparent} bars, pass --interval ${apparent}` : "there is no such interval";
  return (
    `the spacing check failed: most of its ${rows} bars lie ${lengthText(gapMs)} apart (${times} of ${rows - 1} gaps), ` +
    `but --interval is ${interval}; ${advice}`
  );
};
