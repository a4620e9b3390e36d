/** Below the chart: what part of its time is in sight, moving and zooming by buttons, and keeping it as a picture or a file. */
import { type Signal, useSignal } from "@preact/signals";
import type { PriceDrawing } from "../../charts/price-chart.ts";
import { startText } from "../../data/clock.ts";
import { readText, save } from "../../data/plain.ts";
import { text } from "../../text/text.ts";
import { Segments } from "../../ui/choose.tsx";
import { Refusal } from "../../ui/refusal.tsx";
import { type Course, shape } from "./bars.ts";
import { cross, isInBars, series, weighed } from "./choices.ts";
import type { Older } from "./older.ts";
import { MOST, startMs } from "./ranges.ts";

const CLOSER = 0.5;
const WIDER = 2;

/** A drawn chart, and what of it is in sight. */
export interface Chart {
  /** Null until it is drawn. */
  readonly drawing: Signal<PriceDrawing | null>;
  /** Starts of the first and the last bar in sight, in epoch seconds. */
  readonly view: Signal<readonly [fromSeconds: number, toSeconds: number] | null>;
}

interface ToolsProps {
  readonly chart: Chart;
  readonly course: Course;
  readonly older: Older;
  /** What is written above the picture, the title first. */
  readonly lines: readonly string[];
}

const InSight = ({ chart: { view }, course: { interval } }: Pick<ToolsProps, "chart" | "course">) => {
  if (view.value === null) return null;
  const [from, to] = view.value.map((seconds) => new Date(seconds * 1_000).toISOString());
  return (
    <span class="soft in-sight" data-from={from} data-to={to}>
      <bdi>{text().chart.view({ from: startText(from ?? "", interval), to: startText(to ?? "", interval) })}</bdi>
    </span>
  );
};

/** What is shown, as its files are named. */
const nameOf = ({ interval, range }: Course): string =>
  [...(isInBars.value ? [series.value, interval] : [cross.value, weighed.value]), range].join("-");

/** The tools, from left to right in every language as the chart is. */
export const ChartTools = ({ chart, course, older, lines }: ToolsProps) => {
  const says = text().chart;
  const { drawing } = chart;
  const button = (label: string, sign: string, act: (drawn: PriceDrawing) => void) => (
    <button
      type="button"
      class="small"
      aria-label={label}
      title={label}
      disabled={drawing.value === null}
      onClick={() => {
        if (drawing.value !== null) act(drawing.value);
      }}
    >
      <bdi>{sign}</bdi>
    </button>
  );
  const keep = async (drawn: PriceDrawing): Promise<void> =>
    save(`${nameOf(course)}.png`, await drawn.picture(lines), "image/png");
  return (
    <>
      <fieldset class="chart-tools" dir="ltr">
        <legend class="unseen">{says.tools}</legend>
        {course.series?.made === null ? (
          <Segments
            label={says.shape}
            chosen={shape}
            options={[
              { value: "candles", text: says.shapes.candles },
              { value: "line", text: says.shapes.line },
            ]}
          />
        ) : null}
        {button(says.earlier, "‹", (drawn) => drawn.toPast())}
        {button(says.zoomOut, "−", (drawn) => drawn.zoom(WIDER))}
        {button(says.zoomIn, "+", (drawn) => drawn.zoom(CLOSER))}
        {button(says.now, says.now, (drawn) => drawn.toNow())}
        {button(says.savePicture, says.savePicture, (drawn) => void keep(drawn))}
        <InSight chart={chart} course={course} />
      </fieldset>
      <p class="soft past" role="status">
        {older.says}
      </p>
      {older.error === null ? null : <Refusal error={older.error} askAgain={older.more} />}
    </>
  );
};

const fileOf = (course: Course): { readonly name: string; readonly path: string } => {
  const { interval, range, series: shown } = course;
  const nowMs = Date.now();
  // The reader may have moved beyond the range.
  const oldestMs = Date.parse(shown?.bars[0]?.bar_start ?? "");
  const fromMs = Math.min(startMs(range, nowMs), Number.isNaN(oldestMs) ? nowMs : oldestMs);
  const [from, to] = [fromMs, nowMs].map((ms) => new Date(ms).toISOString());
  const window = isInBars.value ? { from, to } : { from: from?.slice(0, 10), to: to?.slice(0, 10) };
  const query = isInBars.value ? { symbol: series.value, interval } : { symbol: cross.value, unit: weighed.value };
  const search = new URLSearchParams({ ...query, ...window, limit: String(MOST), format: "csv" } as Record<string, string>); // none is missing
  return {
    name: `${nameOf(course)}.csv`,
    path: `v1/${isInBars.value ? "bars" : "series"}?${search}`,
  };
};

/** The chart's figures as a file, as the service writes it. */
export const SaveCourse = ({ course }: { readonly course: Course }) => {
  const error = useSignal<Error | null>(null);
  const saveIt = async (): Promise<void> => {
    const { name, path } = fileOf(course);
    try {
      save(name, await readText(path), "text/csv");
      error.value = null;
    } catch (cause) {
      error.value = cause instanceof Error ? cause : new Error(String(cause));
    }
  };
  return (
    <>
      <button type="button" class="small save-course" onClick={saveIt}>
        {text().chart.saveCsv}
      </button>
      {error.value === null ? null : <Refusal error={error.value} askAgain={saveIt} />}
    </>
  );
};
