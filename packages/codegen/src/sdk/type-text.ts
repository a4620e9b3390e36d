/** The text of a type: decoded as the SDK returns it, as on the wire, or as a caller may pass it. */
import type {
  Declaration,
  Declarations,
  Field,
  ObjectDeclaration,
  SdkModel,
  Type,
  UnionDeclaration,
  ValuesModel,
} from "./model.ts";
import { camelCase, propertyName } from "./names.ts";
import { describeField, docComment, sentence, translator, unionAlias } from "./text.ts";

/**
 * Which form of a value to write: as the SDK returns it, as it is on the wire, as a caller may pass it, or as a caller may pass it
 * within an object, where the service refuses numbers for amounts.
 */
type Form = "decoded" | "wire" | "given" | "input";

interface Needs {
  readonly types: readonly string[];
  /** Named value lists, and `Open`. */
  readonly values: readonly string[];
  /** Whether it uses `PublishedDecimal` or `Decimal`. */
  readonly decimals: readonly ("PublishedDecimal" | "Decimal")[];
}

interface Written extends Needs {
  readonly text: string;
}

const together = (all: readonly Needs[]): Needs => ({
  types: all.flatMap(({ types }) => types),
  values: all.flatMap(({ values }) => values),
  decimals: all.flatMap(({ decimals }) => decimals),
});

const plain = (text: string): Written => ({ text, types: [], values: [], decimals: [] });

const INSTANT: Record<Form, Written> = {
  decoded: plain("Date"),
  wire: plain("string"),
  given: plain("Date | string"),
  input: plain("Date | string"),
};

const DECIMAL: Record<Form, Written> = {
  decoded: { ...plain("PublishedDecimal"), decimals: ["PublishedDecimal"] },
  wire: plain("string"),
  given: { ...plain("Decimal | string | number"), decimals: ["Decimal"] },
  input: { ...plain("Decimal | string"), decimals: ["Decimal"] },
};

/** Text: a Date is another day in another time zone. */
const DAY: Record<Form, Written> = {
  decoded: plain("string"),
  wire: plain("string"),
  given: plain("string"),
  input: plain("string"),
};

const PLAIN = { text: "string", number: "number", boolean: "boolean", null: "null" } as const;

const isSame = (left: readonly unknown[], right: readonly unknown[]): boolean =>
  left.length === right.length && left.every((value) => right.includes(value));

const inParentheses = (text: string): string => (/^[\w.<>]+$/.test(text) ? text : `(${text})`);

export const typeWriter = (form: Form, lists: readonly ValuesModel[]): ((type: Type) => Written) => {
  const choice = (values: readonly (string | number)[], mayGrow: boolean): Written => {
    const list = lists.find((candidate) => isSame(candidate.values, values));
    const text = list?.name ?? values.map((value) => JSON.stringify(value)).join(" | ");
    const names = list ? [list.name] : [];
    const isOpen = mayGrow || list?.isOpen === true;
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
        return { ...together(all), text: [...new Set(all.flatMap(({ text }) => text.split(" | ")))].join(" | ") };
      }
      case "named":
        return { ...plain(type.name), types: [type.name] };
      default:
        return plain(PLAIN[type.kind]);
    }
  };
  return write;
};

export interface ObjectWriting {
  readonly form: Form;
  readonly write: ReturnType<typeof typeWriter>;
  /** Rewrites descriptions for this form. */
  readonly translate: (description: string) => string;
}

/** The decoded form and the caller's have the SDK's names, also in descriptions. */
export const writingOf = (form: Form, model: SdkModel): ObjectWriting => ({
  form,
  write: typeWriter(form, model.values),
  translate: form === "wire" ? (description) => description : translator(model),
});

/** One property of an interface, with its doc comment. */
export const propertyLines = (field: Field, { form, write, translate }: ObjectWriting): string[] => {
  const name = form === "wire" ? field.wireName : camelCase(field.wireName);
  const isGiven = form === "given" || form === "input";
  const comment = translate(describeField(form === "wire" ? { ...field, type: { kind: "text" } } : field, isGiven));
  const optional = field.isOptional ? "?" : "";
  const orUndefined = field.isOptional && isGiven ? " | undefined" : "";
  return [
    ...(comment === "" ? [] : docComment([comment], "  ")),
    `  readonly ${propertyName(name)}${optional}: ${write(field.type).text}${orUndefined};`,
  ];
};

/** Fields of a union's other members, declared as absent so that reading one narrows the type. */
const absentFields = (declaration: ObjectDeclaration, declarations: Declarations): string[] => {
  const unions = [...declarations.values()].filter(
    (one): one is UnionDeclaration => one.kind === "union" && one.members.includes(declaration.name),
  );
  const others = unions.flatMap(({ members }) => members.map((name) => declarations.get(name)));
  const names = others.flatMap((other) => (other?.kind === "object" ? other.fields.map(({ wireName }) => wireName) : []));
  const own = new Set(declaration.fields.map(({ wireName }) => wireName));
  return [...new Set(names)].filter((name) => !own.has(name));
};

/**
 * One declaration.
 * @param declarations all declarations, to find the unions an object belongs to
 */
export const declarationLines = (declaration: Declaration, declarations: Declarations, writing: ObjectWriting): string[] => {
  const comment = docComment([writing.translate(sentence(declaration.description))]);
  if (declaration.kind === "union") return [...comment, ...unionAlias(declaration.name, declaration.members)];
  const absent = absentFields(declaration, declarations).map((wireName) => {
    const name = writing.form === "wire" ? wireName : camelCase(wireName);
    return [...docComment(["Absent in this form."], "  "), `  readonly ${propertyName(name)}?: undefined;`];
  });
  return [
    ...comment,
    `export interface ${declaration.name} {`,
    ...declaration.fields.flatMap((field) => propertyLines(field, writing)),
    ...absent.flat(),
    "}",
  ];
};

/** The imports that a list of written types needs. */
export const needs = (fields: readonly Field[], { write }: ObjectWriting): Needs =>
  together(fields.map(({ type }) => write(type)));

export const fieldsOf = (declarations: Declarations): Field[] =>
  [...declarations.values()].flatMap((declaration) => (declaration.kind === "object" ? declaration.fields : []));
