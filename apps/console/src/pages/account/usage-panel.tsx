/** Usage and limits of the key's organisation, as they stand, and the month by day. */
import type { Wire } from "@assay/sdk/trpc";
import { useAnswer } from "../../data/answers.ts";
import { metalText } from "../../data/catalogue.ts";
import { tierText } from "../../data/tiers.ts";
import { calendarDay, shortDay } from "../../figures/moments.ts";
import { lineOf, listText, text } from "../../text/text.ts";
import { Figure } from "../../ui/figure.tsx";
import { Moment } from "../../ui/moment.tsx";
import { Panel, Tile } from "../../ui/panel.tsx";
import { Cell, figures, Heads, Wide } from "../../ui/table.tsx";

interface DaysChartProps {
  readonly days: readonly Wire.DayUsage[];
  /** When the next month begins, ISO-8601. */
  readonly resetsAt: string;
}

const callsText = (calls: number): string => text().account.calls({ count: calls });

/** The month by day: a bar for each day so far, room for those to come, and the same as a table. */
const DaysChart = ({ days, resetsAt }: DaysChartProps) => {
  const last = new Date(Date.parse(resetsAt) - 1).toISOString().slice(0, 10);
  const busiest = days.reduce((most, one) => (one.calls > most.calls ? one : most), days[0] ?? { date: last, calls: 0 });
  const lines = text().account;
  const toCome = Number(last.slice(8)) - days.length;
  return (
    <figure class="days">
      <div
        class="columns"
        role="img"
        dir="ltr"
        aria-label={lines.daysLabel({ days: days.length, busiest: shortDay(busiest.date), calls: callsText(busiest.calls) })}
      >
        {days.map(({ date, calls }) => (
          <span key={date} title={lines.dayTitle({ day: shortDay(date), calls: callsText(calls) })}>
            <i class={calls === 0 ? "none" : ""} style={{ height: `${(calls / Math.max(1, busiest.calls)) * 100}%` }} />
          </span>
        ))}
        {Array.from({ length: toCome }, (_, at) => (
          <span key={at} />
        ))}
      </div>
      <figcaption class="soft" dir="ltr">
        <span dir="auto">{shortDay(`${last.slice(0, 8)}01`)}</span>
        <span dir="auto">
          {busiest.calls === 0 ? lines.noCalls : lines.most({ calls: callsText(busiest.calls), day: shortDay(busiest.date) })}
        </span>
        <span dir="auto">{shortDay(last)}</span>
      </figcaption>
      <details class="as-table">
        <summary>{lines.daysAsTable}</summary>
        <Wide label={lines.callsByDay}>
          <table>
            <Heads columns={[lines.day, ...figures(lines.meteredCalls)]} />
            <tbody>
              {days.toReversed().map(({ date, calls }) => (
                <tr key={date} data-day={date}>
                  <th scope="row" class="day">
                    {calendarDay(date)}
                  </th>
                  <Cell of={calls} />
                </tr>
              ))}
            </tbody>
          </table>
        </Wide>
      </details>
    </figure>
  );
};

const contractText = (type: string): string => lineOf(text().account.contractTypes, type, type);

const Limits = ({ tier }: { readonly tier: Wire.Tier }) => (
  <dl class="tiles">
    <Tile name={text().account.requestsAMinute}>
      <Figure of={tier.rate_limit_per_minute} />
    </Tile>
    <Tile name={text().account.metals}>{listText(tier.allowed_bases.map(metalText))}</Tile>
    <Tile name={text().account.contracts}>{listText(tier.allowed_contracts.map(contractText))}</Tile>
    <Tile name={text().account.commercialUse}>{tier.commercial_use ? text().account.yes : text().account.no}</Tile>
  </dl>
);

export const UsagePanel = ({ usage }: { readonly usage: Wire.Usage }) => {
  const tiers = useAnswer(["tiers"], (api, options) => api.tiers.list.query(undefined, options));
  const lines = text().account;
  const tier = tiers.data?.find(({ name }) => name === usage.tier);
  return (
    <Panel title={lines.usageOn({ tier: tierText(usage.tier) })}>
      <dl class="tiles">
        <Tile name={lines.today}>
          <Figure of={usage.calls_today} />
        </Tile>
        <Tile name={lines.thisMonth}>
          <Figure of={usage.calls_this_month} />
        </Tile>
        <div>
          <dt>{lines.leftOf({ quota: <Figure of={usage.monthly_quota} /> })}</dt>
          <dd>
            <Figure of={usage.remaining_this_month} />
          </dd>
        </div>
        <Tile name={lines.streamsOpen}>
          {usage.max_streams === null
            ? lines.noStreams
            : lines.streamsOf({ open: usage.active_streams ?? 0, most: usage.max_streams })}
        </Tile>
      </dl>
      <div class="gauge" dir="ltr" aria-hidden="true">
        <i style={{ width: `${Math.min(100, (usage.calls_this_month / Math.max(1, usage.monthly_quota)) * 100)}%` }} />
      </div>
      <p class="soft note">{lines.usageNote({ when: <Moment at={usage.resets_at} /> })}</p>
      {usage.days === null ? <p class="soft note">{lines.noDays}</p> : <DaysChart days={usage.days} resetsAt={usage.resets_at} />}
      {tier === undefined ? null : <Limits tier={tier} />}
    </Panel>
  );
};
