/** Every feed: how old it is, what failed, what was refused by which rule, and the last hour as the console saw it. */
import type { Wire } from "@assay/sdk/trpc";
import { MINUTES, seenMinutes } from "../../data/status-history.ts";
import { lengthText } from "../../figures/moments.ts";
import { Badge } from "../../ui/badge.tsx";
import { Figure } from "../../ui/figure.tsx";
import { figures, Heads } from "../../ui/heads.tsx";
import { Panel, Wide } from "../../ui/panel.tsx";

const TONES = { ok: "good", waiting: "plain", failing: "bad" } as const;

/** One cell a minute, the newest on the right. */
const Hour = ({ feed, nowMinute }: { readonly feed: string; readonly nowMinute: number }) => {
  const cells = Array.from({ length: MINUTES }, (_, index) => nowMinute - MINUTES + 1 + index);
  const seen = cells.map((minute) => seenMinutes.value.get(minute)?.[feed]);
  const bad = seen.filter((one) => one === "failing").length;
  return (
    <span class="hour" role="img" aria-label={bad === 0 ? "No failure seen" : `Failing in ${bad} of the last 60 minutes`}>
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
      {name} {feed.required ? null : <span class="soft second">not required</span>}
    </th>
    <td>
      <Badge tone={TONES[feed.status]}>{feed.status}</Badge>
    </td>
    <td class="number">{feed.age_seconds === null ? <span class="soft">never</span> : lengthText(feed.age_seconds * 1_000)}</td>
    <td class="number soft">{lengthText(feed.expected_interval_seconds * 1_000)}</td>
    <td class="number">
      <Figure of={feed.consecutive_failures} />
    </td>
    <td class="number">
      <Figure of={feed.rejected_observations} />
    </td>
    <td>{feed.last_error === null ? <span class="soft">none</span> : feed.last_error.replaceAll("_", " ")}</td>
    <td>
      <Hour feed={name} nowMinute={nowMinute} />
    </td>
  </tr>
);

/** Failing feeds first: nobody on call reads to the end. */
const ORDER = { failing: 0, waiting: 1, ok: 2 } as const;

/** The panel. */
export const FeedsPanel = ({ status }: { readonly status: Wire.Status }) => {
  const nowMinute = Math.floor(Date.parse(status.checked_at) / 60_000);
  const feeds = Object.entries(status.scrapers).sort(
    ([one, a], [other, b]) => ORDER[a.status] - ORDER[b.status] || one.localeCompare(other),
  );
  return (
    <Panel title="Feeds">
      <Wide label="Feeds">
        <table>
          <Heads
            columns={[
              "Feed",
              "State",
              ...figures("Age", "Expected every", "Failures in a row", "Refused"),
              "Last error or rule",
              "The last hour, as seen here",
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
