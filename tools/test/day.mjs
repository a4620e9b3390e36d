/** Runs programs on another day: libfaketime moves the clock of a program and of what it starts, and leaves durations true. */
import { randomInt } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const DAY_MS = 86_400_000;
/** The random day is at most this far ahead. */
const RANDOM_DAYS = 4 * 365;

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

const instant = (ms) => new Date(ms).toISOString().replace(/:\d\d\.\d+Z$/, ":00Z");

/**
 * The days of the long run, each with the reason it is one. On those with `services` the suites that start services run too.
 * @param nowMs the true time
 * @param pick a random whole number below its argument
 */
export const nastyDays = (nowMs, pick = randomInt) => [
  { day: "2027-01-25T12:00:00Z", why: "the roll of the active gold contract" },
  { day: "2027-02-24T19:00:00Z", why: "the last trading day of GCG27" },
  { day: "2027-03-14T07:30:00Z", why: "daylight saving begins in New York" },
  { day: "2027-03-26T15:00:00Z", why: "Good Friday" },
  { day: "2027-04-18T21:30:00Z", why: "a Sunday half an hour before the opening" },
  { day: "2027-07-14T21:30:00Z", why: "the daily break in summer" },
  { day: "2027-08-02T00:00:00Z", why: "a Monday at midnight" },
  { day: "2027-11-07T06:30:00Z", why: "daylight saving ends in New York" },
  { day: "2027-12-24T18:50:00Z", why: "Christmas, kept on the Friday before" },
  { day: "2027-12-31T23:30:00Z", why: "the last half hour of a year", services: true },
  { day: "2028-02-29T12:00:00Z", why: "a leap day" },
  { day: instant(nowMs + 400 * DAY_MS), why: "400 days ahead" },
  { day: instant(nowMs + pick(RANDOM_DAYS * 1_440) * 60_000), why: "a random day", services: true },
];
