/** The rewritten rows against the same rows made one by one from parsed bars. */
import { type Bar, MINUTE_MS } from "@assay/contract";
import { encodeBar } from "@assay/db";
import type { BarRow } from "@assay/pricing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { rowsOf } from "../market/bar-book.ts";
import { seriesOf } from "./prices.ts";

const price = fc.integer({ min: -50_000_000, max: 900_000_000 }).map((scaled) => (scaled / 10_000).toFixed(4));
const bar = (isClosed: boolean) =>
  fc.record({ open: price, high: price, low: price, close: price, volume: fc.option(fc.nat().map(String)) }).map(
    (figures): BarRow => ({
      symbol: "XAU-USD-SPOT",
      interval: "1h",
      barStartMs: 0,
      sourceId: "alpha",
      isClosed,
      ...figures,
    }),
  );

const reference = (bars: readonly Bar[], interval: "1d" | "1h", isStale: boolean): string =>
  JSON.stringify(
    bars.toReversed().map((each) => ({
      date: interval === "1d" ? each.bar_start.slice(0, 10) : each.bar_start,
      open: each.open,
      high: each.high,
      low: each.low,
      close: each.close,
      volume: null,
      is_stale: isStale && each === bars[0],
      is_closed: each.is_closed,
    })),
  );

test("the rows are the bars, oldest first, with or without a forming one, at both intervals", () => {
  fc.assert(
    fc.property(
      fc.array(bar(true), { maxLength: 30 }),
      fc.option(bar(false)),
      fc.constantFrom("1d", "1h"),
      fc.integer({ min: 13_674_240, max: 29_870_400 }),
      fc.boolean(),
      (closed, forming, interval, newestHalfHour, isStale) => {
        const startMs = newestHalfHour * 60 * MINUTE_MS;
        const encoded = closed.map((each, place) => encodeBar({ ...each, barStartMs: startMs - place * 60 * MINUTE_MS }));
        const formed = forming && encodeBar({ ...forming, barStartMs: startMs + 60 * MINUTE_MS });
        const bars = JSON.parse(`[${[...(formed ? [formed] : []), ...encoded].join(",")}]`) as Bar[]; // as encoded above
        const rows = rowsOf({ order: "desc", forming: formed, closed: new Uint8Array(Buffer.from(encoded.join(","))) });
        expect(`[${Buffer.from(seriesOf(rows, interval, isStale).bytes)}]`).toBe(reference(bars, interval, isStale));
      },
    ),
    { numRuns: 200 },
  );
});
