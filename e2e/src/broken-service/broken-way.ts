/** One way to violate the contract, and helpers to define such ways. */
import type { Report } from "@assay/contract-test";
import type { Answered, Breakage, ProxiedRequest } from "./breaking-proxy.ts";

/** Keys a proxy may need: some admit one caller as another. */
interface ProxyKeys {
  readonly free: string;
  readonly pro: string;
}

/**
 * What is broken, the route under test or `service`, the check that should fail by group and title, and the groups of other checks
 * that fail because of it; no check of another group may.
 */
export type BrokenWay = readonly [
  what: string,
  only: string,
  caughtBy: string,
  breakage: (keys: ProxyKeys) => Breakage,
  ...also: readonly Report["results"][number]["group"][],
];

export type Body = Record<string, unknown>;

export type Make = BrokenWay[3];

export const answer =
  (change: (answered: Answered, request: ProxiedRequest) => void): Make =>
  () => ({ answer: change });

/** Replaces text in the answers that match a condition. */
export const replace = (when: (answered: Answered, request: ProxiedRequest) => boolean, parts: Partial<Answered>): Make =>
  answer((answered, request) => {
    if (when(answered, request)) Object.assign(answered, parts);
  });

const parsedBody = (change: (body: Body, request: ProxiedRequest) => void, when: (status: number) => boolean): Make =>
  answer((answered, request) => {
    if (!when(answered.status) || !answered.body.startsWith("{")) return;
    const parsed = JSON.parse(answered.body) as Body; // it starts as an object
    change(parsed, request);
    answered.body = JSON.stringify(parsed);
  });

export const body = (change: (body: Body, request: ProxiedRequest) => void): Make =>
  parsedBody(change, (status) => status === 200);

/** Sets one field of successes; undefined removes it. */
export const field = (name: string, next: (body: Body, request: ProxiedRequest) => unknown): Make =>
  body((parsed, request) => {
    parsed[name] = next(parsed, request);
  });

/** Sets one field of refusals; undefined removes it. */
export const refusalField = (name: string, next: (body: Body) => unknown): Make =>
  parsedBody(
    (parsed) => {
      parsed[name] = next(parsed);
    },
    (status) => status >= 400,
  );

export const header = (name: string, value: string): Make =>
  answer(({ headers }) => {
    headers[name] = value;
  });

export const without = (name: string): Make =>
  answer(({ headers }) => {
    delete headers[name];
  });

/** Changes the query before the service sees it. */
export const query =
  (change: (query: URLSearchParams, path: string) => void): Make =>
  () => ({
    ask: (request) => {
      const url = new URL(request.path, "http://service");
      change(url.searchParams, url.pathname);
      request.path = `${url.pathname}${url.search}`;
    },
  });

export const parameter = (name: string, when: (values: readonly string[]) => boolean, value: string): Make =>
  query((it) => {
    if (when(it.getAll(name))) it.set(name, value);
  });

/** Admits some callers with the key of Pro. */
export const asPro =
  (when: (request: ProxiedRequest, keys: ProxyKeys) => boolean): Make =>
  (keys) => ({
    ask: (request) => {
      if (when(request, keys)) request.headers.authorization = `Bearer ${keys.pro}`;
    },
  });

/** Whether a request has no key at all. */
export const isKeyless = ({ headers }: ProxiedRequest): boolean =>
  headers.authorization === undefined && headers["x-api-key"] === undefined;

export const isFree = ({ headers }: ProxiedRequest, { free }: ProxyKeys): boolean => headers.authorization === `Bearer ${free}`;
