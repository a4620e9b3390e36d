/** Bodies: as the contract declares them, without a field it does not know, and of the declared kind. */
import { ERRORS, type ErrorCode, errorBody } from "@assay/contract";
import { faultsOf } from "@assay/testkit/wire";
import { codeOf } from "../wire/exchange.ts";
import { isSuccess, type Rule, type Subject } from "./rule.ts";

const JSON_KIND = /^application\/json(; ?charset=utf-8)?$/i;
const BODILESS: ReadonlySet<number> = new Set([204, 304, 307]);

const hasBody = ({ exchange }: Subject): boolean => exchange.sent.method !== "HEAD" && !BODILESS.has(exchange.status);

const isStream = ({ exchange }: Subject): boolean =>
  exchange.headers.get("content-type")?.startsWith("text/event-stream") ?? false;

/** The first data of a stream of events; undefined when none came. */
const firstEvent = (text: string): unknown => {
  const data = /^data: ?(.*)$/m.exec(text)?.[1];
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
    const json = isStream(subject) ? firstEvent(exchange.text) : exchange.json;
    if (json === undefined) return isStream(subject) ? [] : ["the body is no JSON"];
    return faultsOf(route.output, json);
  }
  const code = codeOf(exchange);
  if (code === undefined || !Object.hasOwn(ERRORS, code)) return [];
  return faultsOf(errorBody(code as ErrorCode), exchange.json); // a key of the table, as just seen
};

/** Every field is declared, and every declared one is right: money as plain decimal text, instants in UTC with a Z. */
export const body: Rule = {
  title: "body",
  says: "every field is declared and of its declared form: money is plain decimal text, instants end in Z",
  judge: (subject) => (hasBody(subject) ? bodyFaults(subject) : subject.exchange.text === "" ? [] : ["there is a body"]),
};

/** JSON is called JSON. */
export const contentType: Rule = {
  title: "content type",
  says: "JSON comes as application/json, a stream as text/event-stream",
  judge: (subject) => {
    if (!hasBody(subject) || subject.exchange.status === 500 || (isSuccess(subject) && isStream(subject))) return null;
    const kind = subject.exchange.headers.get("content-type");
    return kind !== null && JSON_KIND.test(kind) ? [] : [`the content type is ${kind ?? "missing"}`];
  },
};
