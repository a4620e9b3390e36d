/**
 * Replay files written by tests, with instants relative to the time of writing; and services whose schedule of events is fixed
 * before they run.
 */
import { simulatedOptions } from "@assay/simulator";
import type { Folder } from "./files.ts";
import type { Service } from "./service.ts";

/** A line without its instant. */
export interface Line {
  readonly kind: string;
  readonly source: string;
  readonly [field: string]: unknown;
}

/** A line at an instant, epoch milliseconds. */
export const at = (atMs: number, line: Line): string => JSON.stringify({ ...line, observed_at: new Date(atMs).toISOString() });

/** A price of gold that stays fresh for hours, so that tests are not time-critical. */
export const gold = (source: string, price: string, more: Readonly<Record<string, unknown>> = {}): Line => ({
  kind: "spot",
  source,
  instrument: "XAU-USD-SPOT",
  price,
  expected_interval_seconds: 3_600,
  ...more,
});

/** Live rates for one dollar. */
export const rates = (source: string, of: Readonly<Record<string, string>>): Line => ({
  kind: "fx",
  source,
  role: "live",
  base: "USD",
  rates: of,
  expected_interval_seconds: 3_600,
});

/** Option lines of gold for one day, as the simulated market would quote them at an instant. */
export const optionLines = (atMs: number, expiry: string): string[] => {
  const expiresAtMs = Date.parse(`${expiry}T22:00:00Z`);
  const { expiries } = simulatedOptions("xau", atMs, 1, { expiries: [expiresAtMs] });
  return expiries.flatMap(({ quotes }) =>
    quotes.map(({ right: side, strike, bid, ask }) =>
      at(atMs, {
        kind: "option",
        source: "replay-options",
        metal: "XAU",
        expiry,
        side,
        strike,
        bid,
        ask,
        bid_size: "10",
        ask_size: "12",
        style: "european",
      }),
    ),
  );
};

/** Writes a file; returns the setting that replays it. */
export const replayFile = async (folder: Folder, lines: readonly string[], name = "replay.ndjson"): Promise<string> =>
  `replay:${await folder.write(name, `${lines.join("\n")}\n`)}`;

/** How far in the future the schedule starts, on successive attempts. */
const AHEAD_MS = [15_000, 30_000, 60_000, 120_000];

/** A service, and when the first event is due that a test wants to observe. */
export interface Started {
  readonly service: Service;
  readonly dueMs: number;
}

/**
 * Starts a service, and retries with a later schedule when a slow machine has already passed the first event.
 * @param start schedules the first event `aheadMs` after it is called
 * @param needMs how much time must be left once it serves
 */
export const startInTime = async <T extends Started>(start: (aheadMs: number) => Promise<T>, needMs: number): Promise<T> => {
  for (const aheadMs of AHEAD_MS) {
    const started = await start(aheadMs);
    if (started.dueMs - Date.now() >= needMs) return started;
    await started.service.stop("SIGKILL");
    console.info(`the start took too long for what was due in ${aheadMs} ms; trying with more`);
  }
  throw new Error("this machine is too slow for a market with a future");
};
