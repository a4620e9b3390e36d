/** One choice of many. */
import type { Signal } from "@preact/signals";

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
