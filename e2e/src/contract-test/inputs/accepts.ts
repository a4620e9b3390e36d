/** Whether a route's schema takes an input as it is sent: text in path and query read by each field's JSON type, a body as it is. */
import type { Route } from "@assay/contract";
import { type Parameter, parametersOf } from "@assay/testkit/wire";
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

/** Whether one parameter's schema takes a value. */
export const acceptsValue = (parameter: Parameter, value: unknown): boolean => {
  const meant = read(parameter, value);
  return meant !== MALFORMED && parameter.schema.safeParse(meant).success;
};

/** Whether the whole schema takes an input. */
export const accepts = (route: Route, input: Input): boolean => {
  const values: Record<string, unknown> = {};
  for (const parameter of parametersOf(route)) {
    if (!(parameter.name in input)) continue;
    const value = read(parameter, input[parameter.name]);
    if (value === MALFORMED) return false;
    values[parameter.name] = value;
  }
  return route.input.safeParse(values).success;
};
