/** Requests that violate a route's schema, by kind of error: one parameter at a time, all others valid. */
import type { Route } from "@assay/contract";
import fc from "fast-check";
import { BAD_DATES, dateKindOf } from "./dates.ts";
import { type Parameter, parametersOf } from "./parameters.ts";
import type { Input } from "./sample.ts";
import { acceptsValue } from "./valid.ts";

export const INVALID_KINDS = [
  "missing",
  "repeated",
  "too long",
  "too short",
  "wrong type",
  "out of range",
  "no such value",
  "malformed date",
  "control characters",
] as const;
export type InvalidKind = (typeof INVALID_KINDS)[number];

export interface Fault {
  readonly kind: InvalidKind;
  readonly parameter: Parameter;
  /** Whether the schema itself rejects it; else the route may answer or refuse with any declared code. */
  readonly bySchema: boolean;
  /** The invalid values; none for `missing`, a second value for `repeated`. */
  readonly values: fc.Arbitrary<unknown>;
  /** Those nearest to valid ones, and those most often let through; all are tried where requests cost nothing. */
  readonly edges: readonly unknown[];
}

/** Invalid values: some that are always among them, and a generator of others. */
interface InvalidValues {
  readonly edges: readonly unknown[];
  readonly others?: fc.Arbitrary<unknown>;
}

const NO_INTEGERS = ["10.5", "1e3", " 5", "5 ", "", "+5", "0x10", "ten", "-1", "1,000", "٣", "null", "NaN"];
const NO_NUMBERS = ["", "1e3", " 1", "1 ", "+1", "0x10", "ten", "1,5", ".5", "5.", "--1", "1.2.3"];
const NO_TEXTS: readonly unknown[] = [5, true, null, [], {}, ["text"]];

const longer = ({ json: { maxLength, enum: words } }: Parameter): InvalidValues | null => {
  if (maxLength === undefined || words) return null;
  const others = fc.string({ minLength: maxLength + 1, maxLength: maxLength + 40, unit: fc.constantFrom(..."ABCxyz0189-") });
  return { edges: ["x".repeat(maxLength + 1)], others };
};

const shorter = ({ json, location }: Parameter): InvalidValues | null =>
  location !== "path" && ((json.minLength ?? 0) > 0 || json.enum) ? { edges: [""] } : null;

const otherTypes = ({ json, location, isRequired }: Parameter): InvalidValues | null => {
  // Null is what is left out.
  if (location === "body") return { edges: NO_TEXTS.filter((value) => isRequired || value !== null) };
  if (json.type === "integer") return { edges: NO_INTEGERS, others: fc.string({ minLength: 1, maxLength: 12 }) };
  if (json.type === "number") return { edges: NO_NUMBERS };
  return json.pattern === undefined ? null : { edges: NO_NUMBERS, others: fc.string({ maxLength: 12 }) };
};

const outside = ({ json: { type, minimum = 0, maximum = Number.MAX_SAFE_INTEGER } }: Parameter): InvalidValues | null => {
  if (type !== "integer") return null;
  const [isBelow, isAbove] = [minimum > 0, maximum < Number.MAX_SAFE_INTEGER];
  const below = isBelow ? [fc.integer({ min: 0, max: minimum - 1 }).map(String)] : [];
  const above = isAbove ? [fc.integer({ min: maximum + 1 }).map(String)] : [];
  const huge = fc.integer({ min: 20, max: 60 }).map((digits) => "9".repeat(digits));
  const bounds = [...(isBelow ? [minimum - 1] : []), ...(isAbove ? [maximum + 1] : [])].map(String);
  return { edges: [...bounds, "9".repeat(400)], others: fc.oneof(...below, ...above, huge) };
};

const unlisted = ({ json }: Parameter): InvalidValues | null =>
  json.enum ? { edges: ["no-such-value", `${json.enum[0]} `, ","], others: fc.string({ minLength: 1, maxLength: 12 }) } : null;

const WRONG: readonly (readonly [kind: InvalidKind, make: (parameter: Parameter) => InvalidValues | null])[] = [
  ["too long", longer],
  ["too short", shorter],
  ["wrong type", otherTypes],
  ["out of range", outside],
  ["no such value", unlisted],
];

/** Control characters: refused if the schema says so, else up to the route. */
const controlFaults = (parameter: Parameter): Fault[] => {
  const { type, enum: words, maxLength = 12 } = parameter.json;
  if (type !== "string" || words) return [];
  const unit = fc.oneof(fc.constantFrom(..."\u0000\u0007\t\n\r\u001b\u007f\u0085"), fc.constantFrom(..."abc"));
  const bySchema = !acceptsValue(parameter, "a\u0007b");
  const values = fc
    .string({ minLength: 1, maxLength: Math.min(maxLength, 12), unit })
    .filter((text) => /\p{Cc}/u.test(text) && !(bySchema && acceptsValue(parameter, text)));
  return [{ kind: "control characters", parameter, bySchema, values, edges: [] }];
};

/** Every way to make a route's parameters invalid. */
export const invalidFaults = (route: Route): Fault[] =>
  parametersOf(route).flatMap((parameter) => {
    const { location, isRequired, example } = parameter;
    const fault = (kind: InvalidKind, bySchema: boolean, { edges, others }: InvalidValues): Fault => {
      const listed = edges.length > 0 ? [fc.constantFrom(...edges)] : [];
      return { kind, parameter, bySchema, edges, values: fc.oneof(...listed, ...(others ? [others] : [])) };
    };
    const bySchema = WRONG.flatMap(([kind, make]): Fault[] => {
      const wrong = make(parameter);
      const isRefused = (value: unknown): boolean => !acceptsValue(parameter, value);
      const edges = wrong?.edges.filter(isRefused) ?? [];
      if (wrong === null || (edges.length === 0 && !wrong.others)) return [];
      const made = fault(kind, true, { ...wrong, edges });
      return [{ ...made, values: made.values.filter(isRefused) }];
    });
    return [
      ...(isRequired && location !== "path" ? [fault("missing", true, { edges: [undefined] })] : []),
      ...(location === "query" ? [fault("repeated", true, { edges: [String(example ?? "1"), "2", ""] })] : []),
      ...bySchema,
      ...(dateKindOf(parameter) ? [fault("malformed date", false, { edges: BAD_DATES })] : []),
      ...controlFaults(parameter),
    ];
  });

export const askingOf = (
  sample: Input,
  { kind, parameter }: Fault,
  value: unknown,
): { readonly input: Input; readonly extraQuery?: string } => {
  const { [parameter.name]: right, ...rest } = sample;
  if (kind === "missing") return { input: rest };
  if (kind !== "repeated") return { input: { ...rest, [parameter.name]: value } };
  const pairs = [right ?? parameter.example ?? "1", value].map((each): [string, string] => [parameter.name, String(each)]);
  return { input: rest, extraQuery: new URLSearchParams(pairs).toString() };
};
