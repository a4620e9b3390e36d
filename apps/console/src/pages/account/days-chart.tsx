/** The month by day: a bar for each day so far, room for those to come, and the same as a table. */
import type { Wire } from "@assay/sdk/trpc";
import { calendarDay, shortDay } from "../../figures/moments.ts";
import { Figure, shown } from "../../ui/figure.tsx";
import { figures, Heads } from "../../ui/heads.tsx";
import { Wide } from "../../ui/panel.tsx";

interface DaysChartProps {
  readonly days: readonly Wire.DayUsage[];
  /** When the next month begins, ISO-8601. */
  readonly resetsAt: string;
}

const callsText = (calls: number): string => `${shown(String(calls))} ${calls === 1 ? "call" : "calls"}`;

/** The chart. */
export const DaysChart = ({ days, resetsAt }: DaysChartProps) => {
  const last = new Date(Date.parse(resetsAt) - 1).toISOString().slice(0, 10);
  const busiest = days.reduce((most, one) => (one.calls > most.calls ? one : most), days[0] ?? { date: last, calls: 0 });
  const toCome = Number(last.slice(8)) - days.length;
  return (
    <figure class="days">
      <div
        class="columns"
        role="img"
        aria-label={`Calls on each of ${days.length} days; most on ${shortDay(busiest.date)}: ${callsText(busiest.calls)}`}
      >
        {days.map(({ date, calls }) => (
          <span key={date} title={`${shortDay(date)}: ${callsText(calls)}`}>
            <i class={calls === 0 ? "none" : ""} style={{ height: `${(calls / Math.max(1, busiest.calls)) * 100}%` }} />
          </span>
        ))}
        {Array.from({ length: toCome }, (_, at) => (
          <span key={at} />
        ))}
      </div>
      <figcaption class="soft">
        <span>{shortDay(`${last.slice(0, 8)}01`)}</span>
        <span>{busiest.calls === 0 ? "no calls yet" : `most: ${callsText(busiest.calls)} on ${shortDay(busiest.date)}`}</span>
        <span>{shortDay(last)}</span>
      </figcaption>
      <details class="as-table">
        <summary>The days as a table</summary>
        <Wide label="Calls by day">
          <table>
            <Heads columns={["Day", ...figures("Metered calls")]} />
            <tbody>
              {days.toReversed().map(({ date, calls }) => (
                <tr key={date} data-day={date}>
                  <th scope="row" class="day">
                    {calendarDay(date)}
                  </th>
                  <td class="number">
                    <Figure of={calls} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Wide>
      </details>
    </figure>
  );
};
