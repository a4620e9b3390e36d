/** Writes a route's answer in one of its formats. */
import type { Route } from "../route.ts";
import { columnsOf } from "./columns.ts";
import { csvWriter } from "./csv.ts";
import type { TextFormat } from "./formats.ts";
import { partOf } from "./part-of.ts";
import { beancountLines, ledgerLines } from "./price-lines.ts";

/** Writes an answer, given as its JSON value. */
export type Write = (answer: unknown) => string;

const figureWriter =
  (path: string): Write =>
  (answer) => {
    const figure = partOf(answer, path);
    return typeof figure === "string" ? `${figure}\n` : "\n";
  };

const MAKERS: Readonly<Record<TextFormat, (route: Route, path: string) => Write>> = {
  csv: ({ output }, path) => {
    const write = csvWriter(columnsOf(output, path));
    return (answer) => write(partOf(answer, path));
  },
  text: (_, path) => figureWriter(path),
  beancount: () => beancountLines,
  ledger: () => ledgerLines,
};

/**
 * Prepares the writer of a route's format; it is pure, and knows neither caller nor time.
 * @throws Error when the route does not declare the format
 */
export const formatWriter = (route: Route, format: TextFormat): Write => {
  const path = route.formats?.[format];
  if (path === undefined) throw new Error(`${route.path} has no format ${format}`);
  return MAKERS[format](route, path);
};
