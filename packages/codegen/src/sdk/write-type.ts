/** Writes a type: decoded as the SDK returns it, as on the wire, or as a caller may pass it. */
import type { Type, ValuesModel } from "./model.ts";

/** Which form of a value to write. */
export type Form = "decoded" | "wire" | "given";

/** A type as text, with the names it needs. */
export interface Written {
  readonly text: string;
  /** Declared types. */
  readonly types: readonly string[];
  /** Named value lists, and `Open`. */
  readonly values: readonly string[];
  /** Whether it uses `PublishedDecimal` or `Decimal`. */
  readonly decimals: readonly ("PublishedDecimal" | "Decimal")[];
}

const plain = (text: string): Written => ({ text, types: [], values: [], decimals: [] });

const INSTANT: Record<Form, Written> = { decoded: plain("Date"), wire: plain("string"), given: plain("Date | string") };

const DECIMAL: Record<Form, Written> = {
  decoded: { ...plain("PublishedDecimal"), decimals: ["PublishedDecimal"] },
  wire: plain("string"),
  given: { ...plain("Decimal | string | number"), decimals: ["Decimal"] },
};

const DAY: Record<Form, Written> = { decoded: plain("string"), wire: plain("string"), given: plain("Date | string") };

const PLAIN = { text: "string", number: "number", boolean: "boolean", null: "null" } as const;

const isSame = (left: readonly unknown[], right: readonly unknown[]): boolean =>
  left.length === right.length && left.every((value) => right.includes(value));

const inParentheses = (text: string): string => (/^[\w.<>]+$/.test(text) ? text : `(${text})`);

/** Writes types in one form, using the names of the value lists. */
export const typeWriter = (form: Form, lists: readonly ValuesModel[]): ((type: Type) => Written) => {
  const choice = (values: readonly (string | number)[], isOpen: boolean): Written => {
    const list = lists.find((candidate) => isSame(candidate.values, values));
    const text = list?.name ?? values.map((value) => JSON.stringify(value)).join(" | ");
    const names = list ? [list.name] : [];
    return { ...plain(isOpen ? `Open<${text}>` : text), values: isOpen ? [...names, "Open"] : names };
  };
  const write = (type: Type): Written => {
    switch (type.kind) {
      case "instant":
        return INSTANT[form];
      case "decimal":
        return DECIMAL[form];
      case "day":
        return DAY[form];
      case "choice":
        return choice(type.values, type.isOpen);
      case "words": {
        if (form === "wire") return plain("string");
        const word = choice(type.values, false);
        return { ...word, text: `readonly ${inParentheses(word.text)}[]` };
      }
      case "list": {
        const row = write(type.of);
        return { ...row, text: `readonly ${inParentheses(row.text)}[]` };
      }
      case "record": {
        const entry = write(type.of);
        return { ...entry, text: `Readonly<Record<string, ${entry.text}>>` };
      }
      case "nullable": {
        const present = write(type.of);
        return { ...present, text: `${present.text} | null` };
      }
      case "either": {
        const all = type.of.map(write);
        return {
          text: all.map(({ text }) => text).join(" | "),
          types: all.flatMap(({ types }) => types),
          values: all.flatMap(({ values }) => values),
          decimals: all.flatMap(({ decimals }) => decimals),
        };
      }
      case "named":
        return { ...plain(type.name), types: [type.name] };
      default:
        return plain(PLAIN[type.kind]);
    }
  };
  return write;
};
