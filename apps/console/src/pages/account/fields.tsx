/** Parts of the panels' forms: their fields, and the box with the key or secret that was made. */
import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { text } from "../../text/text.ts";
import { useCopy } from "../../ui/buttons.tsx";

interface TextFieldProps {
  readonly label: string;
  readonly text: Signal<string>;
  readonly maxLength: number;
  readonly placeholder?: string;
  /** An address runs from left to right in every language. */
  readonly isAddress?: boolean;
  /** Why what was typed is refused. */
  readonly fault?: string | undefined;
}

/** A field for text, refused in words below it. */
export const TextField = ({ label, text, maxLength, placeholder, isAddress = false, fault }: TextFieldProps) => {
  const id = useId();
  return (
    <label class="field">
      <span class="soft">{label}</span>
      <input
        maxLength={maxLength}
        placeholder={placeholder}
        {...(isAddress ? { inputMode: "url" as const, autocomplete: "off", spellcheck: false, dir: "ltr" as const } : {})}
        value={text}
        aria-invalid={fault !== undefined}
        aria-describedby={fault === undefined ? undefined : id}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
        }}
      />
      {fault === undefined ? null : (
        <span id={id} class="fault" role="alert">
          {fault}
        </span>
      )}
    </label>
  );
};

interface LabelledProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

/** A control that names itself to those who do not see its label. */
export const Labelled = ({ label, children }: LabelledProps) => (
  <div class="field">
    <span class="soft" aria-hidden="true">
      {label}
    </span>
    {children}
  </div>
);

interface ShownOnceProps {
  readonly plaintext: string;
  /** Whose words say what to do now, and that there is no other time. */
  readonly of: "account" | "endpoints";
  /** What becomes of the one before. */
  readonly before: ComponentChildren;
  readonly children?: ComponentChildren;
  readonly onPutAway: () => void;
}

/** A new key or secret, in full, this once: shown until it is put away. */
export const ShownOnce = ({ plaintext, of, before, children, onPutAway }: ShownOnceProps) => {
  const [said, copy] = useCopy(plaintext);
  return (
    <div class="minted" role="status">
      <p>
        <strong>{text()[of].copyNow}</strong> {text()[of].notAgain} {before}
      </p>
      <code class="plaintext" dir="ltr">
        {plaintext}
      </code>
      <p class="actions">
        <button type="button" class="primary" onClick={copy}>
          {said}
        </button>
        {children}
        <button type="button" class="quiet" onClick={onPutAway}>
          {text().account.putAway}
        </button>
      </p>
    </div>
  );
};
