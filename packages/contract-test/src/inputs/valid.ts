/**
 * Valid requests, generated from a route's schemas: any they accept, which a service answers or refuses with a declared code; and
 * those that make sense, which it must answer.
 */
import { catalogue } from "@assay/catalogue";
import { FIRST_ARCHIVE_YEAR, FORMAT_PARAMETER, formatEntry, formatsOf, isRecord, type Route } from "@assay/contract";
import { readCross } from "@assay/pricing";
import fc from "fast-check";
import { dateKindOf, daysAgo, edgeOf, isPassing, REACH_DAYS } from "./dates.ts";
import { type Parameter, parametersOf, wordsOf } from "./parameters.ts";
import type { Input } from "./sample.ts";

const INTEGER = /^[0-9]+$/;
const NUMBER = /^-?[0-9]+(\.[0-9]+)?$/;
const MALFORMED = Symbol("malformed");

const read = ({ location, json }: Parameter, value: unknown): unknown => {
  if (location === "body" || typeof value !== "string") return value;
  if (json.type === "integer") return INTEGER.test(value) ? Number(value) : MALFORMED;
  if (json.type === "number") return NUMBER.test(value) ? Number(value) : MALFORMED;
  if (json.type === "boolean") return value === "true" ? true : value === "false" ? false : MALFORMED;
  return value;
};

export const acceptsValue = (parameter: Parameter, value: unknown): boolean => {
  const meant = read(parameter, value);
  return meant !== MALFORMED && parameter.schema.safeParse(meant).success;
};

/** Whether an input has what its format needs, such as daily bars. */
const suitsFormat = (route: Route, input: Input): boolean => {
  const format = formatsOf(route).find((each) => each === input[FORMAT_PARAMETER]);
  const needs = format ? formatEntry(format).needs : undefined;
  return Object.entries(needs ?? {}).every(([name, value]) => (input[name] ?? value) === value);
};

const hasKarats = (symbol: unknown): boolean => {
  const cross = typeof symbol === "string" ? readCross(symbol) : null;
  return cross !== null && catalogue.metal(cross.metal).karats;
};

/** Whether an input names one purity at most, and karats only of a metal that has them. */
const suitsPurity = ({ karat, fineness, symbol }: Input): boolean =>
  karat === undefined || (fineness === undefined && hasKarats(symbol));

/** Whether an alert has what its kind needs, and nothing else. */
const suitsTerms = ({ kind, threshold, window_seconds: window }: Input): boolean =>
  kind === undefined || ((threshold === undefined) === (kind === "stale") && (window === undefined) === (kind !== "moved"));

/** The longest text generated; URLs must stay short enough for every proxy. */
const MOST_CHARACTERS = 512;

/** Every client treats a path parameter of only dots as another path. */
const isPath = (text: string): boolean => text !== "" && !/^(\.|%2e){1,2}$/i.test(text);

/**
 * Any character, assigned or not. The library's own unit of that name lists all 1.1 million first: for seconds nothing is sent or
 * received, and a connection that was just opened may be closed before its request is sent.
 */
const anyCharacter = fc
  .nat({ max: 0x10_ff_ff })
  .filter((code) => code < 0xd8_00 || code > 0xdf_ff)
  .map((code) => String.fromCodePoint(code));

/** Text by its length and pattern: plain, of any script, or from the parameter's known words. */
const texts = (route: Route, parameter: Parameter): fc.Arbitrary<unknown> => {
  const { json, example } = parameter;
  const length = { minLength: json.minLength ?? 0, maxLength: Math.min(json.maxLength ?? MOST_CHARACTERS, MOST_CHARACTERS) };
  const words = [...wordsOf(route.path, parameter), ...(example === undefined ? [] : [example])];
  const known = words.length > 0 ? [fc.constantFrom(...words)] : [];
  if (json.pattern !== undefined) return fc.oneof(...known, fc.stringMatching(new RegExp(json.pattern)));
  return fc.oneof(
    ...known,
    fc.string({ ...length, unit: "grapheme-ascii" }),
    fc.string({ ...length, unit: "grapheme" }),
    fc.string({ ...length, unit: anyCharacter }),
  );
};

const rawValues = (route: Route, parameter: Parameter): fc.Arbitrary<unknown> => {
  const { json, location } = parameter;
  const inBody = location === "body";
  if (json.enum) return fc.constantFrom(...json.enum);
  if (json.type === "integer") {
    const whole = fc.integer({ min: json.minimum ?? 0, max: json.maximum ?? 2_147_483_647 });
    return inBody ? whole : whole.map(String);
  }
  if (json.type === "number") {
    const whole = fc.integer({ min: Math.ceil(json.minimum ?? 0), max: Math.floor(json.maximum ?? 1_000_000) });
    return inBody ? whole : whole.map(String);
  }
  // Members of a list are judged alone, so that a list of anything is answered.
  if (json.type === "array") {
    const members: readonly unknown[] = Array.isArray(parameter.example) ? parameter.example : [];
    return fc.array(fc.oneof(fc.constantFrom(...members), fc.jsonValue({ maxDepth: 2 })), { minLength: 1, maxLength: 8 });
  }
  // No text is an object: its example stands for all of them.
  if (isRecord(parameter.example)) return fc.constant(parameter.example);
  if (json.type === "boolean") return inBody ? fc.boolean() : fc.constantFrom("true", "false");
  return texts(route, parameter);
};

/** Values of one parameter that its schema accepts. */
export const validValues = (route: Route, parameter: Parameter): fc.Arbitrary<unknown> =>
  rawValues(route, parameter).filter(
    (value) => acceptsValue(parameter, value) && (parameter.location !== "path" || isPath(String(value))),
  );

/** Inputs a route's schema accepts; optional parameters are present at random. */
export const validInputs = (route: Route): fc.Arbitrary<Input> => {
  const parameters = parametersOf(route);
  const values = Object.fromEntries(parameters.map((parameter) => [parameter.name, validValues(route, parameter)]));
  const requiredKeys = parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return fc.record(values, { requiredKeys }).filter((input) => suitsFormat(route, input));
};

/** Sensible pages are kept small: only their form is checked. */
const MOST_ROWS = 200;

const integers = ({ json, name, location }: Parameter, nowMs: number): fc.Arbitrary<unknown> => {
  const min = name === "year" ? FIRST_ARCHIVE_YEAR : (json.minimum ?? 0);
  // A schema knows neither the current year nor that of the first imported bar.
  const most = name === "year" ? new Date(nowMs).getUTCFullYear() : min + MOST_ROWS;
  const whole = fc.integer({ min, max: Math.min(json.maximum ?? MOST_ROWS, most) });
  return location === "body" ? whole : whole.map(String);
};

/** The values of one parameter; null when only a cursor or id from another answer would make sense. */
const valuesOf = (route: Route, parameter: Parameter, nowMs: number): fc.Arbitrary<unknown> | null => {
  const { json, example } = parameter;
  const words = wordsOf(route.path, parameter);
  if (words.length > 0) return fc.constantFrom(...words);
  if (json.type === "integer") return integers(parameter, nowMs);
  if (json.type === "boolean") return parameter.location === "body" ? fc.boolean() : fc.constantFrom("true", "false");
  return example === undefined || isPassing(parameter) ? null : fc.constant(example);
};

const isEdge = (parameter: Parameter): boolean => edgeOf(parameter.name) !== null && dateKindOf(parameter) !== null;

/** Both ends of a window, in order. */
const windows = (parameters: readonly Parameter[], nowMs: number): fc.Arbitrary<Input> =>
  fc.tuple(fc.integer({ min: 0, max: REACH_DAYS }), fc.integer({ min: 0, max: REACH_DAYS })).map(([one, other]) =>
    Object.fromEntries(
      parameters.filter(isEdge).map((parameter) => {
        const days = edgeOf(parameter.name) === "from" ? Math.max(one, other) : Math.min(one, other);
        return [parameter.name, daysAgo(dateKindOf(parameter) ?? "day", days, nowMs)];
      }),
    ),
  );

/**
 * Requests a service must answer, or refuse only because of the caller's tier: known words, windows in order, within every tier's
 * depth.
 * @param nowMs the service's clock, epoch milliseconds
 */
export const sensibleInputs = (route: Route, nowMs: number): fc.Arbitrary<Input> => {
  const parameters = parametersOf(route);
  const others: Record<string, fc.Arbitrary<unknown>> = {};
  const required: string[] = [];
  for (const parameter of parameters) {
    const values = isEdge(parameter) ? null : valuesOf(route, parameter, nowMs);
    if (values === null) continue;
    others[parameter.name] = values;
    if (parameter.isRequired) required.push(parameter.name);
  }
  const edges = windows(parameters, nowMs);
  return fc
    .tuple(fc.record(others, { requiredKeys: required }), edges)
    .map(([rest, window]) => ({ ...rest, ...window }))
    .filter((input) => suitsFormat(route, input) && suitsPurity(input) && suitsTerms(input));
};

/** Whether a route's parameters are known well enough that sensible ones must succeed. */
export const isWellKnown = (route: Route): boolean =>
  parametersOf(route).every(
    (parameter) =>
      !parameter.isRequired ||
      isEdge(parameter) ||
      wordsOf(route.path, parameter).length > 0 ||
      parameter.json.type === "integer",
  );
