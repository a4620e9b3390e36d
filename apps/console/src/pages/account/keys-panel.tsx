/** The organisation's keys: made, rotated and revoked, each asked for twice. */
import type { Wire } from "@assay/sdk/trpc";
import { useSignal } from "@preact/signals";
import { api, useAnswer } from "../../data/answers.ts";
import { key, useKey } from "../../data/key.ts";
import { text } from "../../text/text.ts";
import { ConfirmButton } from "../../ui/buttons.tsx";
import { Badge } from "../../ui/figure.tsx";
import { Pending } from "../../ui/loading.tsx";
import { Age, Moment } from "../../ui/moment.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Wide } from "../../ui/table.tsx";
import { Fault, useChanges } from "./changes.tsx";
import { ShownOnce, TextField } from "./fields.tsx";

interface MintedProps {
  readonly minted: Wire.MintedKey;
  readonly onPutAway: () => void;
}

/** A new key, which this page can go on with. */
const Minted = ({ minted, onPutAway }: MintedProps) => (
  <ShownOnce
    plaintext={minted.plaintext}
    of="account"
    before={
      minted.previous_key_revokes_at === null
        ? null
        : text().account.worksUntil({ when: <Moment at={minted.previous_key_revokes_at} /> })
    }
    onPutAway={onPutAway}
  >
    <button
      type="button"
      onClick={() => {
        useKey(minted.plaintext, false);
        onPutAway();
      }}
    >
      {text().account.useHere}
    </button>
  </ShownOnce>
);

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
        <bdi>{one.name || text().account.unnamed}</bdi> {isInUse ? <Badge tone="accent">{text().account.inUseHere}</Badge> : null}
        <span class="soft second">
          <code dir="ltr">{one.key_prefix}…</code>
        </span>
      </th>
      <td>
        <Moment at={one.created_at} />
      </td>
      <td>{one.last_used_at === null ? <span class="soft">{text().time.never}</span> : <Age at={one.last_used_at} />}</td>
      <td>
        {one.revoked_at === null ? (
          <>
            <Badge tone="good">{text().account.active}</Badge>
            {one.expires_at === undefined ? null : (
              <span class="soft second">{text().account.until({ when: <Moment at={one.expires_at} /> })}</span>
            )}
          </>
        ) : (
          <Badge tone="warn">{text().account.until({ when: <Moment at={one.revoked_at} /> })}</Badge>
        )}
      </td>
      <td class="number">
        <ConfirmButton
          text={text().account.revoke}
          question={isInUse ? text().account.revokeInUse : text().account.revokeNow}
          isBusy={isBusy}
          onConfirm={() => revoke(one.id)}
        />
      </td>
    </tr>
  );
};

/** What can be done to the keys: it may be the key in use, so that everything on the page is read again. */
const useKeyChanges = () => {
  const minted = useSignal<Wire.MintedKey | null>(null);
  const { fault, isBusy, attempt } = useChanges();
  const revoke = (id: string): void => attempt(() => api.value.account.revokeKey.mutate({ key_id: id }).then(() => undefined));
  const mint = (name: string, onMinted: () => void): void =>
    attempt(async () => {
      minted.value = await api.value.account.mintKey.mutate(name === "" ? undefined : { name });
      onMinted();
    });
  return { minted, fault, isBusy, revoke, mint };
};

interface RotateProps {
  readonly isBusy: boolean;
  readonly mint: (name: string, onMinted: () => void) => void;
}

/** How long a key goes on reading once another has taken its place. */
const GRACE_HOURS = 24;

const Rotate = ({ isBusy, mint }: RotateProps) => {
  const name = useSignal("");
  return (
    <>
      <div class="mint">
        <TextField label={text().account.newName} text={name} maxLength={64} placeholder={text().account.nameExample} />
        <ConfirmButton
          text={text().account.rotate}
          question={text().account.rotateAsk({ hours: GRACE_HOURS })}
          isBusy={isBusy}
          onConfirm={() =>
            mint(name.value.trim(), () => {
              name.value = "";
            })
          }
        />
      </div>
      <p class="soft note">{text().account.rotateNote({ hours: GRACE_HOURS })}</p>
    </>
  );
};

export const KeysPanel = () => {
  const { data, error, askAgain } = useAnswer(["keys"], (client, options) => client.account.listKeys.query(undefined, options), {
    everySeconds: 30,
  });
  const { minted, fault, isBusy, revoke, mint } = useKeyChanges();
  return (
    <Panel title={text().account.keys}>
      {minted.value === null ? null : (
        <Minted
          minted={minted.value}
          onPutAway={() => {
            minted.value = null;
          }}
        />
      )}
      <Fault fault={fault} />
      {data === undefined ? (
        <Pending what="keys" lines={4} error={error} askAgain={askAgain} />
      ) : (
        <Wide label={text().account.keys}>
          <table>
            <thead>
              <tr>
                <th scope="col">{text().account.name}</th>
                <th scope="col">{text().account.made}</th>
                <th scope="col">{text().account.lastUsed}</th>
                <th scope="col">{text().account.state}</th>
                <th scope="col">
                  <span class="unseen">{text().account.revoke}</span>
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
      <Rotate isBusy={isBusy.value} mint={mint} />
    </Panel>
  );
};
