/** Listens to a caller's signal: however many calls share it, it has one listener, and none once they have ended. */

interface Shared {
  readonly runs: Set<() => void>;
  readonly abort: () => void;
}

const shared = new WeakMap<AbortSignal, Shared>();

const share = (signal: AbortSignal): Shared => {
  const runs = new Set<() => void>();
  const abort = (): void => {
    for (const run of runs) run();
  };
  signal.addEventListener("abort", abort, { once: true });
  const made = { runs, abort };
  shared.set(signal, made);
  return made;
};

/**
 * Calls back when a signal aborts. Node warns of a leak from a signal's eleventh listener on.
 * @param signal one that has not aborted yet
 * @param run a function of this call alone
 * @returns stops listening
 */
export const onAbort = (signal: AbortSignal | undefined, run: () => void): (() => void) => {
  if (!signal) return () => undefined;
  const { runs, abort } = shared.get(signal) ?? share(signal);
  runs.add(run);
  return () => {
    if (!runs.delete(run) || runs.size > 0) return;
    signal.removeEventListener("abort", abort);
    shared.delete(signal);
  };
};
