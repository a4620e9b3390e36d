/** The parameters of a route over HTTP: its own, and `format` where it has a choice. */
import { z } from "zod";
import type { Route } from "../route.ts";
import { type Format, formatEntry, formatsOf } from "./formats.ts";

/** The name of the parameter. */
export const FORMAT_PARAMETER = "format";

/** A format as named in a request; `json` is every route's own. */
export type AnswerFormat = "json" | Format;

const describe = (formats: readonly Format[]): string =>
  [
    "How the answer is written: json when left out.",
    ...formats.map((format) => `${format}: ${formatEntry(format).summary}.`),
  ].join(" ");

const isFormat = (formats: readonly Format[], value: unknown): value is Format => (formats as readonly unknown[]).includes(value); // compared as values

/**
 * The schema a request over HTTP is parsed with. Other transports have the route's own input.
 * @returns the input itself when JSON is all the route has
 */
export const requestSchema = (route: Route): z.ZodObject => {
  const formats = formatsOf(route);
  if (formats.length === 0) return route.input;
  const format = z
    .enum(["json", ...formats], { error: `must be one of ${["json", ...formats].join(", ")}` })
    .meta({ description: describe(formats), examples: ["json"] })
    .optional();
  return route.input.extend({ [FORMAT_PARAMETER]: format }).superRefine((input, context) => {
    const { [FORMAT_PARAMETER]: chosen } = input;
    if (!isFormat(formats, chosen)) return;
    for (const [name, value] of Object.entries(formatEntry(chosen).needs ?? {})) {
      if (input[name] === value) continue;
      context.addIssue({
        code: "custom",
        path: [FORMAT_PARAMETER],
        message: `${chosen} needs ${name}=${value}; with others this route has ${withOthers(formats, name)}`,
      });
    }
  });
};

/** The formats that do not need a value of a parameter. */
const withOthers = (formats: readonly Format[], name: string): string =>
  ["json", ...formats.filter((format) => formatEntry(format).needs?.[name] === undefined)].join(", ");
