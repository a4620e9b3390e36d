/** What an answer says, whatever its format: its objects, with the rows of a table as objects too. */
import { parseJson, type Route } from "@assay/contract";
import { parse } from "csv-parse/sync";
import { type Exchange, fieldsOf, isStream, requestedFormat } from "../wire/exchange.ts";
import type { AnswerObject } from "./rule.ts";
import { eventsIn } from "./stream.ts";

/** A cell as the JSON answer has it: lists and booleans are written as JSON, an empty one is absent. */
const cellOf = (text: string): unknown =>
  /^(true|false|\[.*|\{.*)$/s.test(text) ? parseJson(text) : text === "" ? undefined : text;

const tableOf = (text: string): unknown => {
  try {
    const rows: Readonly<Record<string, string>>[] = parse(text, { columns: true });
    return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, cellOf(cell)])));
  } catch {
    return undefined;
  }
};

const bodyOf = (route: Route, exchange: Exchange): unknown => {
  if (isStream(exchange)) return eventsIn(exchange);
  const format = requestedFormat(route, exchange);
  if (format === "csv") return tableOf(exchange.text);
  if (format !== "jws") return exchange.json;
  const [, claims = ""] = exchange.text.split(".");
  return fieldsOf(parseJson(Buffer.from(claims, "base64url").toString("utf8"))).body;
};

const objectsIn = (json: unknown): AnswerObject[] => {
  if (Array.isArray(json)) return json.flatMap(objectsIn);
  if (typeof json !== "object" || json === null) return [];
  return [json as AnswerObject, ...Object.values(json).flatMap(objectsIn)]; // an object, checked above
};

/** Every object of an answer, however deep. */
export const objectsOf = (route: Route, exchange: Exchange): AnswerObject[] => objectsIn(bodyOf(route, exchange));
