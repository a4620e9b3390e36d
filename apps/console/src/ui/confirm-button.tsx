/** A button that asks a second time before it does something that cannot be taken back. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

interface ConfirmButtonProps {
  readonly text: string;
  /** The question, such as "Revoke it?". */
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
        Yes
      </button>
      <button type="button" class="small quiet" onClick={withdraw}>
        No
      </button>
    </fieldset>
  );
};
