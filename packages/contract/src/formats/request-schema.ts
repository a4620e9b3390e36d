/** The parameters of a route over HTTP: its own, and `format`. */
import { z } from "zod";
import { isVersioned, pathParameters, type Route } from "../route.ts";
import { type Format, formatEntry, formatsOf } from "./formats.ts";

/** The name of the parameter. */
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

/**
 * The schema a request over HTTP is parsed with: every route under `/v1` reads `format`, and refuses what it has not. Other
 * transports have the route's own input.
 */
export const requestSchema = (route: Route): z.ZodObject => {
  if (!isVersioned(route)) return route.input;
  const formats = formatsOf(route);
  const schema = route.input.extend({ [FORMAT_PARAMETER]: formatField(formats) });
  if (formats.every((format) => formatEntry(format).needs === undefined)) return schema;
  return schema.superRefine((input, context) => {
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

/** Where a parameter of a request over HTTP is given. */
export type ParameterLocation = "path" | "query" | "body";

/** Where a route reads a parameter of its request schema: in the path if it is named there, `format` in the query always. */
export const parameterLocation = (route: Route, name: string): ParameterLocation => {
  if (pathParameters(route.path).includes(name)) return "path";
  return route.method === "POST" && name !== FORMAT_PARAMETER ? "body" : "query";
};

/** The formats that do not need a value of a parameter. */
const withOthers = (formats: readonly Format[], name: string): string =>
  ["json", ...formats.filter((format) => formatEntry(format).needs?.[name] === undefined)].join(", ");
