/** Whether a schema accepts a value as sent: path and query text parsed by the field's JSON type, a body as is. */
import type { Parameter } from "@assay/testkit/wire";

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

/** Whether one parameter's schema accepts a value. */
export const acceptsValue = (parameter: Parameter, value: unknown): boolean => {
  const meant = read(parameter, value);
  return meant !== MALFORMED && parameter.schema.safeParse(meant).success;
};
