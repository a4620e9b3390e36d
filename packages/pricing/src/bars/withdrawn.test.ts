/** Removing withdrawn ticks from a series. */
import { MINUTE_MS } from "@assay/contract";
import { expect, it } from "vitest";
import type { BarRow } from "./bar.ts";
import { withoutWithdrawn } from "./withdrawn.ts";

const NOON_MS = Date.parse("2026-11-20T12:00:00Z");
const bar = (change: Partial<BarRow>): BarRow => ({
  symbol: "XAU-USD-SPOT",
  interval: "1m",
  barStartMs: NOON_MS,
  open: "4390",
  high: "4391",
  low: "4389",
  close: "4390",
  volume: null,
  isClosed: true,
  sourceId: "composed",
  ...change,
});
const run = { fromMs: NOON_MS + MINUTE_MS + 30_000, sourceId: "composed", kept: [] };
const nowMs = NOON_MS + 10 * MINUTE_MS;

it("has the minutes before the run and those of others, and coarser bars of just these", () => {
  const before = bar({});
  const stored = [
    before,
    bar({ barStartMs: NOON_MS + MINUTE_MS, high: "43920" }),
    bar({ barStartMs: NOON_MS + 2 * MINUTE_MS, open: "43920", high: "43920", low: "43920", close: "43920" }),
    bar({ barStartMs: NOON_MS + 3 * MINUTE_MS, high: "4395", sourceId: "import:x" }),
    bar({ interval: "5m", open: "4390", high: "43920", low: "4389", close: "4390", sourceId: "import:x" }),
    bar({ interval: "1d", barStartMs: Date.parse("2026-11-20"), high: "4400", low: "4300", sourceId: "import:days" }),
  ];
  const kept = [bar({ barStartMs: NOON_MS + MINUTE_MS, low: "4388", isClosed: false })];
  const after = withoutWithdrawn(stored, { ...run, kept }, nowMs);
  expect(after.filter(({ interval }) => interval === "1m")).toEqual([
    before,
    bar({ barStartMs: NOON_MS + MINUTE_MS, low: "4388" }),
    stored[3],
  ]);
  expect(after.filter(({ interval }) => interval === "5m")).toEqual([
    bar({ interval: "5m", high: "4395", low: "4388", sourceId: "import:x" }),
  ]);
  expect(after.filter(({ interval }) => interval === "1d")).toEqual([stored[5]]);
});

it("has no foreign bar that was forming with the run, but one of its other minutes", () => {
  const stored = [
    bar({ barStartMs: NOON_MS + MINUTE_MS }),
    bar({ barStartMs: NOON_MS + 2 * MINUTE_MS, high: "43920" }),
    bar({ interval: "5m", open: "4385", high: "43920", low: "4380", sourceId: "import:x" }),
  ];
  const after = withoutWithdrawn(stored, { ...run, fromMs: NOON_MS + 2 * MINUTE_MS }, nowMs);
  expect(after.filter(({ interval }) => interval === "1m" || interval === "5m")).toEqual([
    stored[0],
    bar({ interval: "5m", sourceId: "import:x" }),
  ]);
});

it("rebuilds a foreign bar that is still forming from the finer ones left, since its own figures cannot be attributed", () => {
  const wrong = bar({ interval: "15m", high: "43920", isClosed: false, sourceId: "import:x" });
  const after = withoutWithdrawn([bar({ sourceId: "import:x" }), bar({ interval: "5m" }), wrong], run, nowMs);
  expect(after.find(({ interval }) => interval === "15m")).toEqual({ ...wrong, high: "4391" });
});

it("is empty where all of it came from the run", () => {
  const stored = [bar({ barStartMs: NOON_MS + 2 * MINUTE_MS }), bar({ interval: "1h", isClosed: false })];
  expect(withoutWithdrawn(stored, run, nowMs)).toEqual([]);
});
