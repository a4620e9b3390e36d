/** Bodies: as the contract declares them, without unknown fields, and of the declared content type. */
import { ERROR_CODES, errorBody, formatEntry } from "@assay/contract";
import { faultsOf } from "@assay/testkit/wire";
import { askedFormat } from "../wire/asked-format.ts";
import { codeOf } from "../wire/exchange.ts";
import { isSuccess, type Rule, type Subject } from "./rule.ts";

const ERROR_BODIES = new Map(ERROR_CODES.map((code) => [code as string, errorBody(code)]));
const JSON_KIND = /^application\/json(; ?charset=utf-8)?$/i;
const RECEIPT = /^(?:[A-Za-z0-9_-]+\.){2}[A-Za-z0-9_-]+$/;
const BODILESS: ReadonlySet<number> = new Set([204, 304, 307]);

const hasBody = ({ exchange }: Subject): boolean => exchange.sent.method !== "HEAD" && !BODILESS.has(exchange.status);

const isStream = ({ exchange }: Subject): boolean =>
  exchange.headers.get("content-type")?.startsWith("text/event-stream") ?? false;

/** The data of a stream's first unnamed event, the kind a route's output declares; undefined when there was none. */
const firstEvent = (text: string): unknown => {
  const unnamed = text.split(/\r?\n\r?\n/).filter((event) => !/^event:/m.test(event));
  const data = unnamed.map((event) => /^data: ?(.*)$/m.exec(event)?.[1]).find((each) => each !== undefined);
  if (data === undefined) return undefined;
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
};

const bodyFaults = (subject: Subject): string[] => {
  const { route, exchange } = subject;
  if (isSuccess(subject)) {
    // Compared with the JSON answer by a check of its own.
    const format = askedFormat(route, exchange);
    if (format === "jws") return RECEIPT.test(exchange.text) ? [] : ["it is not a compact JWS"];
    if (format) return /^$|\n$/.test(exchange.text) ? [] : ["the last line has no line break at its end"];
    const json = isStream(subject) ? firstEvent(exchange.text) : exchange.json;
    if (json === undefined) return isStream(subject) ? [] : ["the body is not JSON"];
    return faultsOf(route.output, json);
  }
  const expected = ERROR_BODIES.get(codeOf(exchange) ?? "");
  return expected ? faultsOf(expected, exchange.json) : [];
};

/** Every field is declared, and every declared one is valid: money as plain decimal text, instants in UTC with a Z. */
export const body: Rule = {
  title: "body",
  says: "every field is declared and has its declared form: money is plain decimal text, times end in Z",
  judge: (subject) => (hasBody(subject) ? bodyFaults(subject) : subject.exchange.text === "" ? [] : ["there is a body"]),
};

/** JSON has a JSON content type, and every other format its own. */
export const contentType: Rule = {
  title: "content type",
  says: "JSON is sent as application/json, another format as its own type, a stream as text/event-stream",
  judge: (subject) => {
    if (!hasBody(subject) || subject.exchange.status === 500 || (isSuccess(subject) && isStream(subject))) return null;
    const kind = subject.exchange.headers.get("content-type");
    const format = isSuccess(subject) ? askedFormat(subject.route, subject.exchange) : undefined;
    if (format) {
      const { contentType: wanted } = formatEntry(format);
      return kind === wanted ? [] : [`the content type is ${kind ?? "missing"}, not ${wanted}`];
    }
    return kind !== null && JSON_KIND.test(kind) ? [] : [`the content type is ${kind ?? "missing"}`];
  },
};
