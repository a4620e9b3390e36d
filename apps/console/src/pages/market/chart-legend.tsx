/** The bar under the pointer in figures, as published, and the newest of them as a table. */
import type { Wire } from "@assay/sdk/trpc";
import { metalOf, unitText } from "../../data/catalogue.ts";
import { startText } from "../../data/clock.ts";
import { calendarDay } from "../../figures/moments.ts";
import { text } from "../../text/text.ts";
import { Badge, Figure } from "../../ui/figure.tsx";
import { Cell, figures, Heads, Wide } from "../../ui/table.tsx";
import type { Series } from "./bars.ts";
import { metal, priced } from "./choices.ts";
import { CorrectedFrom } from "./corrections.tsx";

const PARTS = ["open", "high", "low", "close"] as const;

const Candle = ({ bar }: { readonly bar: Wire.Bar }) => (
  <>
    {PARTS.map((part) => (
      <span key={part}>
        <abbr class="soft" title={text().chart.parts[part].long}>
          {text().chart.parts[part].short}
        </abbr>{" "}
        <Figure of={bar[part]} />
      </span>
    ))}
  </>
);

const Close = ({ bar, made }: { readonly bar: Wire.Bar; readonly made: Wire.SeriesPoint | undefined }) => (
  <>
    <span>
      <span class="soft">{bar.is_closed ? text().chart.close : text().chart.latest}</span>{" "}
      <Figure of={bar.close} unit={priced.value} />
    </span>
    {made === undefined || priced.value === "USD" ? null : (
      <span class="soft">
        {text().chart.madeOf({
          dollars: <Figure of={made.usd_close} />,
          unit: unitText(metalOf(metal.value).unit),
          day: calendarDay(made.fx_date),
        })}
      </span>
    )}
  </>
);

interface LegendProps {
  readonly bar: Wire.Bar | undefined;
  readonly series: Series | null;
  readonly correction: Wire.Correction | undefined;
}

export const Legend = ({ bar, series, correction }: LegendProps) => (
  <p class="legend">
    {bar === undefined || series === null ? (
      <span>&nbsp;</span>
    ) : (
      <>
        <span>{startText(bar.bar_start, series.interval)}</span>
        {series.made === null ? <Candle bar={bar} /> : <Close bar={bar} made={series.made.get(bar.bar_start.slice(0, 10))} />}
        {bar.is_closed || series.made !== null ? null : <Badge tone="plain">{text().chart.forming}</Badge>}
        {correction === undefined ? null : <CorrectedFrom of={correction} />}
      </>
    )}
  </p>
);

/** Rows of the table. */
const SHOWN = 30;

const Bars = ({ series: { bars, interval: length } }: { readonly series: Series }) => (
  <Wide label={text().chart.newestBars}>
    <table>
      <Heads columns={[text().chart.start, ...figures(...PARTS.map((part) => text().chart.columns[part]))]} />
      <tbody>
        {bars
          .slice(-SHOWN)
          .toReversed()
          .map((bar) => (
            <tr key={bar.bar_start} data-bar={bar.bar_start}>
              <th scope="row">{startText(bar.bar_start, length)}</th>
              {PARTS.map((part) => (
                <Cell key={part} of={bar[part]} />
              ))}
            </tr>
          ))}
      </tbody>
    </table>
  </Wide>
);

const Closes = ({ made }: { readonly made: readonly Wire.SeriesPoint[] }) => (
  <Wide label={text().chart.newestCloses}>
    <table>
      <Heads
        columns={[
          text().chart.day,
          ...figures(
            text().chart.closeIn({ currency: priced.value }),
            text().chart.closeIn({ currency: "USD" }),
            text().chart.rate,
          ),
          text().chart.rateOf,
        ]}
      />
      <tbody>
        {made.slice(0, SHOWN).map(({ date, price, usd_close, fx_rate, fx_date }) => (
          <tr key={date} data-day={date}>
            <th scope="row" class="day">
              {calendarDay(date)}
            </th>
            <Cell of={price} />
            <Cell of={usd_close} />
            <Cell of={fx_rate} />
            <td class="day">{calendarDay(fx_date)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Wide>
);

/** The newest points as a table, for those who cannot see the chart. */
export const AsTable = ({ series }: { readonly series: Series }) => (
  <details class="as-table">
    <summary>{series.made === null ? text().chart.barsAsTable : text().chart.closesAsTable}</summary>
    {series.made === null ? <Bars series={series} /> : <Closes made={[...series.made.values()]} />}
  </details>
);
