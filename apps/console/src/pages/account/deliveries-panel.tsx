/** What became of the events of the last days: tries, refusals and the next try, newest first. */
import type { Wire } from "@assay/sdk/trpc";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api, useAnswer } from "../../data/answers.ts";
import { useAlerts } from "../../data/questions.ts";
import { lineOf, text } from "../../text/text.ts";
import { Badge, Figure, type Tone } from "../../ui/figure.tsx";
import { Nothing, Pending } from "../../ui/loading.tsx";
import { Age, Moment } from "../../ui/moment.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Cell, figures, Heads, Wide } from "../../ui/table.tsx";
import { DELIVERIES, ENDPOINTS, Fault, useChanges, useEndpoints } from "./changes.tsx";

const A_PAGE = 20;
/** How long deliveries are kept. */
const KEPT_DAYS = 30;
/** How often they are read, in seconds: more often while one is about to be tried. */
const EVERY = { usually: 30, soon: 5 } as const;
const SOON_MS = 60_000;

const TONES: Readonly<Record<Wire.Delivery["status"], Tone>> = { pending: "warn", delivered: "good", failed: "bad" };

const isSoon = ({ next_try_at: nextTryAt }: Wire.Delivery): boolean =>
  nextTryAt !== null && Date.parse(nextTryAt) - Date.now() < SOON_MS;

const Why = ({ of: { last_status: status, last_error: error } }: { readonly of: Wire.Delivery }) => {
  const lines = text().deliveries;
  if (error === null) return null;
  return (
    <span class="soft second">
      {status === null ? lineOf(lines.faults, error, error) : lines.answered({ status: <Figure of={status} /> })}
    </span>
  );
};

interface RowProps {
  readonly one: Wire.Delivery;
  /** The alert's name, or for a test where it is sent; undefined when that is deleted. */
  readonly about: string | undefined;
  readonly isBusy: boolean;
  readonly again: (id: string) => void;
}

const Row = ({ one, about, isBusy, again }: RowProps) => {
  const lines = text().deliveries;
  return (
    <tr data-delivery={one.status}>
      <th scope="row">
        {lineOf(lines.events, one.type, one.type)}
        {about === undefined ? null : (
          <span class="soft second">
            <bdi>{about}</bdi>
          </span>
        )}
      </th>
      <td>
        <Age at={one.created_at} />
      </td>
      <td>
        <Badge tone={TONES[one.status]}>{lines.statuses[one.status]}</Badge>
        <Why of={one} />
      </td>
      <Cell of={one.tries} />
      <td>{one.next_try_at === null ? null : <Moment at={one.next_try_at} />}</td>
      <td class="number">
        <button type="button" class="small" disabled={isBusy || one.status === "pending"} onClick={() => again(one.id)}>
          {lines.again}
        </button>
      </td>
    </tr>
  );
};

const Deliveries = ({ deliveries }: { readonly deliveries: readonly Wire.Delivery[] }) => {
  const { fault, isBusy, attempt } = useChanges([DELIVERIES, ENDPOINTS]);
  const alerts = useAlerts().data?.alerts;
  const endpoints = useEndpoints().data?.endpoints;
  const lines = text().deliveries;
  const aboutOf = (one: Wire.Delivery): string | undefined =>
    one.alert_id === null
      ? endpoints?.find(({ id }) => id === one.endpoint_id)?.url
      : alerts?.find(({ id }) => id === one.alert_id)?.name;
  const again = (id: string): void =>
    attempt(() => api.value.deliveries.redeliver.mutate({ delivery_id: id }).then(() => undefined));
  return (
    <>
      <Fault fault={fault} />
      <Wide label={lines.title}>
        <table>
          <Heads
            columns={[lines.event, lines.happened, lines.status, ...figures(lines.tries), lines.nextTry, ...figures(lines.again)]}
          />
          <tbody>
            {deliveries.map((one) => (
              <Row key={one.id} one={one} about={aboutOf(one)} isBusy={isBusy.value} again={again} />
            ))}
          </tbody>
        </table>
      </Wide>
    </>
  );
};

export const DeliveriesPanel = () => {
  /** Where each page that was turned to begins. */
  const cursors = useSignal<readonly string[]>([]);
  const isMoving = useSignal(false);
  const cursor = cursors.value.at(-1) ?? null;
  const { data, error, askAgain } = useAnswer(
    [DELIVERIES, cursor],
    (client, options) => client.deliveries.list.query({ limit: A_PAGE, ...(cursor === null ? {} : { cursor }) }, options),
    { everySeconds: isMoving.value ? EVERY.soon : EVERY.usually },
  );
  useEffect(() => {
    isMoving.value = data?.deliveries.some(isSoon) ?? false;
  }, [data]);
  const lines = text().deliveries;
  const next = data?.next_cursor ?? null;
  return (
    <Panel title={lines.title}>
      {data === undefined ? (
        <Pending what="deliveries" lines={3} error={error} askAgain={askAgain} />
      ) : data.deliveries.length === 0 ? (
        <Nothing>{lines.none({ days: KEPT_DAYS })}</Nothing>
      ) : (
        <Deliveries deliveries={data.deliveries} />
      )}
      {cursor === null && next === null ? null : (
        <p class="actions">
          <button
            type="button"
            class="small"
            disabled={cursor === null}
            onClick={() => {
              cursors.value = cursors.value.slice(0, -1);
            }}
          >
            {lines.newer}
          </button>
          <button
            type="button"
            class="small"
            disabled={next === null}
            onClick={() => {
              if (next !== null) cursors.value = [...cursors.value, next];
            }}
          >
            {lines.older}
          </button>
        </p>
      )}
    </Panel>
  );
};
