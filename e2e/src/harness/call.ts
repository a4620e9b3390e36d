/** Calls the routes of a service, and waits for its status, which reports every outage. */
import { contract, type OutputOf, parseJson, type RequestOf, type Route } from "@assay/contract";
import { requestBody, requestPath } from "@assay/contract-test/requests";
import { eventually, type Waiting } from "./eventually.ts";

const ANSWER_WITHIN_MS = 60_000;

/** How a request differs from a plain GET without a key. */
export interface Asking {
  readonly key?: string | undefined;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The client's address, for services that trust 127.0.0.1 as a proxy. */
  readonly from?: string;
  /** How long the answer may take, in milliseconds: a minute, if nothing else is known of it. */
  readonly withinMs?: number;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body, for comparing. */
  readonly json: unknown;
}

export const ask = async (
  url: string,
  path: string,
  { key, method = "GET", headers, body, from, withinMs = ANSWER_WITHIN_MS }: Asking = {},
): Promise<Answer> => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(from === undefined ? {} : { "x-forwarded-for": from }),
      ...headers,
    },
    redirect: "manual",
    signal: AbortSignal.timeout(withinMs),
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parseJson(text) };
};

/** Requests a route of the contract, whatever the answer. */
export const askRoute = <R extends Route>(url: string, route: R, input: RequestOf<R>, asking: Asking = {}): Promise<Answer> => {
  const given = input as Record<string, unknown>; // inputs are objects
  const body = requestBody(route, given);
  return ask(url, requestPath(route, given), { method: route.method, ...(body === null ? {} : { body }), ...asking });
};

/**
 * Calls a route of the contract and expects success.
 * @returns its output, as the contract declares it
 * @throws Error when it refuses, or its answer violates the contract
 */
export const read = async <R extends Route>(
  url: string,
  route: R,
  input: RequestOf<R>,
  asking: Asking = {},
): Promise<OutputOf<R>> => {
  const { status, text, json } = await askRoute(url, route, input, asking);
  if (status !== route.success.status) throw new Error(`${route.path} answered ${status}: ${text.slice(0, 300)}`);
  return route.output.parse(json) as OutputOf<R>; // the schema's own output
};

export type Status = OutputOf<typeof contract.system.status>;

let asked = 0;

/** Reads the status, each time from another address: it is limited by address, and tests poll it. Needs TRUST_PROXY. */
export const readStatus = (url: string): Promise<Status> => {
  asked += 1;
  return read(url, contract.system.status, {}, { from: `198.18.${(asked >> 8) & 255}.${asked & 255}` });
};

export const untilStatus = (
  url: string,
  what: string,
  holds: (status: Status) => boolean,
  waiting: Waiting = {},
): Promise<Status> => eventually(what, () => readStatus(url), holds, waiting);

/** Waits until the history is whole: older bars follow behind `ready`. */
export const untilHistory = (url: string): Promise<Status> =>
  untilStatus(url, "the history is complete", ({ history }) => history.complete, { withinMs: 240_000, everyMs: 500 });
