/** The organisation's endpoints: where events are sent, and the secrets that they are signed with. */
import type { Wire } from "@assay/sdk/trpc";
import { type Signal, useSignal } from "@preact/signals";
import { api } from "../../data/answers.ts";
import { refusalIn } from "../../data/wire-error.ts";
import { lineOf, text } from "../../text/text.ts";
import { ConfirmButton } from "../../ui/buttons.tsx";
import { Badge } from "../../ui/figure.tsx";
import { Nothing, Pending } from "../../ui/loading.tsx";
import { Moment } from "../../ui/moment.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Heads, Wide } from "../../ui/table.tsx";
import { type Changes, DELIVERIES, ENDPOINTS, Fault, useChanges, useEndpoints } from "./changes.tsx";
import { ShownOnce, TextField } from "./fields.tsx";

/** A secret that is shown this once. */
interface Secret {
  readonly plaintext: string;
  /** Until when the one before signs as well, ISO-8601; null for the first one. */
  readonly previousUntil: string | null;
}

/** How long the secret before a new one signs as well. */
const BOTH_HOURS = 24;
const MAX_ADDRESS = 2_000;

const State = ({ of: one }: { readonly of: Wire.Endpoint }) => {
  const lines = text().endpoints;
  if (one.disabled_reason !== null)
    return (
      <>
        <Badge tone="bad">{lines.disabled}</Badge>
        <span class="soft second">
          {lineOf(lines.reasons, one.disabled_reason, one.disabled_reason)} · {lines.enable}
        </span>
      </>
    );
  if (one.failing_since === null) return <Badge tone="good">{lines.active}</Badge>;
  return <Badge tone="warn">{lines.failingSince({ when: <Moment at={one.failing_since} /> })}</Badge>;
};

interface EndpointsProps {
  readonly endpoints: readonly Wire.Endpoint[];
  readonly changes: Changes;
  readonly secret: Signal<Secret | null>;
  readonly isSent: Signal<boolean>;
}

const Endpoints = ({ endpoints, changes: { isBusy, attempt }, secret, isSent }: EndpointsProps) => {
  const lines = text().endpoints;
  const test = (id: string): void =>
    attempt(async () => {
      isSent.value = false;
      await api.value.endpoints.test.mutate({ endpoint_id: id });
      isSent.value = true;
    });
  const rotate = (id: string): void =>
    attempt(async () => {
      const made = await api.value.endpoints.rotate.mutate({ endpoint_id: id });
      secret.value = { plaintext: made.secret, previousUntil: made.previous_secret_until };
    });
  const remove = (id: string): void =>
    attempt(() => api.value.endpoints.delete.mutate({ endpoint_id: id }).then(() => undefined));
  if (endpoints.length === 0) return <Nothing>{lines.none}</Nothing>;
  return (
    <Wide label={lines.title}>
      <table>
        <Heads columns={[text().alerts.endpoint, lines.made, lines.state, lines.change]} />
        <tbody>
          {endpoints.map((one) => (
            <tr key={one.id} data-endpoint={one.id}>
              <th scope="row">
                <bdi dir="ltr">{one.url}</bdi>
              </th>
              <td>
                <Moment at={one.created_at} />
              </td>
              <td>
                <State of={one} />
              </td>
              <td>
                <div class="actions">
                  <button type="button" class="small" disabled={isBusy.value} onClick={() => test(one.id)}>
                    {lines.test}
                  </button>
                  <ConfirmButton
                    text={lines.rotate}
                    question={lines.rotateAsk({ hours: BOTH_HOURS })}
                    isBusy={isBusy.value}
                    onConfirm={() => rotate(one.id)}
                  />
                  <ConfirmButton
                    text={text().alerts.delete}
                    question={text().alerts.deleteAsk}
                    isBusy={isBusy.value}
                    onConfirm={() => remove(one.id)}
                  />
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
};

/** A new endpoint: an address that the service does not take is refused where it was typed. */
const EndpointForm = ({ secret }: { readonly secret: Signal<Secret | null> }) => {
  const { fault, isBusy, attempt } = useChanges([ENDPOINTS]);
  const address = useSignal("");
  const asked = useSignal<string | null>(null);
  const lines = text().endpoints;
  const typed = address.value.trim();
  const isOfAddress = refusalIn(fault.value)?.error === "validation_error";
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (typed === "" || isBusy.value) return;
    asked.value = typed;
    attempt(async () => {
      const made = await api.value.endpoints.create.mutate({ url: typed });
      secret.value = { plaintext: made.secret, previousUntil: null };
      address.value = "";
    });
  };
  return (
    <form class="make" data-make="endpoint" onSubmit={submit} noValidate>
      <TextField
        label={lines.address}
        text={address}
        maxLength={MAX_ADDRESS}
        isAddress
        fault={isOfAddress && asked.value === typed ? lines.addressFault : undefined}
      />
      <p class="actions">
        <button type="submit" disabled={typed === "" || isBusy.value}>
          {lines.make}
        </button>
      </p>
      {isOfAddress ? null : <Fault fault={fault} />}
    </form>
  );
};

export const EndpointsPanel = () => {
  const { data, error, askAgain } = useEndpoints();
  const changes = useChanges([ENDPOINTS, DELIVERIES]);
  const secret = useSignal<Secret | null>(null);
  const isSent = useSignal(false);
  const lines = text().endpoints;
  return (
    <Panel title={lines.title}>
      {secret.value === null ? null : (
        <ShownOnce
          plaintext={secret.value.plaintext}
          of="endpoints"
          before={
            secret.value.previousUntil === null ? null : lines.bothUntil({ when: <Moment at={secret.value.previousUntil} /> })
          }
          onPutAway={() => {
            secret.value = null;
          }}
        />
      )}
      <Fault fault={changes.fault} />
      {data === undefined ? (
        <Pending what="endpoints" lines={3} error={error} askAgain={askAgain} />
      ) : (
        <Endpoints endpoints={data.endpoints} changes={changes} secret={secret} isSent={isSent} />
      )}
      <p role="status" class="soft">
        {isSent.value ? lines.sent : null}
      </p>
      <EndpointForm secret={secret} />
      <p class="soft note">{lines.note}</p>
    </Panel>
  );
};
