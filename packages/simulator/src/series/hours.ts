/** When the simulated market trades: always, or in the real market's hours. */
import { type MarketState, marketStateAt } from "@assay/pricing";

/** `always` never closes; `market` follows the spot market's hours, in history as well. */
export type SimulatedHours = "always" | "market";

/** A trading interval, [fromMs, toMs). */
export interface OpenSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Whether the simulated market trades at an instant. */
export const isTrading = (hours: SimulatedHours, atMs: number): boolean => hours === "always" || marketStateAt(atMs).open;

/**
 * Returns a reader of trading hours that computes each interval once, for queries in ascending order.
 * @returns a function that gives the parts of [fromMs, toMs) in which the market trades
 */
export const openSpans = (hours: SimulatedHours): ((fromMs: number, toMs: number) => readonly OpenSpan[]) => {
  if (hours === "always") return (fromMs, toMs) => [{ fromMs, toMs }];
  let state: MarketState = { open: false, sinceMs: 0, nextChangeMs: 0 };
  return (fromMs, toMs) => {
    const spans: OpenSpan[] = [];
    for (let atMs = fromMs; atMs < toMs; atMs = state.nextChangeMs) {
      if (atMs < state.sinceMs || atMs >= state.nextChangeMs) state = marketStateAt(atMs);
      if (state.open) spans.push({ fromMs: atMs, toMs: Math.min(toMs, state.nextChangeMs) });
    }
    return spans;
  };
};
