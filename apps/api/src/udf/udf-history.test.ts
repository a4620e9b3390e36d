/** The copied columns against the same columns made one by one from parsed bars. */
import { type Bar, HOUR_MS } from "@assay/contract";
import { encodeBar } from "@assay/db";
import type { BarRow } from "@assay/pricing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { historyBody } from "./udf-history.ts";

const LAST_MS = Date.UTC(2026, 10, 20);
const price = fc.integer({ min: 1, max: 900_000_000 }).map((scaled) => (scaled / 10_000).toFixed(4));
const row = fc
  .record({ open: price, high: price, low: price, close: price, volume: fc.option(fc.nat().map(String)) })
  .map((figures): BarRow => ({ symbol: "GC", interval: "1h", barStartMs: 0, sourceId: "alpha", isClosed: true, ...figures }));
/** Bars of the contract may have no price. */
const withoutPrice = fc.constantFrom("none", "open", "close");

const secondsOf = ({ bar_start }: Bar): number => Date.parse(bar_start) / 1_000;
const reference = (query: { from: number; to: number; countback?: number | undefined }, bars: readonly Bar[]): string => {
  const known = bars.filter((bar) => bar.close !== null && secondsOf(bar) < query.to);
  const shown = (query.countback === undefined ? known.filter((bar) => secondsOf(bar) >= query.from) : known).toReversed();
  if (shown.length === 0) return JSON.stringify({ s: "no_data", ...(known[0] ? { nextTime: secondsOf(known[0]) } : {}) });
  const column = (name: string, figures: readonly (string | number | null)[]) =>
    `"${name}":[${figures.map((figure) => figure ?? "null").join(",")}]`;
  const columns = [
    column("t", shown.map(secondsOf)),
    ...(["open", "high", "low", "close"] as const).map((name) =>
      column(
        name.charAt(0),
        shown.map((bar) => bar[name] ?? bar.close),
      ),
    ),
  ];
  if (shown.some(({ volume }) => volume !== null))
    columns.push(
      column(
        "v",
        shown.map(({ volume }) => volume ?? "0"),
      ),
    );
  return `{"s":"ok",${columns.join(",")}}`;
};

test("the answer is the bars in columns, in any window, to the last digit", () => {
  const hour = fc.integer({ min: -3, max: 33 });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(row, withoutPrice), { maxLength: 30 }),
      ...[hour, hour, fc.option(fc.nat(30), { nil: undefined }), fc.nat(30)],
      (rows, from, to, countback, cut) => {
        const bars = rows.map(([each, lacking], place): Bar => {
          const bar = JSON.parse(encodeBar({ ...each, barStartMs: LAST_MS - place * HOUR_MS })) as Bar; // as encoded
          return lacking === "none" ? bar : { ...bar, [lacking]: null };
        });
        const at = (hours: number): number => (LAST_MS - hours * HOUR_MS) / 1_000;
        const query = { symbol: "GC", resolution: "60" as const, from: at(from), to: at(to), countback };
        const encoded = bars.map((bar, place) => Buffer.from(JSON.stringify(bar) + (place < bars.length - 1 ? "," : "")));
        const pieces = [Buffer.concat(encoded.slice(0, cut)), Buffer.concat(encoded.slice(cut))];
        expect(Buffer.from(historyBody(query, pieces)).toString()).toBe(reference(query, bars));
      },
    ),
    { numRuns: 300 },
  );
});
