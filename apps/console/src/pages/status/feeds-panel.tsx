/** Every feed: how old it is, what failed, what was refused by which rule, and the last hour as the console saw it. */
import type { Wire } from "@assay/sdk/trpc";
import { MINUTES, seenMinutes } from "../../data/status-history.ts";
import { lengthText } from "../../figures/moments.ts";
import { ruleText, text } from "../../text/text.ts";
import { Badge } from "../../ui/figure.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Cell, figures, Heads, Wide } from "../../ui/table.tsx";

const TONES = { ok: "good", waiting: "plain", failing: "bad" } as const;

/** One cell a minute, the newest on the right. */
const Hour = ({ feed, nowMinute }: { readonly feed: string; readonly nowMinute: number }) => {
  const cells = Array.from({ length: MINUTES }, (_, index) => nowMinute - MINUTES + 1 + index);
  const seen = cells.map((minute) => seenMinutes.value.get(minute)?.[feed]);
  const bad = seen.filter((one) => one === "failing").length;
  return (
    <span
      class="hour"
      dir="ltr"
      role="img"
      aria-label={bad === 0 ? text().status.noFailure : text().status.failedIn({ minutes: bad, all: MINUTES })}
    >
      {seen.map((one, index) => (
        <i key={cells[index]} class={one ?? "unknown"} />
      ))}
    </span>
  );
};

interface RowProps {
  readonly name: string;
  readonly feed: Wire.FeedStatus;
  readonly nowMinute: number;
}

const Row = ({ name, feed, nowMinute }: RowProps) => (
  <tr>
    <th scope="row">
      {name} {feed.required ? null : <span class="soft second">{text().status.notRequired}</span>}
    </th>
    <td>
      <Badge tone={TONES[feed.status]}>{text().status.feedStates[feed.status]}</Badge>
    </td>
    <td class="number">
      {feed.age_seconds === null ? <span class="soft">{text().time.never}</span> : lengthText(feed.age_seconds * 1_000)}
    </td>
    <td class="number soft">{lengthText(feed.expected_interval_seconds * 1_000)}</td>
    <Cell of={feed.consecutive_failures} />
    <Cell of={feed.rejected_observations} />
    <td>{feed.last_error === null ? <span class="soft">{text().status.none}</span> : <bdi>{ruleText(feed.last_error)}</bdi>}</td>
    <td>
      <Hour feed={name} nowMinute={nowMinute} />
    </td>
  </tr>
);

/** Failing feeds first: nobody on call reads to the end. */
const ORDER = { failing: 0, waiting: 1, ok: 2 } as const;

export const FeedsPanel = ({ status }: { readonly status: Wire.Status }) => {
  const nowMinute = Math.floor(Date.parse(status.checked_at) / 60_000);
  const feeds = Object.entries(status.scrapers).sort(
    ([one, a], [other, b]) => ORDER[a.status] - ORDER[b.status] || one.localeCompare(other),
  );
  const lines = text().status;
  return (
    <Panel title={lines.feeds}>
      <Wide label={lines.feeds}>
        <table>
          <Heads
            columns={[
              lines.feed,
              lines.state,
              ...figures(lines.age, lines.expectedEvery, lines.failures, lines.refused),
              lines.lastError,
              lines.lastHour,
            ]}
          />
          <tbody>
            {feeds.map(([name, feed]) => (
              <Row key={name} name={name} feed={feed} nowMinute={nowMinute} />
            ))}
          </tbody>
        </table>
      </Wide>
    </Panel>
  );
};
