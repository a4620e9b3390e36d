/** The organisation's keys: made, rotated and revoked, each asked for twice. */
import type { Wire } from "@assay/sdk/trpc";
import { useSignal } from "@preact/signals";
import { answers, useAnswer } from "../../data/answers.ts";
import { key } from "../../data/key.ts";
import { api } from "../../data/trpc.ts";
import { Badge } from "../../ui/badge.tsx";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Age, Moment } from "../../ui/moment.tsx";
import { Panel, Wide } from "../../ui/panel.tsx";
import { Refusal } from "../../ui/refusal.tsx";
import { Minted } from "./minted.tsx";

interface RowProps {
  readonly one: Wire.Key;
  readonly isBusy: boolean;
  readonly revoke: (id: string) => void;
}

const Row = ({ one, isBusy, revoke }: RowProps) => {
  const isInUse = key.value?.startsWith(one.key_prefix) ?? false;
  return (
    <tr data-key={one.id}>
      <th scope="row">
        {one.name || "unnamed"} {isInUse ? <Badge tone="accent">in use here</Badge> : null}
        <span class="soft second">
          <code>{one.key_prefix}…</code>
        </span>
      </th>
      <td>
        <Moment at={one.created_at} />
      </td>
      <td>{one.last_used_at === null ? <span class="soft">never</span> : <Age at={one.last_used_at} />}</td>
      <td>
        {one.revoked_at === null ? (
          <Badge tone="good">active</Badge>
        ) : (
          <Badge tone="warn">
            until <Moment at={one.revoked_at} />
          </Badge>
        )}
      </td>
      <td class="number">
        <ConfirmButton
          text="Revoke"
          question={isInUse ? "Revoke the key in use?" : "Revoke it at once?"}
          isBusy={isBusy}
          onConfirm={() => revoke(one.id)}
        />
      </td>
    </tr>
  );
};

/** The panel. */
export const KeysPanel = () => {
  const { data, error, askAgain } = useAnswer(["keys"], (client, options) => client.account.listKeys.query(undefined, options), {
    everySeconds: 30,
  });
  const minted = useSignal<Wire.MintedKey | null>(null);
  const fault = useSignal<Error | null>(null);
  const isBusy = useSignal(false);
  const name = useSignal("");
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    isBusy.value = true;
    fault.value = null;
    try {
      await work();
    } catch (error) {
      fault.value = error instanceof Error ? error : new Error(String(error));
    }
    isBusy.value = false;
    await answers.invalidateQueries();
  };
  const revoke = (id: string): void =>
    void attempt(() => api.value.account.revokeKey.mutate({ key_id: id }).then(() => undefined));
  const mint = (): void =>
    void attempt(async () => {
      const wanted = name.value.trim();
      minted.value = await api.value.account.mintKey.mutate(wanted === "" ? undefined : { name: wanted });
      name.value = "";
    });
  return (
    <Panel title="Keys">
      {minted.value === null ? null : (
        <Minted
          minted={minted.value}
          onPutAway={() => {
            minted.value = null;
          }}
        />
      )}
      {fault.value === null ? null : (
        <Refusal
          error={fault.value}
          askAgain={() => {
            fault.value = null;
          }}
        />
      )}
      {error !== null && data === undefined ? (
        <Refusal error={error} askAgain={askAgain} />
      ) : data === undefined ? (
        <Loading what="the keys" lines={4} />
      ) : (
        <Wide label="Keys">
          <table>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Made</th>
                <th scope="col">Last used</th>
                <th scope="col">State</th>
                <th scope="col">
                  <span class="unseen">Revoke</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.map((one) => (
                <Row key={one.id} one={one} isBusy={isBusy.value} revoke={revoke} />
              ))}
            </tbody>
          </table>
        </Wide>
      )}
      <div class="mint">
        <label class="field">
          <span class="soft">Name of a new key</span>
          <input
            maxLength={64}
            placeholder="such as ci"
            value={name}
            onInput={({ currentTarget }) => {
              name.value = currentTarget.value;
            }}
          />
        </label>
        <ConfirmButton
          text="Rotate the key"
          question="Make a new key and end this one in 24 hours?"
          isBusy={isBusy.value}
          onConfirm={mint}
        />
      </div>
      <p class="soft note">
        A rotation makes a new key and leaves the one in use working for 24 hours, so that programs can change over.
      </p>
    </Panel>
  );
};
