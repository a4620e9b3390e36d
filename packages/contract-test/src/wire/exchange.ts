/** One request as sent, the answer, fully read, and what it says: its error, its format, the limits it reports. */
import { FORMAT_PARAMETER, type Format, formatEntry, formatsOf, isRecord, type Route } from "@assay/contract";
import type { Caller } from "./caller.ts";

/** A request, ready to be sent. */
export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly caller: Caller;
  /** How many events of a stream to read, as far as they come soon; by default the first. */
  readonly events?: number;
}

/** An answer and the request behind it. */
export interface Exchange {
  readonly sent: Sent;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined when it is not JSON. */
  readonly json: unknown;
  /** When it was sent and when it was read, epoch milliseconds of this machine. */
  readonly sentAtMs: number;
  readonly readAtMs: number;
}

/** A check that cannot be run; the reason is reported, and it does not count as failed. */
export class NotChecked extends Error {
  override readonly name = "NotChecked";
}

/** The service did not answer a request at all. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

/** The service did not answer several times in a row: nothing more can be checked. */
export class ServiceGone extends NotChecked {
  /** The error of the last request. */
  readonly reason: string;

  constructor(reason: string) {
    super(`the service stopped responding: ${reason}`);
    this.reason = reason;
  }
}

/** The fields of a body that is an object; empty for any other. */
export const fieldsOf = (json: unknown): Readonly<Record<string, unknown>> => (isRecord(json) ? json : {});

/** The error code of an answer; undefined when it has none. */
export const codeOf = ({ json }: Pick<Exchange, "json">): string | undefined => {
  const { error } = fieldsOf(json);
  return typeof error === "string" ? error : undefined;
};

/** The parameters a refusal names, each once: location and name. */
export const issuePaths = ({ json }: Pick<Exchange, "json">): string[] => {
  const { issues } = fieldsOf(json);
  if (!Array.isArray(issues)) return [];
  const paths = issues.map((issue) => fieldsOf(issue).path);
  return [...new Set(paths.map((path) => (Array.isArray(path) ? path.slice(0, 2).join(" ") : "")))];
};

/** A format of the route, named once or by the Accept header alone; undefined for JSON and for what is refused. */
export const requestedFormat = (route: Route, { sent }: Pick<Exchange, "sent">): Format | undefined => {
  const named = new URL(sent.url).searchParams.getAll(FORMAT_PARAMETER);
  const { accept } = sent.headers;
  return formatsOf(route).find((format) =>
    named.length === 0
      ? accept !== undefined && formatEntry(format).accept === accept
      : named.length === 1 && format === named[0],
  );
};

export const isStream = ({ headers }: Pick<Exchange, "headers">): boolean =>
  headers.get("content-type")?.startsWith("text/event-stream") ?? false;

export interface LimitWindow {
  readonly quota: number;
  readonly lengthSeconds: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

const readItems = (header: string | null): Map<string, Record<string, number>> =>
  new Map(
    (header ?? "")
      .split(", ")
      .filter((item) => item !== "")
      .map((item) => {
        const [name = "", ...parameters] = item.split(";");
        return [
          name.replaceAll('"', ""),
          Object.fromEntries(parameters.map((each) => each.split("=")).map(([k, v]) => [k, Number(v)])),
        ];
      }),
  );

/** Parses every window of an answer, by name; a value missing from the header is NaN. */
export const windowsOf = ({ headers }: { readonly headers: Headers }): Map<string, LimitWindow> => {
  const states = readItems(headers.get("ratelimit"));
  return new Map(
    [...readItems(headers.get("ratelimit-policy"))].map(([name, policy]) => {
      const state = states.get(name);
      const window = {
        quota: policy.q ?? Number.NaN,
        lengthSeconds: policy.w ?? Number.NaN,
        remaining: state?.r ?? Number.NaN,
        resetSeconds: state?.t ?? Number.NaN,
      };
      return [name, window];
    }),
  );
};
