/** Replay files written by tests, with instants relative to the time of writing. */
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

/** Writes a file; returns the setting that replays it. */
export const replayFile = async (folder: Folder, lines: readonly string[], name = "replay.ndjson"): Promise<string> =>
  `replay:${await folder.write(name, `${lines.join("\n")}\n`)}`;
