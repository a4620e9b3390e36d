/** The clock of a run on another day. */

/** What moves a program's clock: a library that is loaded before it, and its settings. */
const VARIABLES = ["LD_PRELOAD", "FAKETIME", "FAKETIME_DONT_FAKE_MONOTONIC"];

/**
 * The clock of a run on another day (`TEST_DAY`), for processes that are started with an environment of their own.
 * @returns the variables that give a child process the clock of this one; none on the true day
 */
export const movedClock = (): Record<string, string> => {
  if (!process.env.TEST_DAY) return {};
  return Object.fromEntries(VARIABLES.map((name) => [name, process.env[name] ?? ""]));
};
