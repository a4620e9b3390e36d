/** The summary of each imported file. */
import { INTERVALS } from "@assay/contract";
import type { FileSummary } from "./check/check-file.ts";
import type { Continuity } from "./check/starts.ts";
import { clipped, countOf } from "./import-error.ts";
import type { BarSource } from "./read/read-bars.ts";
import { isSpotSeries, type Written } from "./stored-bars.ts";

const instant = (ms: number): string => new Date(ms).toISOString().replace(/:00\.000Z$/, "Z");

const partial = ({ partialFirst, partialLast }: Continuity): string => {
  const ends = [
    ...(partialFirst.length > 0 ? [`first ${partialFirst.join(" ")}`] : []),
    ...(partialLast.length > 0 ? [`last ${partialLast.join(" ")}`] : []),
  ];
  return ends.length > 0 ? ends.join(", ") : "none";
};

const holes = ({ missingBars, holes: count, longest }: Continuity): string => {
  if (!longest) return "0";
  return `${count} (${countOf(missingBars, "bar")}, longest ${instant(longest.fromMs)} to ${instant(longest.untilMs)}: ${longest.bars})`;
};

const lacking = ({ isCloseOnly, isDroppingEmptyVolume }: BarSource): string =>
  [...(isCloseOnly ? ["a close"] : []), ...(isDroppingEmptyVolume ? ["volume"] : [])].join(" or ");

/** The counts of gaps and closed hours. */
const timeLine = (continuity: Continuity): string => {
  const { closedHourBars } = continuity;
  const hours = closedHourBars === null ? "not counted" : `${closedHourBars}`;
  const gaps = closedHourBars === null ? "not counted" : holes(continuity);
  return `  closed-hour bars: ${hours}; holes: ${gaps}; partial bars: ${partial(continuity)}`;
};

/**
 * The summary of a file: rows, range, bars by interval, seconds, and how the file was interpreted; then gaps and skipped rows.
 * @param removed bars removed, null when not replacing
 */
export const reportFile = (
  source: BarSource,
  summary: FileSummary,
  written: Written,
  tookMs: number,
  removed: number | null = null,
): string => {
  const { file, layout, symbol, interval, zone, scale } = source;
  const counts = INTERVALS.flatMap((each) => (written.has(each) ? [`${each} ${written.get(each)}`] : []));
  const times =
    interval === "1d" ? "days by date" : layout.timeForm.isZoned ? "times as the file states them" : `times in ${zone.name}`;
  const volumes = isSpotSeries(symbol) && layout.volume >= 0 ? "; volumes left out, as spot series have none" : "";
  const scaled = scale === undefined ? "" : `; prices × ${scale}`;
  const { closesOnly, dropped, bad } = summary;
  const passedOver = [
    ...(removed === null ? [] : [`replaced: removed ${countOf(removed, "bar")} that the file does not have`]),
    ...(closesOnly > 0 ? [`closes only: ${countOf(closesOnly, "bar")} without open, high and low`] : []),
    ...(dropped > 0 ? [`dropped: ${countOf(dropped, "row")} without ${lacking(source)}`] : []),
    ...(bad.count > 0 ? [`skipped: ${countOf(bad.count, "bad row")}`] : []),
    ...(layout.passedOver.length > 0 ? [`columns ignored: ${clipped(layout.passedOver.join(", "))}`] : []),
  ];
  return [
    `${file.path}: ${countOf(summary.rows, "row")}, ${instant(summary.firstStartMs)} to ${instant(summary.lastStartMs)}, ` +
      `written ${counts.join(", ")}, ${(tookMs / 1_000).toFixed(1)} s (${layout.form.format}, ${times}${scaled}${volumes})`,
    timeLine(summary.continuity),
    ...passedOver.map((line) => `  ${line}`),
  ].join("\n");
};
