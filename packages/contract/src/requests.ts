/** What a request may hold: the parameters of its route, `format`, and a key. What it has beyond them is refused. */
import { z } from "zod";
import type { ValidationIssue } from "./errors.ts";
import { type Format, formatEntry, formatsOf } from "./formats/formats.ts";
import { GENERAL_HINTS } from "./hints.ts";
import { isVersioned, pathParameters, type Route, takesBody } from "./route.ts";

/** Where a request carries its key: nowhere, once, twice with different values, or only where it is not read. */
export type SuppliedKey =
  | { readonly kind: "none" }
  | { readonly kind: "key"; readonly key: string }
  | { readonly kind: "conflict" }
  | { readonly kind: "misplaced" };

export const FORMAT_PARAMETER = "format";

/** A format as named in a request; `json` is every route's own. */
export type AnswerFormat = "json" | Format;

const describe = (formats: readonly Format[]): string =>
  formats.length === 0
    ? "How the answer is written; this route has json alone."
    : [
        "How the answer is written: json when left out.",
        ...formats.map((format) => `${format}: ${formatEntry(format).summary}.`),
      ].join(" ");

const isFormat = (formats: readonly Format[], value: unknown): value is Format => (formats as readonly unknown[]).includes(value); // compared as values

const formatField = (formats: readonly Format[]) =>
  z
    .enum(["json", ...formats], { error: `must be ${formats.length === 0 ? "" : "one of "}${["json", ...formats].join(", ")}` })
    .meta({ description: describe(formats), examples: ["json"] })
    .optional();

/** The formats that do not need a value of a parameter. */
const withOthers = (formats: readonly Format[], name: string): string =>
  ["json", ...formats.filter((format) => formatEntry(format).needs?.[name] === undefined)].join(", ");

/**
 * The schema a request over HTTP is parsed with: every route under `/v1` reads `format`, and refuses what it has not. Other
 * transports have the route's own input.
 */
export const requestSchema = (route: Route): z.ZodObject => {
  if (!isVersioned(route)) return route.input;
  const formats = formatsOf(route);
  const schema = route.input.extend({ [FORMAT_PARAMETER]: formatField(formats) });
  const needsOf = (format: Format): [string, string][] =>
    Object.entries(formatEntry(format).needs ?? {}).filter(([name]) => Object.hasOwn(route.input.shape, name));
  if (formats.every((format) => needsOf(format).length === 0)) return schema;
  return schema.superRefine((input, context) => {
    const { [FORMAT_PARAMETER]: chosen } = input;
    if (!isFormat(formats, chosen)) return;
    for (const [name, value] of needsOf(chosen)) {
      if (input[name] === value) continue;
      context.addIssue({
        code: "custom",
        path: [FORMAT_PARAMETER],
        message: `${chosen} needs ${name}=${value}; with others this route has ${withOthers(formats, name)}`,
      });
    }
  });
};

/** Where a parameter of a request over HTTP is given. */
export type ParameterLocation = "path" | "query" | "body";

export type BodyForm = "json" | "csv";

/**
 * Where a route reads a parameter of its request schema: in the path if it is named there, `format` in the query always.
 * @param form of the body: a CSV file is one list, so that everything else is in the query
 */
export const parameterLocation = (route: Route, name: string, form: BodyForm = "json"): ParameterLocation => {
  if (pathParameters(route.path).includes(name)) return "path";
  if (!takesBody(route) || name === FORMAT_PARAMETER) return "query";
  return form === "json" || name === route.body?.csv?.list ? "body" : "query";
};

/** Where parameters are given: as in REST, or all in one object, as tRPC and MCP do. */
export type ParameterPlace = ParameterLocation | "input" | "arguments";

/** A query may hold thousands of names; a refusal lists this many unknown ones. */
const MAX_ISSUES = 10;
/** How much of an unknown name a refusal repeats. */
const MAX_NAME = 64;

const declaredAt = (route: Route, place: ParameterPlace, form: BodyForm): string[] => {
  const own = Object.keys(route.input.shape);
  if (place === "input" || place === "arguments") return own;
  return [...own, ...(isVersioned(route) ? [FORMAT_PARAMETER] : [])].filter(
    (name) => parameterLocation(route, name, form) === place,
  );
};

/** A name without case and separators: `keyId` is `key_id`, `Symbol` is `symbol`. */
const fold = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, "");

const hintOf = (route: Route, name: string): string | undefined => {
  const hints = { ...GENERAL_HINTS, ...route.hints };
  return Object.hasOwn(hints, name) ? hints[name] : undefined;
};

/** What to do instead: the right name, the right place, the route's hint, or else the parameters there are. */
const wayOf = (route: Route, name: string, declared: readonly string[], form: BodyForm): string => {
  const folded = fold(name);
  const meant = declared.find((each) => fold(each) === folded);
  if (meant !== undefined) return `it is written ${meant}`;
  const elsewhere = Object.keys(route.input.shape).find((each) => fold(each) === folded);
  if (elsewhere !== undefined) return `${elsewhere} belongs in the ${parameterLocation(route, elsewhere, form)}`;
  return hintOf(route, folded) ?? (declared.length === 0 ? "there are none" : `the parameters are ${declared.join(", ")}`);
};

interface KnownNames {
  readonly path: string;
  readonly place: ParameterPlace;
  readonly names: readonly string[];
  /** What to do instead of a name that is not read. */
  readonly way: (name: string) => string;
}

/**
 * Creates the check of names at a place.
 * @returns a function from the names of a request to an issue for each that is not read there; names that begin with `_` are
 *   ignored: clients add them to bypass caches
 */
export const unrecognizedNames = ({ path, place, names: declared, way }: KnownNames) => {
  const known = new Set(declared);
  return (names: Iterable<string>): readonly ValidationIssue[] => {
    const issues: ValidationIssue[] = [];
    for (const given of names) {
      if (known.has(given) || given.startsWith("_")) continue;
      const name = given.slice(0, MAX_NAME);
      const message = `${name || "an empty name"} is not a parameter of ${path}: ${way(name)}`;
      issues.push({ path: [place, name], code: "unrecognized_parameter", message });
      if (issues.length === MAX_ISSUES) break;
    }
    return issues;
  };
};

/**
 * Creates the check of a route's parameter names: ignoring one would answer another question.
 * @returns as `unrecognizedNames`
 */
export const unrecognizedParameters = (
  route: Route,
  place: ParameterPlace,
  form: BodyForm = "json",
): ((names: Iterable<string>) => readonly ValidationIssue[]) => {
  if (route.ignoresUnknown) return () => [];
  const names = declaredAt(route, place, form);
  return unrecognizedNames({ path: route.path, place, names, way: (name) => wayOf(route, name, names, form) });
};
