/** The organisation's alerts: where each is, and the form of a new one. */
import type { Wire } from "@assay/sdk/trpc";
import { useSignal } from "@preact/signals";
import { api } from "../../data/answers.ts";
import { currencyOptions, GOLD, METALS, metalOf, metalOptions, unitText } from "../../data/catalogue.ts";
import { currency as readers } from "../../data/choices.ts";
import { ALERTS, useAlerts, usePrice } from "../../data/questions.ts";
import { percentText } from "../../figures/digits.ts";
import { lengthText } from "../../figures/moments.ts";
import { readField } from "../../figures/typed.ts";
import { staleText, text } from "../../text/text.ts";
import { AmountField } from "../../ui/amount.tsx";
import { ConfirmButton } from "../../ui/buttons.tsx";
import { Select } from "../../ui/choose.tsx";
import { Badge, Figure, type Tone } from "../../ui/figure.tsx";
import { Nothing, Pending } from "../../ui/loading.tsx";
import { Age } from "../../ui/moment.tsx";
import { Panel } from "../../ui/panel.tsx";
import { failureOf } from "../../ui/refusal.tsx";
import { Heads, Wide } from "../../ui/table.tsx";
import { type Changes, Fault, useChanges, useEndpoints } from "./changes.tsx";
import { Labelled, TextField } from "./fields.tsx";
import { type Kind, LEAST_PERCENT, thresholdFault } from "./threshold.ts";

const TONES: Readonly<Record<Wire.Alert["state"], Tone>> = { armed: "good", waiting: "plain", fired: "accent", stale: "warn" };

const Condition = ({ of: { kind, threshold, window_seconds: seconds } }: { readonly of: Wire.Alert }) => {
  const { conditions } = text().alerts;
  if (kind === "stale") return <>{conditions.stale}</>;
  if (kind === "moved")
    return <>{conditions.moved({ percent: <Figure of={threshold} unit="%" />, window: lengthText((seconds ?? 0) * 1_000) })}</>;
  return <>{conditions[kind]({ price: <Figure of={threshold} /> })}</>;
};

interface RowProps {
  readonly one: Wire.Alert;
  readonly isBusy: boolean;
  readonly remove: (id: string) => void;
}

const Row = ({ one, isBusy, remove }: RowProps) => {
  const lines = text().alerts;
  return (
    <tr data-alert={one.id}>
      <th scope="row">
        <bdi>{one.name}</bdi>
        <span class="soft second">
          <code dir="ltr">{one.symbol}</code>
        </span>
      </th>
      <td>
        <Condition of={one} />
        <span class="soft second">{one.once ? lines.onlyOnce : lines.everyTime}</span>
      </td>
      <td>
        <Badge tone={TONES[one.state]}>{lines.states[one.state]}</Badge>
      </td>
      <td>{one.last_fired_at === null ? <span class="soft">{text().time.never}</span> : <Age at={one.last_fired_at} />}</td>
      <td class="number">
        <ConfirmButton text={lines.delete} question={lines.deleteAsk} isBusy={isBusy} onConfirm={() => remove(one.id)} />
      </td>
    </tr>
  );
};

interface AlertsProps {
  readonly alerts: readonly Wire.Alert[];
  readonly changes: Changes;
}

const Alerts = ({ alerts, changes: { isBusy, attempt } }: AlertsProps) => {
  const lines = text().alerts;
  const remove = (id: string): void => attempt(() => api.value.alerts.delete.mutate({ alert_id: id }).then(() => undefined));
  if (alerts.length === 0) return <Nothing>{lines.none}</Nothing>;
  return (
    <Wide label={lines.title}>
      <table>
        <Heads columns={[lines.name, lines.condition, lines.state, lines.lastFired, { figures: lines.delete }]} />
        <tbody>
          {alerts.map((one) => (
            <Row key={one.id} one={one} isBusy={isBusy.value} remove={remove} />
          ))}
        </tbody>
      </table>
    </Wide>
  );
};

const KINDS: readonly Kind[] = ["above", "below", "moved", "stale"];
/** Windows to choose from, in seconds; the route takes any from a minute to a day. */
const WINDOWS = ["60", "300", "900", "3600", "14400", "86400"] as const;
type Window = (typeof WINDOWS)[number];

const windowOptions = () => WINDOWS.map((value) => ({ value, text: lengthText(Number(value) * 1_000) }));
const kindOptions = () => KINDS.map((value) => ({ value, text: text().alerts.kinds[value] }));
const endpointOptions = (endpoints: readonly Wire.Endpoint[]) => endpoints.map(({ id, url }) => ({ value: id, text: url }));

/** What is typed, and what it comes to. */
const useDraft = (endpoints: readonly Wire.Endpoint[]) => {
  const metal = useSignal(GOLD);
  const currency = useSignal(readers.peek());
  const kind = useSignal<Kind>("above");
  const threshold = useSignal("");
  const window = useSignal<Window>("3600");
  const isOnce = useSignal(true);
  const endpoint = useSignal("");
  const name = useSignal("");
  const { quoted_in: quotedIn, unit } = metalOf(metal.value);
  const priced = quotedIn === "all" ? currency.value : "USD";
  const symbol = `${metal.value}-${priced}-SPOT`;
  // One that was chosen may have been deleted since.
  const endpointId = (endpoints.find(({ id }) => id === endpoint.value) ?? endpoints[0])?.id;
  const read = readField(threshold.value);
  const amount = "amount" in read ? read.amount : null;
  const fault = amount === null ? null : thresholdFault(kind.value, amount);
  const isReady = endpointId !== undefined && (kind.value === "stale" || (amount !== null && fault === null));
  const asked: Wire.AlertsCreateQuery | null = isReady
    ? {
        symbol,
        kind: kind.value,
        once: isOnce.value,
        endpoint_id: endpointId,
        ...(kind.value === "stale" || amount === null ? {} : { threshold: amount }),
        ...(kind.value === "moved" ? { window_seconds: Number(window.value) } : {}),
        ...(name.value.trim() === "" ? {} : { name: name.value.trim() }),
      }
    : null;
  const chosen = { metal, currency, kind, threshold, window, isOnce, endpoint, name };
  return { ...chosen, symbol, endpointId, quotedIn, priced, unit, fault, asked };
};

const PRICE_NOW = "price-now";

interface PriceNowProps {
  readonly symbol: string;
  /** Its currency and weight, in words. */
  readonly per: string;
}

/** What a threshold is measured against: the price as this key sees it, how old it is, and why it is stale. */
const PriceNow = ({ symbol, per }: PriceNowProps) => {
  const { data: row, error } = usePrice(symbol);
  return (
    <p id={PRICE_NOW} class="soft price-now" data-now={row?.price}>
      {row !== undefined ? (
        <>
          {text().alerts.now({ price: <Figure of={row.price} unit={per} /> })}
          {row.computed_at === undefined ? null : (
            <>
              {" "}
              · <Age at={row.computed_at} />
            </>
          )}
          {row.is_stale ? <> · {text().price.stale({ why: staleText(row.stale_reason) })}</> : null}
        </>
      ) : error !== null ? (
        failureOf(error, Date.now()).title
      ) : (
        "…"
      )}
    </p>
  );
};

/** The form; without an endpoint it cannot be sent. */
const AlertForm = ({ endpoints }: { readonly endpoints: readonly Wire.Endpoint[] }) => {
  const draft = useDraft(endpoints);
  const { kind, asked, fault: typed } = draft;
  const { fault, isBusy, attempt } = useChanges([ALERTS]);
  const isTrue = useSignal(false);
  const lines = text().alerts;
  const per = text().names.per({ currency: draft.priced, unit: unitText(draft.unit) });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (asked === null || isBusy.value) return;
    isTrue.value = false;
    attempt(async () => {
      const made = await api.value.alerts.create.mutate(asked);
      isTrue.value = made.already_true;
      draft.threshold.value = "";
      draft.name.value = "";
    });
  };
  return (
    <form class="make" data-make="alert" onSubmit={submit} noValidate>
      <Labelled label={text().ui.metal}>
        <Select label={text().ui.metal} chosen={draft.metal} options={metalOptions(METALS)} />
      </Labelled>
      {draft.quotedIn === "all" ? (
        <Labelled label={text().ui.currency}>
          <Select label={text().ui.currency} chosen={draft.currency} options={currencyOptions()} />
        </Labelled>
      ) : null}
      <Labelled label={lines.kind}>
        <Select label={lines.kind} chosen={kind} options={kindOptions()} />
      </Labelled>
      {kind.value === "stale" ? null : (
        <div class="field">
          <AmountField
            label={lines.threshold}
            text={draft.threshold}
            unit={kind.value === "moved" ? "%" : per}
            about={PRICE_NOW}
            refusal={
              typed === "zero"
                ? text().figures.moreThanZero
                : typed === "too_little"
                  ? lines.least({ percent: percentText(LEAST_PERCENT) })
                  : undefined
            }
          />
          <PriceNow symbol={draft.symbol} per={per} />
        </div>
      )}
      {kind.value === "moved" ? (
        <Labelled label={lines.window}>
          <Select label={lines.window} chosen={draft.window} options={windowOptions()} />
        </Labelled>
      ) : null}
      <Labelled label={lines.endpoint}>
        <Select
          label={lines.endpoint}
          chosen={draft.endpoint}
          value={draft.endpointId ?? ""}
          options={endpointOptions(endpoints)}
        />
      </Labelled>
      <TextField label={lines.name} text={draft.name} maxLength={64} placeholder={lines.nameExample} />
      <label class="check">
        <input
          type="checkbox"
          checked={draft.isOnce}
          onChange={({ currentTarget }) => {
            draft.isOnce.value = currentTarget.checked;
          }}
        />
        {lines.once}
      </label>
      <p class="actions">
        <button type="submit" class="primary" disabled={asked === null || isBusy.value}>
          {lines.make}
        </button>
        {endpoints.length === 0 ? <span class="soft">{lines.noEndpoint}</span> : null}
        {isTrue.value ? <span role="status">{lines.alreadyTrue}</span> : null}
      </p>
      <Fault fault={fault} />
    </form>
  );
};

export const AlertsPanel = () => {
  const { data, error, askAgain } = useAlerts();
  const endpoints = useEndpoints();
  const changes = useChanges([ALERTS]);
  const lines = text().alerts;
  return (
    <Panel
      title={lines.title}
      aside={
        data === undefined ? null : <span class="soft">{lines.used({ count: data.alerts.length, most: data.max_alerts })}</span>
      }
    >
      <Fault fault={changes.fault} />
      {data === undefined ? (
        <Pending what="alerts" lines={3} error={error} askAgain={askAgain} />
      ) : (
        <Alerts alerts={data.alerts} changes={changes} />
      )}
      {endpoints.data === undefined ? null : <AlertForm endpoints={endpoints.data.endpoints} />}
    </Panel>
  );
};
