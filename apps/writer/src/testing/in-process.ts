/** The writer's threads in the test's own process: real ones only run compiled code. */
import { setImmediate } from "node:timers/promises";
import { DAY_MS, HOUR_MS } from "@assay/contract";
import { bucketStart, type HistoryGap, probabilitySurface } from "@assay/pricing";
import { makeLines } from "../simulated/make-bars.ts";
import type { Thread, Threads } from "../threads/threads.ts";

const computing = <Input, Output>(compute: (input: Input) => Output): Thread<Input, Output> => ({
  ask: async (input) => {
    await setImmediate();
    return compute(input);
  },
  close: async () => {},
});

/** Threads without a thread. */
export const inProcess: Threads = {
  surfaces: () => computing(probabilitySurface),
  bars: () => computing(({ gap, ...options }) => makeLines(gap, options)),
};

/** The longest bar below a day. */
const SHORT_DAY_MS = 4 * HOUR_MS;

/** The hours of short days that a gap has. */
const shortDaysOf = (gap: HistoryGap): HistoryGap[] => {
  if (gap.bars === "daily") return [gap];
  const parts: HistoryGap[] = [];
  for (let dayMs = bucketStart(gap.fromMs, "1d"); dayMs < gap.untilMs; dayMs += DAY_MS) {
    const [fromMs, untilMs] = [Math.max(gap.fromMs, dayMs), Math.min(gap.untilMs, dayMs + SHORT_DAY_MS)];
    if (fromMs < untilMs) parts.push({ ...gap, fromMs, untilMs });
  }
  return parts;
};

export const isOfShortDay = ({ barStartMs }: { readonly barStartMs: number }): boolean => barStartMs % DAY_MS < SHORT_DAY_MS;

/** Makes the bars of each day's first four hours alone: a whole day tells a test no more, and is six times as many. */
export const shortDays: Threads = {
  ...inProcess,
  bars: () => computing(({ gap, ...options }) => shortDaysOf(gap).flatMap((part) => makeLines(part, options))),
};
