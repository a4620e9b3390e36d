/**
 * Well-formed requests, sensible or not: anything a route's schema accepts. A service answers them, or refuses with a declared
 * code.
 */
import type { Route } from "@assay/contract";
import { type Parameter, parametersOf } from "@assay/testkit/wire";
import fc from "fast-check";
import { acceptsValue } from "./accepts.ts";
import type { Input } from "./sample.ts";
import { suitsFormat } from "./suits-format.ts";
import { wordsOf } from "./vocabulary.ts";

/** The longest text generated; URLs must stay short enough for every proxy. */
const MOST_CHARACTERS = 512;

/** Every client treats a path parameter of only dots as another path. */
const isPath = (text: string): boolean => text !== "" && !/^(\.|%2e){1,2}$/i.test(text);

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
    fc.string({ ...length, unit: "binary" }),
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
