/** What an alert on a move begins with: the prices of its window that were published before it was made. */
import { SECOND_MS } from "@assay/contract";
import type { AlertRule, ShownPrice } from "./alert.ts";
import { figureOf, MovedWindow, type StoredWindow } from "./figures.ts";
import { type Memory, Watch } from "./watch.ts";

export interface FirstMove {
  /** Whether the newest price has moved so far already: the alert then measures from that price on. */
  readonly alreadyTrue: boolean;
  readonly memory: string | null;
}

const windowOf = (prices: readonly ShownPrice[], windowSeconds: number): StoredWindow => {
  const window = new MovedWindow(windowSeconds * SECOND_MS);
  for (const { price, computedAtMs } of prices) window.add(figureOf(price), computedAtMs);
  return window.stored;
};

/**
 * Looks back.
 * @param prices of the window, oldest first; the last is the one that its owner sees
 * @param runSeq the first price that may still be withdrawn; null when none may
 */
export const firstMove = (
  rule: Pick<AlertRule, "threshold" | "windowSeconds" | "direction">,
  prices: readonly ShownPrice[],
  runSeq: number | null,
): FirstMove => {
  const newest = prices.at(-1);
  if (!newest) return { alreadyTrue: false, memory: null };
  const { seq, price, computedAtMs: atMs } = newest;
  const windowSeconds = rule.windowSeconds ?? 0;
  const past: Memory = { window: windowOf(prices.slice(0, -1), windowSeconds) };
  const unnamed = { ...rule, id: "", name: "", symbol: "", kind: "moved", once: true } as const;
  const watch = new Watch({ ...unnamed, state: "armed", hasFired: false, seenSeq: 0, memory: JSON.stringify(past) });
  const outcome = watch.price({ seq, figure: figureOf(price), atMs, runSeq: null });
  const { window }: Memory = JSON.parse(watch.standing.memory ?? "{}"); // written by `standing`
  const settled = prices.filter((each) => runSeq === null || each.seq < runSeq);
  const memory: Memory = {
    ...(window && { window }),
    ...(runSeq !== null && {
      before: { fromSeq: runSeq, state: "armed", hasFired: false, window: windowOf(settled, windowSeconds) },
    }),
  };
  return { alreadyTrue: outcome !== null && outcome !== "changes", memory: JSON.stringify(memory) };
};
