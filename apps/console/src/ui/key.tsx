/** Asking for a key: the dialog, what a page shows without one, and the notice that one is not valid. */
import type { TierName } from "@assay/sdk";
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { isTaken } from "../data/answers.ts";
import { forgetKey, isRefused, isTurnedAway, keyIn, useKey } from "../data/key.ts";
import { at } from "../data/service.ts";
import { tierText } from "../data/tiers.ts";
import { type Text, text } from "../text/text.ts";

type Fault = "noKey" | "silent" | "unknown";

const isOpen = signal(false);
const isKept = signal(false);
const isAsking = signal(false);
const fault = signal<Fault | null>(null);

export const askForKey = (): void => {
  fault.value = null;
  isOpen.value = true;
};

/** A key is asked about first, so that what is shown without one stays while it is wrong. */
const faultOf = async (found: string | null): Promise<Fault | null> => {
  if (found === null) return "noKey";
  const taken = await isTaken(found);
  if (taken === null) return "silent";
  return taken ? null : "unknown";
};

const EXAMPLE = "assay_live_…";

const faultText = (of: Fault): string => {
  const { noKey, silent, unknown } = text().key;
  return { noKey: noKey({ example: EXAMPLE }), silent, unknown }[of];
};

const close = (): void => {
  isOpen.value = false;
};

/** The dialog; closed it is not in the page's way. */
export const KeyDialog = () => {
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isOpen.value) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen.value]);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const found = keyIn(field.current?.value ?? "");
    isAsking.value = true;
    fault.value = await faultOf(found);
    isAsking.value = false;
    // It may have been closed meanwhile.
    if (found === null || fault.value !== null || !isOpen.value) return;
    useKey(found, isKept.value);
    if (field.current) field.current.value = "";
    close();
  };
  return (
    <dialog ref={dialog} class="key-dialog" aria-labelledby="key-title" onClose={close}>
      <form onSubmit={submit}>
        <h2 id="key-title">{text().key.use}</h2>
        <p>{text().key.intro}</p>
        <label for="key-field">{text().key.label}</label>
        <input
          id="key-field"
          ref={field}
          type="password"
          dir="ltr"
          autocomplete="off"
          spellcheck={false}
          required
          aria-invalid={fault.value !== null}
          aria-describedby={fault.value === null ? undefined : "key-fault"}
          onInput={() => {
            fault.value = null;
          }}
        />
        {fault.value === null ? null : (
          <p id="key-fault" class="fault" role="alert">
            {faultText(fault.value)}
          </p>
        )}
        <label class="check">
          <input
            type="checkbox"
            checked={isKept}
            onChange={({ currentTarget }) => {
              isKept.value = currentTarget.checked;
            }}
          />
          {text().key.keep}
        </label>
        <p class="soft">{text().key.none({ how: <a href={at("docs/guides/keys-and-tiers")}>{text().key.how}</a> })}</p>
        <footer>
          <button type="button" class="quiet" onClick={close}>
            {text().key.cancel}
          </button>
          <button type="submit" class="primary" disabled={isAsking.value}>
            {isAsking.value ? text().key.asking : text().key.useIt}
          </button>
        </footer>
      </form>
    </dialog>
  );
};

interface NeedsKeyProps {
  /** What is behind it. */
  readonly what: keyof Text["needs"];
  readonly tier: TierName;
}

export const NeedsKey = ({ what, tier }: NeedsKeyProps) => (
  <section class="panel needs-key" aria-label={text().key.needed}>
    <p>{text().needs[what]({ withKey: text().key.withTier({ tier: tier === "free" ? "any" : tierText(tier) }) })}</p>
    <p class="remedy">
      <button type="button" class="primary" onClick={askForKey}>
        {text().key.use}
      </button>
      <a href={at("docs/guides/keys-and-tiers")}>{text().key.tiers}</a>
    </p>
  </section>
);

/** Shown until another key is used, or this one is forgotten. */
export const KeyRefused = () => (
  <div role="alert">
    {isTurnedAway.value ? (
      <p class="lost">
        <strong>{text().key.turnedAway}</strong> {text().key.turnedAwayWhat}{" "}
        <button type="button" class="small" onClick={askForKey}>
          {text().key.useAnother}
        </button>{" "}
        <button type="button" class="small quiet" onClick={forgetKey}>
          {text().key.without}
        </button>
      </p>
    ) : isRefused.value ? (
      <p class="lost">
        <strong>{text().key.notValid}</strong> {text().key.notValidWhy}{" "}
        <button type="button" class="small" onClick={askForKey}>
          {text().key.useAnother}
        </button>
      </p>
    ) : null}
  </div>
);
