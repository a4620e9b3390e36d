/** What the reader chose on a page, such as a currency: kept while the console is open, and in the address for bookmarks. */
import { type Signal, signal } from "@preact/signals";
import { CURRENCIES, codesOf, UNITS } from "./catalogue.ts";
import { remembered } from "./memory.ts";

interface Choice {
  readonly name: string;
  readonly first: string;
  readonly chosen: Signal<string>;
  readonly allows: (value: string) => boolean;
}

const choices = new Map<string, Choice[]>();
/** Changes when a page's code, which declares its choices, has been loaded. */
const declarations = signal(0);

/** Whether the choices of a page are known: before that, its address is the only one who knows them. */
export const areKnown = (page: string): boolean => declarations.value > 0 && choices.has(page);

/** The choices of a page that differ from the first ones, as the search part of its address. */
export const searchOf = (page: string): URLSearchParams => {
  const parts = new URLSearchParams();
  for (const { name, first, chosen } of choices.get(page) ?? []) if (chosen.value !== first) parts.set(name, chosen.value);
  return parts;
};

export const readChoices = (page: string, search: string): void => {
  const given = new URLSearchParams(search);
  for (const { name, first, chosen, allows } of choices.get(page) ?? []) {
    const value = given.get(name);
    chosen.value = value !== null && allows(value) ? value : first;
  }
};

interface Declaration<T extends string> {
  readonly pages: readonly string[];
  readonly name: string;
  readonly values: readonly T[];
  readonly first: T;
  /** Whether the next visit begins with it, unless its address names another. */
  readonly isRemembered?: boolean;
}

const declare = <T extends string>({ pages, name, values, first, isRemembered = false }: Declaration<T>): Signal<T> => {
  const allows = (value: string): value is T => values.some((one) => one === value);
  const given = new URLSearchParams(location.search).get(name);
  const chosen = isRemembered
    ? remembered(name, values, first, given)
    : signal<T>(given !== null && allows(given) ? given : first);
  const declared = { name, first, chosen: chosen as Signal<string>, allows }; // only ever given what `allows`
  for (const page of pages) choices.set(page, [...(choices.get(page) ?? []), declared]);
  declarations.value += 1;
  return chosen;
};

/**
 * Declares a choice of one page, which lasts as long as the console is open.
 * @param page path of the page
 * @param values what can be chosen
 */
export const choice = <T extends string>(page: string, name: string, values: readonly T[], first: T): Signal<T> =>
  declare({ pages: [page], name, values, first });

/** The reader's currency, for every page that shows prices in one. */
export const currency = declare({
  pages: ["", "counter"],
  name: "currency",
  values: codesOf(CURRENCIES),
  first: "USD",
  isRemembered: true,
});

export const weight = declare({ pages: ["", "counter"], name: "per", values: codesOf(UNITS), first: "oz", isRemembered: true });
