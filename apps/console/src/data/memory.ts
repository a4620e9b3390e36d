/** What this browser remembers between visits: how the reader wants things shown, and never a key. */
import { effect, type Signal, signal } from "@preact/signals";

const nameOf = (name: string): string => `assay.${name}`;

/** What was remembered; null when there is nothing, or when storage is switched off. */
export const recall = (name: string): string | null => {
  try {
    return localStorage.getItem(nameOf(name));
  } catch {
    return null;
  }
};

/** Remembers text; null forgets it. */
export const remember = (name: string, text: string | null): void => {
  try {
    if (text === null) localStorage.removeItem(nameOf(name));
    else localStorage.setItem(nameOf(name), text);
  } catch {
    // It lasts as long as the console is open.
  }
};

/**
 * Keeps a signal between visits.
 * @param kept a value, such as one of an address, that is stronger than what was remembered
 */
export const remembered = <T extends string>(
  name: string,
  values: readonly T[],
  first: T,
  kept: string | null = null,
): Signal<T> => {
  const isValue = (value: string | null): value is T => values.some((one) => one === value);
  const chosen = signal<T>([kept, recall(name)].find(isValue) ?? first);
  let isFirst = true;
  effect(() => {
    const { value } = chosen;
    // What an address names is for this visit, unless the reader then chooses it.
    if (!isFirst) remember(name, value === first ? null : value);
    isFirst = false;
  });
  return chosen;
};
