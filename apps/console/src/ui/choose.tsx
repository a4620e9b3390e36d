/** One choice of several: a few stand side by side, more are a list. */
import type { Signal } from "@preact/signals";
import { useId } from "preact/hooks";

interface SegmentsProps<T extends string, Shown extends T> {
  readonly label: string;
  readonly options: readonly { readonly value: Shown; readonly text: string; readonly isOff?: boolean }[];
  readonly chosen: Signal<T>;
  /** What is shown as chosen, when that is not the choice itself. */
  readonly value?: T;
}

export const Segments = <T extends string, Shown extends T>({
  label,
  options,
  chosen,
  value: current = chosen.value,
}: SegmentsProps<T, Shown>) => {
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
            checked={current === value}
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

interface SelectProps<T extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: T; readonly text: string }[];
  readonly chosen: Signal<T>;
  /** What is shown as chosen, when that is not the choice itself. */
  readonly value?: T;
}

/** A labelled list; the label is read, not seen. */
export const Select = <T extends string>({ label, options, chosen, value: current = chosen.value }: SelectProps<T>) => (
  <select
    aria-label={label}
    value={current}
    onChange={({ currentTarget }) => {
      const found = options.find(({ value }) => value === currentTarget.value);
      if (found !== undefined) chosen.value = found.value;
    }}
  >
    {options.map(({ value, text }) => (
      <option key={value} value={value} selected={current === value}>
        {text}
      </option>
    ))}
  </select>
);

/** As many as fit side by side on a phone. */
const A_FEW = 4;

interface ChooseProps<T extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: T; readonly text: string }[];
  readonly chosen: Signal<T>;
}

/** The control that suits the number of options. */
export const Choose = <T extends string>(props: ChooseProps<T>) =>
  props.options.length > A_FEW ? <Select {...props} /> : <Segments {...props} />;
