/** The operation that asks for another one's answer as a receipt. */
import type { Operation } from "./operation.ts";

/** `spot.receipt` of `spot.get`. */
export const receiptOf = ({ name, method, path, parameters }: Operation<unknown, unknown>): Operation<string, string> => ({
  name: name.replace(/\w+$/, "receipt"),
  method,
  path,
  format: "jws",
  parameters,
  result: "text",
});
