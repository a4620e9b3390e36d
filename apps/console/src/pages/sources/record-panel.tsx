/** What each source delivered in the window: how available it was, what was refused by which rule, and how far it was from the price. */
import type { Wire } from "@assay/sdk/trpc";
import { instantText } from "../../data/clock.ts";
import { percentText, shown } from "../../figures/digits.ts";
import { distanceOfBps, percentOfShare } from "../../figures/exact.ts";
import { ruleText, text } from "../../text/text.ts";
import { Figure } from "../../ui/figure.tsx";
import { Nothing } from "../../ui/loading.tsx";
import { Age } from "../../ui/moment.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Cell, figures, Heads, Wide } from "../../ui/table.tsx";

/** Percent, and the published basis points below it. */
const Distance = ({ bps }: { readonly bps: number | null }) => (
  <td class="number">
    {bps === null ? (
      <Figure of={null} />
    ) : (
      <>
        <Figure of={distanceOfBps(bps)} unit="%" />
        <span class="soft second">
          <Figure of={bps} unit={text().figures.bps} />
        </span>
      </>
    )}
  </td>
);

/** How many were refused, and by which rules, the most frequent first. */
const Refused = ({ byRule }: { readonly byRule: Wire.SourceRecord["refused"] }) => {
  const rules = Object.entries(byRule).sort(([, one], [, other]) => other - one);
  return (
    <td class="number">
      <Figure of={rules.reduce((sum, [, count]) => sum + count, 0)} />
      {rules.length === 0 ? null : (
        <span class="soft second">
          {rules.map(([rule, count], place) => (
            <span key={rule}>
              {place === 0 ? "" : " · "}
              <bdi>{ruleText(rule)}</bdi> {shown(String(count))}
            </span>
          ))}
        </span>
      )}
    </td>
  );
};

const Row = ({ row }: { readonly row: Wire.SourceRecord }) => (
  <tr data-source={`${row.source} ${row.instrument}`}>
    <th scope="row">
      <bdi>{row.display_name}</bdi>
      <span class="soft second narrow-only">{row.instrument}</span>
      {row.origin === row.source ? null : <span class="soft second">{text().sources.figuresOf({ origin: row.origin })}</span>}
    </th>
    <td class="whole-words wide-only">{row.instrument}</td>
    <td class="number">
      {row.availability === null ? <Figure of={null} /> : <Figure of={percentOfShare(row.availability)} unit="%" />}
    </td>
    <Cell of={row.expected} />
    <Cell of={row.received} />
    <Cell of={row.accepted} />
    <Refused byRule={row.refused} />
    <Distance bps={row.deviation_bps.median} />
    <Distance bps={row.deviation_bps.p99} />
    <td class="number">
      {row.last_accepted_at === null ? <span class="soft">{text().time.never}</span> : <Age at={row.last_accepted_at} />}
    </td>
  </tr>
);

interface RecordProps {
  readonly rows: readonly Wire.SourceRecord[];
  readonly from: string;
  readonly to: string;
}

export const RecordPanel = ({ rows, from, to }: RecordProps) => {
  const says = text().sources;
  const { source } = text().priceSources;
  const isCounted = rows.some(({ expected, received }) => expected + received > 0);
  return (
    <Panel title={says.record}>
      {isCounted ? null : <Nothing>{says.none}</Nothing>}
      {rows.length === 0 ? null : (
        <Wide label={says.record}>
          <table>
            <Heads
              columns={[
                source,
                { wideOnly: says.instrument },
                ...figures(
                  says.availability,
                  says.expected,
                  says.received,
                  says.accepted,
                  text().status.refused,
                  says.half,
                  says.within({ percent: percentText("99") }),
                  says.last,
                ),
              ]}
            />
            <tbody>
              {rows.map((row) => (
                <Row key={`${row.source} ${row.instrument}`} row={row} />
              ))}
            </tbody>
          </table>
        </Wide>
      )}
      <p class="soft note">
        {says.counted({ from: instantText(Date.parse(from)), to: instantText(Date.parse(to)) })} {says.rules}
      </p>
    </Panel>
  );
};
