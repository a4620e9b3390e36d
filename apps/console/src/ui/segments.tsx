/** One choice of a few, all in sight: radio buttons that look like one control. */
import type { Signal } from "@preact/signals";
import { useId } from "preact/hooks";

interface SegmentsProps<T extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: T; readonly text: string; readonly isOff?: boolean }[];
  readonly chosen: Signal<T>;
}

/** A segmented control. */
export const Segments = <T extends string>({ label, options, chosen }: SegmentsProps<T>) => {
  const name = useId();
  return (
    <fieldset class="segments">
      <legend class="unseen">{label}</legend>
      {options.map(({ value, text, isOff = false }) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            value={value}
            checked={chosen.value === value}
            disabled={isOff}
            onChange={() => {
              chosen.value = value;
            }}
          />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
};
