/** Sources: how reliable each one was in a window, and when it was silent. */
import type { Wire } from "@assay/sdk/trpc";
import { useSignal } from "@preact/signals";
import { useAnswer } from "../../data/answers.ts";
import { choice } from "../../data/choices.ts";
import { lengthText } from "../../figures/moments.ts";
import { lineOf, text } from "../../text/text.ts";
import { AsCall } from "../../ui/call.tsx";
import { Segments, Select } from "../../ui/choose.tsx";
import { Badge } from "../../ui/figure.tsx";
import { Nothing, PendingPanel } from "../../ui/loading.tsx";
import { Moment } from "../../ui/moment.tsx";
import { PageHead, Panel } from "../../ui/panel.tsx";
import { figures, Heads, Wide } from "../../ui/table.tsx";
import { RecordPanel } from "./record-panel.tsx";

/** Outages shown; whoever needs more has the route. */
const SHOWN = 50;

interface OutagesProps {
  readonly rows: readonly Wire.SourceRecord[];
  /** Until when is known. */
  readonly to: string;
}

/** When sources had no accepted reading, newest first. */
const OutagesPanel = ({ rows, to: known }: OutagesProps) => {
  const says = text().sources;
  const { source } = text().priceSources;
  const { why } = text().barCorrections;
  const outages = rows
    .flatMap(({ display_name, instrument, incidents }) => incidents.map((each) => ({ ...each, display_name, instrument })))
    .sort((one, other) => other.from.localeCompare(one.from));
  return (
    <Panel title={says.outages}>
      {outages.length === 0 ? (
        <Nothing>{rows.every(({ expected }) => expected === 0) ? says.none : says.noOutage}</Nothing>
      ) : (
        <Wide label={says.outages}>
          <table>
            <Heads columns={[source, says.instrument, says.from, says.to, ...figures(says.lasted), why]} />
            <tbody>
              {outages.slice(0, SHOWN).map(({ display_name, instrument, from, to, kind }) => (
                <tr key={`${display_name} ${instrument} ${from}`} data-outage={from}>
                  <th scope="row">
                    <bdi>{display_name}</bdi>
                  </th>
                  <td class="whole-words">{instrument}</td>
                  <td class="day">
                    <Moment at={from} />
                  </td>
                  <td class="day">{to === null ? <Badge tone="warn">{says.notOver}</Badge> : <Moment at={to} />}</td>
                  <td class="number">{lengthText(Date.parse(to ?? known) - Date.parse(from))}</td>
                  <td>{lineOf(says.kinds, kind, kind.replaceAll("_", " "))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Wide>
      )}
      <p class="soft note">
        {says.outageIs} {outages.length > SHOWN ? says.more({ newest: SHOWN, all: outages.length }) : ""}
      </p>
    </Panel>
  );
};

const WINDOWS = ["24h", "30d", "1y"] as const;

const window = choice("sources", "window", WINDOWS, "24h");

/** The record gains a quarter of an hour at a time. */
const EVERY_SECONDS = 60;

const windowText = (one: (typeof WINDOWS)[number]): string => {
  const { time, sources } = text();
  return { "24h": time.hours({ count: 24 }), "30d": time.days({ count: 30 }), "1y": sources.year }[one];
};

export const SourcesPage = () => {
  const says = text().sources;
  const chosen = window.value;
  const instrument = useSignal("");
  const { data, error, askAgain } = useAnswer(
    ["sources", chosen],
    (api, options) => api.sources.list.query({ window: chosen }, options),
    { everySeconds: EVERY_SECONDS },
  );
  const instruments = [...new Set(data?.sources.map((row) => row.instrument))].sort();
  const rows = data?.sources.filter((row) => instrument.value === "" || row.instrument === instrument.value) ?? [];
  return (
    <div class="page">
      <PageHead
        title={text().ui.pages.sources}
        aside={
          <div class="choices">
            <Select
              label={says.instrument}
              chosen={instrument}
              options={[{ value: "", text: says.all }, ...instruments.map((one) => ({ value: one, text: one }))]}
            />
            <Segments
              label={says.window}
              chosen={window}
              options={WINDOWS.map((one) => ({ value: one, text: windowText(one) }))}
            />
          </div>
        }
      >
        {says.intro}
      </PageHead>
      {data === undefined ? (
        <PendingPanel what="record" lines={12} error={error} askAgain={askAgain} />
      ) : (
        <>
          <RecordPanel rows={rows} from={data.from} to={data.to} />
          <OutagesPanel rows={rows} to={data.to} />
        </>
      )}
      <AsCall
        calls={[
          {
            what: text().calls.record,
            path: `v1/sources?window=${chosen}`,
            sdk: `assay.sources.list({ window: "${chosen}" })`,
            isOpen: true,
          },
        ]}
      />
    </div>
  );
};
