/** The arbitrage signals of a metal: a small document in `latest`, for processes that start between two changes. */
import type { ArbitrageSignal } from "@assay/pricing";
import type { LatestPort } from "./ports.ts";

/** The edges of a metal at an instant. */
export interface SignalSet {
  readonly metal: ArbitrageSignal["metal"];
  readonly signals: readonly ArbitrageSignal[];
  readonly atMs: number;
}

/** A set that is not told again within this time is no longer held for true: its writer has fallen silent. */
export const SIGNALS_LAST_MS = 120_000;

/** Where a metal's signals stand. */
export const signalsKey = (metal: SignalSet["metal"]): string => `signals:${metal}`;

/** Reads a metal's signals; null before the first word of them. */
export const readSignals = async (latest: LatestPort, metal: SignalSet["metal"]): Promise<SignalSet | null> => {
  const text = await latest.get(signalsKey(metal));
  return text === null ? null : JSON.parse(text); // written by our own writer in this form
};
