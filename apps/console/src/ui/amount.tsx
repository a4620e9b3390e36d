/** A field for an amount: read as it is typed, in the reader's own digits and signs, and refused in words below it. */
import type { Signal } from "@preact/signals";
import { useId } from "preact/hooks";
import { separators } from "../figures/digits.ts";
import { readField } from "../figures/typed.ts";

interface AmountProps {
  readonly label: string;
  readonly text: Signal<string>;
  readonly isOptional?: boolean;
  /** A refusal of the service's for what is typed. */
  readonly refusal?: string | undefined;
  readonly place?: string;
  /** What follows the label, such as a unit. */
  readonly unit?: string;
  /** The element with more about it. */
  readonly about?: string;
}

export const AmountField = ({ label, text, isOptional = false, refusal, place = "", unit, about }: AmountProps) => {
  const id = useId();
  const read = readField(text.value, isOptional);
  // Nothing is said of a field that was emptied to be typed anew.
  const said = "said" in read && text.value.trim() !== "" ? read.said : refusal;
  return (
    <label class={`field ${place}`}>
      <span class="soft">
        {label}
        {unit === undefined ? null : <span class="in-unit"> {unit === "%" ? separators.value.percent : unit}</span>}
      </span>
      <input
        inputMode="decimal"
        autocomplete="off"
        maxLength={40}
        dir="ltr"
        value={text}
        aria-invalid={said !== undefined}
        aria-describedby={said === undefined ? about : id}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
        }}
      />
      {said === undefined ? null : (
        <span id={id} class="fault" role="alert">
          {said}
        </span>
      )}
    </label>
  );
};
