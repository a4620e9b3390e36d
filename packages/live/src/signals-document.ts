/** A metal's arbitrage signals as a small document in `latest`, for processes that start between two changes. */
import type { LatestPort, SignalSet } from "./ports.ts";

/** A set that is not republished within this time has expired: its writer is gone. */
export const SIGNALS_LAST_MS = 120_000;

/** The key of a metal's signals. */
export const signalsKey = (metal: SignalSet["metal"]): string => `signals:${metal}`;

/** Reads a metal's signals; null before the first publish. */
export const readSignals = async (latest: LatestPort, metal: SignalSet["metal"]): Promise<SignalSet | null> => {
  const text = await latest.get(signalsKey(metal));
  return text === null ? null : JSON.parse(text); // written by our own writer in this shape
};
