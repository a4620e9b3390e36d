/** Runs programs on another day: libfaketime moves the clock of a program and of what it starts, and leaves durations true. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Where Debian's package `faketime` puts its library: a folder for each architecture. */
const FOLDER = "/usr/lib";

/** The library's path; null where it is not installed. */
export const faketime = () =>
  (existsSync(FOLDER) ? readdirSync(FOLDER) : [])
    .map((folder) => join(FOLDER, folder, "faketime/libfaketime.so.1"))
    .find((path) => existsSync(path)) ?? null;

/** What to say where it is missing. */
export const NO_FAKETIME = "faketime is not installed (apt-get install faketime)";

/**
 * The environment of a program on another day. An offset, not an instant: every process started later has the same clock.
 * @param day an instant, such as 2027-02-28T23:30:00Z
 * @param library the path of libfaketime
 * @param nowMs the true time
 * @throws RangeError when the day is no instant
 */
export const environmentOn = (day, library, nowMs) => {
  const atMs = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?Z$/.test(day) ? Date.parse(day) : Number.NaN;
  if (Number.isNaN(atMs)) throw new RangeError(`TEST_DAY must be an instant such as 2027-02-28T23:30:00Z, and is ${day}`);
  const seconds = Math.round((atMs - nowMs) / 1_000);
  return {
    TEST_DAY: day,
    LD_PRELOAD: library,
    FAKETIME: `${seconds < 0 ? "" : "+"}${seconds}`,
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
};
