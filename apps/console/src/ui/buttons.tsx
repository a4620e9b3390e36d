/** Buttons that do more than call: one that asks a second time, and the state of one that copies. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { text as lines } from "../text/text.ts";

interface ConfirmButtonProps {
  readonly text: string;
  readonly question: string;
  readonly isBusy?: boolean;
  readonly onConfirm: () => void;
}

/** The button; the second question has the keyboard, and Escape takes it back. */
export const ConfirmButton = ({ text, question, isBusy = false, onConfirm }: ConfirmButtonProps) => {
  const isAsked = useSignal(false);
  const yes = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isAsked.value) yes.current?.focus();
  }, [isAsked.value]);
  const withdraw = (): void => {
    isAsked.value = false;
  };
  if (!isAsked.value)
    return (
      <button
        type="button"
        class="small"
        disabled={isBusy}
        onClick={() => {
          isAsked.value = true;
        }}
      >
        {text}
      </button>
    );
  return (
    <fieldset
      class="confirm"
      onKeyDown={({ key: pressed }) => {
        if (pressed === "Escape") withdraw();
      }}
    >
      <legend class="unseen">{question}</legend>
      <span>{question}</span>
      <button
        ref={yes}
        type="button"
        class="small danger"
        onClick={() => {
          withdraw();
          onConfirm();
        }}
      >
        {lines().ui.yes}
      </button>
      <button type="button" class="small quiet" onClick={withdraw}>
        {lines().ui.no}
      </button>
    </fieldset>
  );
};

/**
 * Copies text to the clipboard.
 * @returns what the button says, and what it does
 */
export const useCopy = (text: string): readonly [said: string, copy: () => Promise<void>] => {
  const said = useSignal<"copy" | "copied" | "byHand">("copy");
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      said.value = "copied";
    } catch {
      said.value = "byHand"; // not allowed, as over plain http
    }
  };
  const { copy: label, copied, byHand } = lines().calls;
  return [{ copy: label, copied, byHand }[said.value], copy];
};
