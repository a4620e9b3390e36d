/** What a format asks of the other parameters. */
import { FORMAT_PARAMETER, formatEntry, formatsOf, type Route } from "@assay/contract";
import type { Input } from "./sample.ts";

/** Whether an input has what its format needs, such as daily bars. */
export const suitsFormat = (route: Route, input: Input): boolean => {
  const format = formatsOf(route).find((each) => each === input[FORMAT_PARAMETER]);
  const needs = format ? formatEntry(format).needs : undefined;
  return Object.entries(needs ?? {}).every(([name, value]) => (input[name] ?? value) === value);
};
