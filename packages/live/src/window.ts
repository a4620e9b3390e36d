/** The lengths a rate-limit window may have. */

/** Why a window cannot have this length; null when it can: whole seconds, as Redis expires its keys. */
export const windowFault = (windowMs: number): RangeError | null =>
  windowMs >= 1000 && Number.isInteger(windowMs / 1000)
    ? null
    : new RangeError(`a window of ${windowMs} ms is not whole seconds`);
