/** Replay files written by tests, with instants relative to the time of writing, and the clocks of services that replay them. */
import { simulatedOptions } from "@assay/simulator";
import type { Folder } from "./files.ts";

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

/**
 * The setting of a service whose clock shows an instant when it is called, and goes on from there. What is to be seen before an event
 * and after it is asked of two lives with an hour between them: no test waits for an event, and none comes too late for it.
 */
export const clockAt = (ms: number): { readonly CLOCK_OFFSET_MS: string } => ({ CLOCK_OFFSET_MS: String(ms - Date.now()) });
