/** The state of the service: whether prices can be trusted now, and why not. */
import type { Wire } from "@assay/sdk/trpc";
import { timeText } from "../../data/clock.ts";
import { useMode, useStatus } from "../../data/questions.ts";
import { lostSince } from "../../data/service.ts";
import { lengthText } from "../../figures/moments.ts";
import { lineOf, listText, text } from "../../text/text.ts";
import { AsCall } from "../../ui/call.tsx";
import { Badge } from "../../ui/figure.tsx";
import { PendingPanel } from "../../ui/loading.tsx";
import { Age } from "../../ui/moment.tsx";
import { PageHead, Panel } from "../../ui/panel.tsx";
import { figures, Heads, Wide } from "../../ui/table.tsx";
import { ChecksPanel } from "./checks-panel.tsx";
import { FeedsPanel } from "./feeds-panel.tsx";

type Staleness = Wire.Status["value_staleness"][string];

const wordsOf = (reason: string | null): string => {
  const { reasons } = text().status;
  return reason === null ? reasons.other : lineOf(reasons, reason, reason.replaceAll("_", " "));
};

/** Stale prices shown at once; more of them have a common reason, which is said in the sentence above. */
const AT_ONCE = 6;

/** How many are stale for each reason, in words. */
const reasonsOf = (stale: readonly Staleness[]): string => {
  const counts = new Map<string, number>();
  for (const { reason } of stale) counts.set(wordsOf(reason), (counts.get(wordsOf(reason)) ?? 0) + 1);
  const all = [...counts].map(([reason, count]) => (counts.size === 1 ? reason : text().status.counted({ count, reason })));
  return listText(all);
};

/** Which prices are fresh, and why the others are not; what is stale comes first, and what is fresh is folded away. */
const StalenessPanel = ({ status: { value_staleness } }: { readonly status: Wire.Status }) => {
  const lines = text().status;
  const all = Object.entries(value_staleness);
  const stale = all.filter(([, { is_stale }]) => is_stale);
  const rows = [...stale, ...all.filter(([, { is_stale }]) => !is_stale)];
  const table = (shown: typeof rows) => (
    <Wide label={lines.prices}>
      <table>
        <Heads columns={[lines.symbol, ...figures(lines.age), lines.why]} />
        <tbody>
          {shown.map(([symbol, { is_stale, age_seconds, reason }]) => (
            <tr key={symbol}>
              <th scope="row">{symbol}</th>
              <td class="number">{age_seconds === null ? text().time.never : lengthText(age_seconds * 1_000)}</td>
              <td>{is_stale ? <Badge tone="warn">{wordsOf(reason)}</Badge> : <span class="soft">{lines.fresh}</span>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
  return (
    <Panel title={lines.prices}>
      <p>
        {stale.length === 0
          ? lines.allFresh({ count: rows.length })
          : lines.someStale({ stale: stale.length, all: rows.length, why: reasonsOf(stale.map(([, one]) => one)) })}
      </p>
      {stale.length === 0 || stale.length > AT_ONCE ? null : table(stale)}
      <details class="as-table">
        <summary>{lines.everyPrice}</summary>
        {table(rows)}
      </details>
    </Panel>
  );
};

/** What was read before the service was lost says nothing about now. */
const Overall = ({ status }: { readonly status: Wire.Status }) => {
  const since = lostSince.value;
  if (since !== null) return <Badge tone="bad">{text().status.noAnswer({ since: timeText(since) })}</Badge>;
  return status.status === "ok" ? (
    <Badge tone="good">{text().status.well}</Badge>
  ) : (
    <Badge tone="bad">{text().status.degraded}</Badge>
  );
};

export const StatusPage = () => {
  const { data: status, error, askAgain } = useStatus();
  const mode = useMode();
  return (
    <div class="page">
      <PageHead
        title={text().ui.pages.status}
        aside={
          status === undefined ? null : (
            <p class="badges">
              <Overall status={status} />
              {status.simulated ? <Badge tone="accent">{text().ui.simulated}</Badge> : null}
              {mode === "replay" ? <Badge tone="accent">{text().ui.replay}</Badge> : null}
              <span class="soft">{text().status.checked({ age: <Age at={status.checked_at} />, version: status.version })}</span>
            </p>
          )
        }
      >
        {text().status.intro}
      </PageHead>
      {status === undefined ? (
        <PendingPanel what="status" lines={12} error={error} askAgain={askAgain} />
      ) : (
        <>
          {status.reasons.length === 0 ? null : (
            <section class="panel reasons" aria-label={text().status.whyDegraded}>
              <ul>
                {status.reasons.map((reason) => (
                  <li key={reason}>
                    <bdi>{reason}</bdi>
                  </li>
                ))}
              </ul>
            </section>
          )}
          <ChecksPanel status={status} />
          <StalenessPanel status={status} />
          <FeedsPanel status={status} />
        </>
      )}
      <AsCall calls={[{ what: text().calls.status, path: "v1/status", sdk: "assay.system.status()", isOpen: true }]} />
    </div>
  );
};
