/** Requests that violate a route's schema, by kind of error: one parameter at a time, all others valid. */
import type { Route } from "@assay/contract";
import { type Parameter, parametersOf } from "@assay/testkit/wire";
import fc from "fast-check";
import { acceptsValue } from "./accepts.ts";
import { BAD_DATES, dateKindOf } from "./dates.ts";

/** The kinds of error. */
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
/** A kind of error. */
export type InvalidKind = (typeof INVALID_KINDS)[number];

/** One way to make one parameter invalid. */
export interface Fault {
  readonly kind: InvalidKind;
  readonly parameter: Parameter;
  /** Whether the schema itself rejects it; else the route may answer or refuse with any declared code. */
  readonly bySchema: boolean;
  /** The invalid values; none for `missing`, a second value for `repeated`. */
  readonly values: fc.Arbitrary<unknown>;
}

const NO_INTEGERS = ["10.5", "1e3", " 5", "5 ", "", "+5", "0x10", "ten", "-1", "1,000", "٣", "null", "NaN"];
const NO_NUMBERS = ["", "1e3", " 1", "1 ", "+1", "0x10", "ten", "1,5", ".5", "5.", "--1", "1.2.3"];
const NO_TEXTS: readonly unknown[] = [5, true, null, [], {}, ["text"]];

const longer = (parameter: Parameter): fc.Arbitrary<unknown>[] => {
  const { maxLength } = parameter.json;
  if (maxLength === undefined || parameter.json.enum) return [];
  return [fc.string({ minLength: maxLength + 1, maxLength: maxLength + 40, unit: fc.constantFrom(..."ABCxyz0189-") })];
};

const shorter = ({ json, location }: Parameter): fc.Arbitrary<unknown>[] =>
  location !== "path" && ((json.minLength ?? 0) > 0 || json.enum) ? [fc.constant("")] : [];

const otherTypes = ({ json, location }: Parameter): fc.Arbitrary<unknown>[] => {
  if (location === "body") return [fc.constantFrom(...NO_TEXTS)];
  if (json.type === "integer") return [fc.oneof(fc.constantFrom(...NO_INTEGERS), fc.string({ minLength: 1, maxLength: 12 }))];
  if (json.type === "number") return [fc.constantFrom(...NO_NUMBERS)];
  if (json.pattern !== undefined) return [fc.oneof(fc.constantFrom(...NO_NUMBERS), fc.string({ maxLength: 12 }))];
  return [];
};

const outside = ({ json }: Parameter): fc.Arbitrary<unknown>[] => {
  const { minimum, maximum } = json;
  if (json.type !== "integer") return [];
  const below = minimum !== undefined && minimum > 0 ? [fc.integer({ min: 0, max: minimum - 1 }).map(String)] : [];
  const above = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? [fc.integer({ min: maximum + 1 }).map(String)] : [];
  const huge = fc.integer({ min: 20, max: 60 }).map((digits) => "9".repeat(digits));
  return [fc.oneof(...below, ...above, huge)];
};

const unlisted = ({ json }: Parameter): fc.Arbitrary<unknown>[] =>
  json.enum
    ? [fc.oneof(fc.constantFrom("no-such-value", `${json.enum[0]} `, ","), fc.string({ minLength: 1, maxLength: 12 }))]
    : [];

const controls = ({ json }: Parameter): fc.Arbitrary<unknown>[] => {
  if (json.type !== "string" || json.enum) return [];
  const unit = fc.oneof(fc.constantFrom(..."\u0000\u0007\t\n\r\u001b\u007f\u0085"), fc.constantFrom(..."abc"));
  return [
    fc.string({ minLength: 1, maxLength: Math.min(json.maxLength ?? 12, 12), unit }).filter((text) => /\p{Cc}/u.test(text)),
  ];
};

const WRONG: readonly (readonly [kind: InvalidKind, make: (parameter: Parameter) => fc.Arbitrary<unknown>[]])[] = [
  ["too long", longer],
  ["too short", shorter],
  ["wrong type", otherTypes],
  ["out of range", outside],
  ["no such value", unlisted],
];

const isRefused =
  (parameter: Parameter) =>
  (value: unknown): boolean =>
    !acceptsValue(parameter, value);

/** Control characters: refused if the schema says so, else up to the route. */
const controlFaults = (parameter: Parameter): Fault[] =>
  controls(parameter).map((values) => {
    const bySchema = !acceptsValue(parameter, "a\u0007b");
    return { kind: "control characters", parameter, bySchema, values: bySchema ? values.filter(isRefused(parameter)) : values };
  });

/** Every way to make a route's parameters invalid. */
export const invalidFaults = (route: Route): Fault[] =>
  parametersOf(route).flatMap((parameter) => {
    const faults: Fault[] = [];
    const { location, isRequired } = parameter;
    if (isRequired && location !== "path")
      faults.push({ kind: "missing", parameter, bySchema: true, values: fc.constant(undefined) });
    if (location === "query") {
      const second = fc.constantFrom(String(parameter.example ?? "1"), "2", "");
      faults.push({ kind: "repeated", parameter, bySchema: true, values: second });
    }
    for (const [kind, make] of WRONG) {
      for (const values of make(parameter))
        faults.push({ kind, parameter, bySchema: true, values: values.filter(isRefused(parameter)) });
    }
    if (dateKindOf(parameter)) {
      faults.push({ kind: "malformed date", parameter, bySchema: false, values: fc.constantFrom(...BAD_DATES) });
    }
    return [...faults, ...controlFaults(parameter)];
  });
