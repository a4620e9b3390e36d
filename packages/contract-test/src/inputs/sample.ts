/** A route's minimal request: its required parameters, from the schema's examples, dated today. */
import type { Route } from "@assay/contract";
import { dateKindOf, daysAgo, edgeOf, isPassing } from "./dates.ts";
import { idOf, type Parameter, parametersOf, wordsOf } from "./parameters.ts";

/** Parameters by name, as sent: text in path and query, JSON values in a body. */
export type Input = Readonly<Record<string, unknown>>;

/** An id that does not exist: a test must not change or delete anything real. */
const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";

/** Length of the default window, in days. */
const WINDOW_DAYS = { from: 10, to: 1 };

const plainValue = (route: Route, parameter: Parameter, nowMs: number): unknown => {
  if (parameter.name === idOf(route)) return UNKNOWN_ID;
  const kind = dateKindOf(parameter);
  const edge = edgeOf(parameter.name);
  if (kind && edge) return daysAgo(kind, WINDOW_DAYS[edge], nowMs);
  if (parameter.name === "year") return new Date(nowMs).getUTCFullYear();
  return parameter.example ?? wordsOf(route.path, parameter)[0];
};

/**
 * Builds the minimal request.
 * @param nowMs the service's clock, epoch milliseconds
 */
export const sampleInput = (route: Route, nowMs: number): Input =>
  Object.fromEntries(
    parametersOf(route)
      .filter(({ isRequired }) => isRequired)
      .map((parameter) => [parameter.name, plainValue(route, parameter, nowMs)]),
  );

/**
 * Builds requests that cover a route: the minimal one, then one for each optional parameter's example, then one for each value
 * of its enumerations.
 * @param nowMs the service's clock, epoch milliseconds
 */
export const exampleInputs = (route: Route, nowMs: number): Input[] => {
  const plain = sampleInput(route, nowMs);
  const more = parametersOf(route)
    .filter((parameter) => !parameter.isRequired && !isPassing(parameter))
    .flatMap(({ name, example, json }) =>
      (json.enum ?? (example === undefined ? [] : [example])).map((value) => ({ ...plain, [name]: value })),
    );
  return [plain, ...more];
};
