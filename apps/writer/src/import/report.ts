/** What an import says of each file when it is done with it. */
import { INTERVALS } from "@assay/contract";
import type { FileSummary } from "./check-file.ts";
import type { BarSource } from "./read-bars.ts";
import { isSpotSeries } from "./symbols.ts";
import type { Written } from "./write-file.ts";

const instant = (ms: number): string => new Date(ms).toISOString().replace(/:00\.000Z$/, "Z");

/** A finished file: rows, range, bars by interval, seconds, and how the file was understood. */
export const reportFile = (source: BarSource, summary: FileSummary, written: Written, tookMs: number): string => {
  const { file, layout, symbol, interval, zone } = source;
  const counts = INTERVALS.flatMap((each) => (written.has(each) ? [`${each} ${written.get(each)}`] : []));
  const times =
    layout.form.zone === null ? "times as the file states them" : interval === "1d" ? "days by date" : `times in ${zone.name}`;
  const volumes = isSpotSeries(symbol) && layout.volume >= 0 ? "; volumes left out, as spot series have none" : "";
  const holes = INTERVALS.flatMap((each) =>
    written.has(each) && summary.holes.has(each) ? [`${each} ${summary.holes.get(each)}`] : [],
  );
  const incomplete = holes.length === 0 ? "" : `; bars with missing ${interval} rows: ${holes.join(", ")}`;
  return (
    `${file.path}: ${summary.rows} rows, ${instant(summary.firstStartMs)} to ${instant(summary.lastStartMs)}, ` +
    `written ${counts.join(", ")}, ${(tookMs / 1_000).toFixed(1)} s (${layout.form.format}, ${times}${volumes})${incomplete}`
  );
};
