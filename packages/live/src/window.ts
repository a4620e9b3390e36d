/** The lengths a rate-limit window may have. */
import type { CallWindow } from "./ports.ts";

/** Why a window cannot have its length; null when all can: whole seconds, as Redis expires its keys. */
export const windowFault = (windows: readonly CallWindow[]): RangeError | null => {
  for (const { windowMs } of windows) {
    const isWhole = windowMs >= 1000 && Number.isInteger(windowMs / 1000);
    if (!isWhole) return new RangeError(`a window of ${windowMs} ms is not whole seconds`);
  }
  return null;
};
