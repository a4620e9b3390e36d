/**
 * The chart: intervals and ranges of the tier, the point under the pointer in figures, the newest one moving, corrections marked.
 */
import { type Signal, useSignal } from "@preact/signals";
import { useCallback, useRef } from "preact/hooks";
import { INTERVAL_MS, type Interval } from "../../charts/forming.ts";
import type { Level } from "../../charts/price-chart.ts";
import { metalName, metalOf, metalText, unitText } from "../../data/catalogue.ts";
import { currency, weight } from "../../data/choices.ts";
import { instantText, zone } from "../../data/clock.ts";
import { DAILY_DEPTH_DAYS, hasIntraday } from "../../data/tiers.ts";
import { shown } from "../../figures/digits.ts";
import { calendarDay } from "../../figures/moments.ts";
import { apart } from "../../text/marks.ts";
import { text } from "../../text/text.ts";
import { Segments } from "../../ui/choose.tsx";
import { Drawing } from "../../ui/drawing.tsx";
import { Nothing } from "../../ui/loading.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Refusal } from "../../ui/refusal.tsx";
import { useAlertLevels } from "./alert-levels.ts";
import { type Course, newestBar, range, type Series, shape } from "./bars.ts";
import { AsTable, Legend } from "./chart-legend.tsx";
import { type Chart, ChartTools, SaveCourse } from "./chart-tools.tsx";
import { interval, isConvertible, isInBars, metal, priced, weighed } from "./choices.ts";
import { type Corrections, CorrectionsList, useCorrections } from "./corrections.tsx";
import type { MarketView } from "./market-view.ts";
import { useOlder } from "./older.ts";
import { isWithin, rangesOf, rangeText } from "./ranges.ts";

const INTERVALS = Object.keys(INTERVAL_MS) as Interval[]; // the keys of a literal

/**
 * Draws the chart.
 * @param hovered holds the start of the bar under the pointer, in epoch seconds
 * @param onPast called, maybe often, while the reader asks for what is older
 */
const usePriceChart = (hovered: Signal<number | null>, { drawing, view }: Chart, onPast: () => void) => {
  const past = useRef(onPast);
  past.current = onPast;
  return useCallback(
    async (place: HTMLElement) => {
      const { drawPrices } = await import("../../charts/price-chart.ts");
      const drawn = drawPrices(place, {
        onHover: (startSeconds) => {
          hovered.value = startSeconds;
        },
        onView: (sight) => {
          view.value = sight;
        },
        onPast: () => past.current(),
      });
      drawing.value = drawn;
      return drawn;
    },
    [hovered, drawing, view],
  );
};

const perText = (): string => text().names.per({ currency: priced.value, unit: unitText(weighed.value) });

const Controls = ({ view, course }: { readonly view: MarketView; readonly course: Course }) => {
  const depth = DAILY_DEPTH_DAYS[view.tier];
  const isOpen = hasIntraday(view.tier) && isInBars.value;
  return (
    <div class="choices">
      <Segments
        label={text().chart.range}
        chosen={range}
        value={course.range}
        options={rangesOf(course.interval).map((one) => ({
          value: one,
          text: rangeText(one),
          isOff: !isWithin(one, course.interval, depth),
        }))}
      />
      <Segments
        label={text().chart.interval}
        chosen={interval}
        value={course.interval}
        options={INTERVALS.map((one) => ({ value: one, text: one, isOff: one !== "1d" && !isOpen }))}
      />
    </div>
  );
};

/** Why there are no bars, where the currency or the weight is the reason, and the way to them. */
const InDollars = ({ view }: { readonly view: MarketView }) =>
  isInBars.value || !isConvertible.value || !hasIntraday(view.tier) ? null : (
    <>
      {text().chart.dollarsOnly({ unit: unitText(metalOf(metal.value).unit) })}{" "}
      <button
        type="button"
        class="link"
        onClick={() => {
          currency.value = "USD";
          weight.value = "oz";
        }}
      >
        {text().chart.showThose}
      </button>
    </>
  );

interface CaptionProps {
  readonly view: MarketView;
  readonly course: Course;
  readonly corrections: Corrections;
  readonly levels: readonly Level[];
}

const drawnText = ({ series, interval: length }: Course): string => {
  const { chart } = text();
  const newest = series?.made?.values().next().value;
  const per = perText();
  if (newest === undefined)
    return length === "1d" ? chart.daysOfUtc({ per }) : chart.barsIn({ length, zone: zone.value.replaceAll("_", " "), per });
  return priced.value === "USD" ? chart.closesIn({ per }) : chart.closesAtRate({ per, day: calendarDay(newest.fx_date) });
};

/** What the tier lacks of the choices above. */
const lackingText = ({ tier, row }: MarketView): string => {
  const { deeper, deeperThanYear } = text().chart;
  if (hasIntraday(tier) || row === undefined) return "";
  return isWithin("1Y", "1d", DAILY_DEPTH_DAYS[tier]) ? deeperThanYear : deeper;
};

/** What is shown, in words. */
const Caption = ({ view, course, corrections, levels }: CaptionProps) => (
  <p class="soft note">
    {drawnText(course)} {corrections.starts.size === 0 ? "" : text().chart.arrow}{" "}
    {levels.length === 0 ? "" : text().chart.dashed({ alerts: levels.map((level) => level.text).join(" · ") })}{" "}
    <InDollars view={view} />
    {lackingText(view)} {course.series?.isComplete === false ? text().chart.filling : ""}
  </p>
);

interface PlotProps {
  readonly view: MarketView;
  readonly course: Course;
  readonly series: Series;
  readonly corrections: Corrections;
  readonly levels: readonly Level[];
  readonly hovered: Signal<number | null>;
  readonly chart: Chart;
  readonly onPast: () => void;
}

/** What is drawn, in words. */
const nameOf = (series: Series): string => text().chart.named({ symbol: series.symbol, per: perText() });

const Plot = ({ view, course, series, corrections, levels, hovered, chart, onPast }: PlotProps) => {
  const draw = usePriceChart(hovered, chart, onPast);
  const newest = newestBar(series, view);
  const last = newest ?? series.bars.at(-1);
  const says = text().chart;
  const labelOf = series.made === null ? says.candlesLabel : says.closesLabel;
  return (
    <Drawing
      draw={draw}
      data={{
        ...series,
        newest,
        shape: series.made === null ? shape.value : "line",
        timeZone: zone.value,
        corrected: corrections.starts,
        levels,
        name: [series.symbol, priced.value, weighed.value, series.interval, course.range].join(" "),
      }}
      label={labelOf({
        name: nameOf(series),
        count: series.bars.length,
        newest: last?.close ? shown(last.close) : says.noNewest,
        corrected: corrections.starts.size,
      })}
      newest={last?.close}
    />
  );
};

const Place = (props: Omit<PlotProps, "series">) => {
  const { view, course } = props;
  const { series, error, askAgain } = course;
  if (series === null) {
    if (error !== null) return <Refusal error={error} askAgain={askAgain} />;
    return view.isLeftOut ? <Nothing>{text().chart.needsPro({ metal: metalName(metal.value) })}</Nothing> : null;
  }
  if (series.bars.length === 0)
    return (
      <Nothing>
        {series.made === null || priced.value === "USD"
          ? text().chart.noneYet
          : text().chart.noCloses({ currency: priced.value })}
      </Nothing>
    );
  return <Plot {...props} series={series} />;
};

/** What a picture says of its prices, wherever it is shown. */
const pictureNote = ({ mode, isDelayed, document, row }: MarketView): string => {
  const { pictured } = text().chart;
  return [
    mode === "simulated" ? pictured.simulated : mode === "replay" ? pictured.replay : null,
    isDelayed ? text().price.late({ minutes: document?.delay_minutes ?? 15 }) : null,
    row?.computed_at === undefined
      ? null
      : pictured.asOf({ when: instantText(Date.parse(row.computed_at)), zone: zone.value.replaceAll("_", " ") }),
    "Assay",
  ]
    .filter((part) => part !== null)
    .map(apart)
    .join(" · ");
};

export const ChartPanel = ({ view, course: ofRange }: { readonly view: MarketView; readonly course: Course }) => {
  const older = useOlder(ofRange, view);
  const { course } = older;
  const { series, interval: length } = course;
  const hovered = useSignal<number | null>(null);
  const chart: Chart = { drawing: useSignal(null), view: useSignal(null) };
  const corrections = useCorrections(length, series !== null && series.bars.length > 0);
  const last = series === null ? undefined : (newestBar(series, view) ?? series.bars.at(-1));
  const levels = useAlertLevels(last?.close);
  const pointed =
    hovered.value === null ? undefined : series?.bars.find(({ bar_start }) => Date.parse(bar_start) / 1_000 === hovered.value);
  const bar = pointed ?? last;
  const correction = bar === undefined ? undefined : corrections.byStart?.get(Date.parse(bar.bar_start))?.at(-1);
  return (
    <Panel
      title={text().chart.title({ metal: metalText(metal.value) })}
      place="chart"
      aside={<Controls view={view} course={course} />}
    >
      <Legend bar={bar} series={series} correction={correction} />
      <div class="drawing-place">
        <Place {...{ view, course, corrections, levels, hovered, chart }} onPast={older.more} />
      </div>
      <Caption {...{ view, course, corrections, levels }} />
      {series === null || series.bars.length === 0 ? null : (
        <>
          <ChartTools {...{ chart, course, older }} lines={[`${nameOf(series)} · ${series.interval}`, pictureNote(view)]} />
          <AsTable series={series} />
          <CorrectionsList corrections={corrections} />
          <SaveCourse course={course} />
        </>
      )}
    </Panel>
  );
};
