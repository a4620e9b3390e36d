/** The dialog that asks for a key. */
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { at } from "../data/base.ts";
import { useKey } from "../data/key.ts";

const isOpen = signal(false);
const isKept = signal(false);
const fault = signal<string | null>(null);

/** Opens the dialog. */
export const askForKey = (): void => {
  fault.value = null;
  isOpen.value = true;
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
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const text = field.current?.value ?? "";
    if (!useKey(text, isKept.value)) {
      fault.value = "A key is one word of letters and digits, such as assay_live_…";
      return;
    }
    if (field.current) field.current.value = "";
    close();
  };
  return (
    <dialog ref={dialog} class="key-dialog" aria-labelledby="key-title" onClose={close}>
      <form onSubmit={submit}>
        <h2 id="key-title">Use a key</h2>
        <p>
          With a key, prices are live and the pages of its tier open. It is sent to this service only, and kept in this tab's
          memory.
        </p>
        <label for="key-field">API key</label>
        <input
          id="key-field"
          ref={field}
          type="password"
          autocomplete="off"
          spellcheck={false}
          required
          aria-describedby={fault.value === null ? undefined : "key-fault"}
        />
        {fault.value === null ? null : (
          <p id="key-fault" class="fault" role="alert">
            {fault}
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
          Keep it until this tab is closed, so that it outlives a reload
        </label>
        <p class="soft">
          No key? <a href={at("docs/guides/keys-and-tiers")}>How keys are made</a>
        </p>
        <footer>
          <button type="button" class="quiet" onClick={close}>
            Cancel
          </button>
          <button type="submit" class="primary">
            Use it
          </button>
        </footer>
      </form>
    </dialog>
  );
};
