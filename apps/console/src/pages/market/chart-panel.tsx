/** Candles: the intervals of the tier, the bar under the pointer in figures, the forming one moving. */
import type { Wire } from "@assay/sdk/trpc";
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Candles } from "../../charts/candles.ts";
import { INTERVAL_MS, type Interval } from "../../charts/forming.ts";
import { hasIntraday } from "../../data/depth.ts";
import { calendarDay, dayAndTime } from "../../figures/moments.ts";
import { Badge } from "../../ui/badge.tsx";
import { Figure } from "../../ui/figure.tsx";
import { figures, Heads } from "../../ui/heads.tsx";
import { Nothing } from "../../ui/loading.tsx";
import { Panel, Wide } from "../../ui/panel.tsx";
import { Refusal } from "../../ui/refusal.tsx";
import { Segments } from "../../ui/segments.tsx";
import { liveBar, type Series, useBars } from "./bars.ts";
import { interval, series as seriesName } from "./choices.ts";
import type { MarketView } from "./market-view.ts";

const INTERVALS = Object.keys(INTERVAL_MS) as Interval[]; // the keys of a literal

const startText = ({ bar_start }: Wire.Bar, length: Interval): string =>
  length === "1d" ? calendarDay(bar_start.slice(0, 10)) : dayAndTime(Date.parse(bar_start));

/** A bar in figures, as published. */
const Legend = ({ bar, length }: { readonly bar: Wire.Bar | undefined; readonly length: Interval }) => (
  <p class="legend">
    {bar === undefined ? (
      <span>&nbsp;</span>
    ) : (
      <>
        <span>{startText(bar, length)}</span>
        {(["open", "high", "low", "close"] as const).map((part) => (
          <span key={part}>
            <abbr class="soft" title={part}>
              {part[0]?.toUpperCase()}
            </abbr>{" "}
            <Figure of={bar[part]} />
          </span>
        ))}
        {bar.is_closed ? null : <Badge tone="plain">forming</Badge>}
      </>
    )}
  </p>
);

/** The newest bars as a table, for those who cannot see the chart. */
const AsTable = ({ series: { bars, interval: length } }: { readonly series: Series }) => (
  <details class="as-table">
    <summary>The newest bars as a table</summary>
    <Wide label="The newest bars">
      <table>
        <Heads columns={["Start", ...figures("Open", "High", "Low", "Close")]} />
        <tbody>
          {bars
            .slice(-30)
            .toReversed()
            .map((bar) => (
              <tr key={bar.bar_start} data-bar={bar.bar_start}>
                <th scope="row">{startText(bar, length)}</th>
                {[bar.open, bar.high, bar.low, bar.close].map((figure, part) => (
                  <td key={part} class="number">
                    <Figure of={figure} />
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </Wide>
  </details>
);

/** The drawing; its code is loaded when the first bars are there. */
const Drawing = ({ series, onHover }: { readonly series: Series; readonly onHover: (startSeconds: number | null) => void }) => {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<Candles | null>(null);
  const shownName = useRef("");
  const newest = liveBar(series);
  const isDrawn = useSignal(false);
  useEffect(() => {
    let isOver = false;
    void import("../../charts/candles.ts").then(({ drawCandles }) => {
      if (isOver || place.current === null) return;
      chart.current = drawCandles(place.current, onHover);
      isDrawn.value = true;
    });
    return () => {
      isOver = true;
      chart.current?.close();
    };
  }, [onHover, isDrawn]);
  useEffect(() => {
    if (!isDrawn.value) return;
    chart.current?.show(series.bars, series.interval, shownName.current !== series.name);
    shownName.current = series.name;
  }, [series.bars, series.interval, series.name, isDrawn.value]);
  useEffect(() => {
    if (newest !== null) chart.current?.grow(newest);
  });
  const last = newest ?? series.bars.at(-1);
  return (
    <div
      ref={place}
      class="drawing"
      role="img"
      aria-label={`Candles of ${series.name}: ${series.bars.length} bars, the newest closes at ${last?.close ?? "an unknown price"}`}
      data-newest={last?.close}
    />
  );
};

/** The panel. */
export const ChartPanel = ({ view }: { readonly view: MarketView }) => {
  const { series, error, askAgain } = useBars(view);
  const hovered = useSignal<number | null>(null);
  const hover = useRef((startSeconds: number | null) => {
    hovered.value = startSeconds;
  });
  const newest = series === null ? null : liveBar(series);
  const pointed =
    hovered.value === null ? undefined : series?.bars.find(({ bar_start }) => Date.parse(bar_start) / 1_000 === hovered.value);
  const length = series?.interval ?? "1d";
  const isOpen = hasIntraday(view.tier);
  return (
    <Panel
      title={`${seriesName.value} bars`}
      place="chart"
      aside={
        <Segments
          label="Interval"
          chosen={interval}
          options={INTERVALS.map((one) => ({ value: one, text: one, isOff: one !== "1d" && !isOpen }))}
        />
      }
    >
      <Legend bar={pointed ?? newest ?? series?.bars.at(-1)} length={length} />
      {series === null && error !== null ? (
        <div class="drawing-place">
          <Refusal error={error} askAgain={askAgain} />
        </div>
      ) : (
        <div class="drawing-place">
          {series === null ? null : series.bars.length === 0 ? (
            <Nothing>No bars of this length are stored yet.</Nothing>
          ) : (
            <Drawing series={series} onHover={hover.current} />
          )}
        </div>
      )}
      <p class="soft note">
        In dollars, by UTC.
        {isOpen ? "" : " Bars shorter than a day need the tier Pro."}
        {series?.isComplete === false ? " Older bars are still being filled in." : ""}
      </p>
      {series === null || series.bars.length === 0 ? null : <AsTable series={series} />}
    </Panel>
  );
};
