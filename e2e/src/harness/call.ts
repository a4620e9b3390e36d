/** HTTP calls: plain ones, and calls of the contract's routes whose answers are checked against the contract. */
import type { OutputOf, RequestOf, Route } from "@assay/contract";
import { requestPath } from "@assay/testkit/wire";

const ANSWER_WITHIN_MS = 30_000;

/** How a request differs from a plain GET without a key. */
export interface Asking {
  readonly key?: string | undefined;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The client's address, for services that trust 127.0.0.1 as a proxy. */
  readonly from?: string;
  /** How long the answer may take, in milliseconds: half a minute, if nothing else is known of it. */
  readonly withinMs?: number;
}

/** An answer, read completely. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body, for comparing. */
  readonly json: unknown;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Requests a path. */
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
  return { status: response.status, headers: response.headers, text, json: parsed(text) };
};

/** Requests a route of the contract, whatever the answer. */
export const askRoute = <R extends Route>(url: string, route: R, input: RequestOf<R>, asking: Asking = {}): Promise<Answer> =>
  ask(url, requestPath(route, input as Record<string, unknown>), { method: route.method, ...asking }); // inputs are objects

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
