/** Requests that make sense: known words, windows in order, within every tier's depth. A service must answer them. */
import type { Route } from "@assay/contract";
import { type Parameter, parametersOf } from "@assay/testkit/wire";
import fc from "fast-check";
import { dateKindOf, daysAgo, edgeOf, isPassingDay, REACH_DAYS } from "./dates.ts";
import type { Input } from "./sample.ts";
import { suitsFormat } from "./suits-format.ts";
import { wordsOf } from "./vocabulary.ts";

/** Pages are kept small: only their form is checked. */
const MOST_ROWS = 200;

const integers = ({ json, name }: Parameter, nowMs: number): fc.Arbitrary<string> => {
  const min = json.minimum ?? 0;
  // A schema does not know the current year.
  const most = name === "year" ? new Date(nowMs).getUTCFullYear() : min + MOST_ROWS;
  return fc.integer({ min, max: Math.min(json.maximum ?? MOST_ROWS, most) }).map(String);
};

/** The values of one parameter; null when only a cursor or id from another answer would make sense. */
const valuesOf = (route: Route, parameter: Parameter, nowMs: number): fc.Arbitrary<unknown> | null => {
  const { json, example } = parameter;
  const words = wordsOf(route.path, parameter);
  if (words.length > 0) return fc.constantFrom(...words);
  if (json.type === "integer") return integers(parameter, nowMs);
  if (json.type === "boolean") return fc.constantFrom("true", "false");
  return example === undefined || isPassingDay(parameter) ? null : fc.constant(example);
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
 * Requests a service must answer, or refuse only because of the caller's tier.
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
    .filter((input) => suitsFormat(route, input));
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
