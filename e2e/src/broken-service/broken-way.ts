/** One way to violate the contract, and helpers to define such ways. */
import type { Answered, Asked, Breakage } from "./breaking-proxy.ts";

/** Keys a proxy may need: some admit one caller as another. */
export interface ProxyKeys {
  readonly free: string;
  readonly pro: string;
}

/** One way to be broken. */
export interface BrokenWay {
  readonly what: string;
  /** The route under test, or `service`. */
  readonly only: string;
  /** The check that should fail: its group and title. */
  readonly caughtBy: string;
  readonly breakage: (keys: ProxyKeys) => Breakage;
}

/** A body that is an object. */
export type Body = Record<string, unknown>;

type Make = BrokenWay["breakage"];

/** Changes answers. */
export const answer =
  (change: (answered: Answered, asked: Asked) => void): Make =>
  () => ({ answer: change });

/** Replaces text in the answers that match a condition. */
export const replace = (when: (answered: Answered, asked: Asked) => boolean, parts: Partial<Answered>): Make =>
  answer((answered, asked) => {
    if (when(answered, asked)) Object.assign(answered, parts);
  });

const parsedBody = (change: (body: Body, asked: Asked) => void, when: (status: number) => boolean): Make =>
  answer((answered, asked) => {
    if (!when(answered.status) || !answered.body.startsWith("{")) return;
    const parsed = JSON.parse(answered.body) as Body; // it starts as an object
    change(parsed, asked);
    answered.body = JSON.stringify(parsed);
  });

/** Changes the body of successes. */
export const body = (change: (body: Body, asked: Asked) => void): Make => parsedBody(change, (status) => status === 200);

/** Sets one field of successes; undefined removes it. */
export const field = (name: string, next: (body: Body, asked: Asked) => unknown): Make =>
  body((parsed, asked) => {
    parsed[name] = next(parsed, asked);
  });

/** Sets one field of refusals; undefined removes it. */
export const refusalField = (name: string, next: (body: Body) => unknown): Make =>
  parsedBody(
    (parsed) => {
      parsed[name] = next(parsed);
    },
    (status) => status >= 400,
  );

/** Sets a header of every answer. */
export const header = (name: string, value: string): Make =>
  answer(({ headers }) => {
    headers[name] = value;
  });

/** Removes a header from every answer. */
export const without = (name: string): Make =>
  answer(({ headers }) => {
    delete headers[name];
  });

/** Changes the query before the service sees it. */
export const query =
  (change: (query: URLSearchParams) => void): Make =>
  () => ({
    ask: (asked) => {
      const url = new URL(asked.path, "http://service");
      change(url.searchParams);
      asked.path = `${url.pathname}${url.search}`;
    },
  });

/** Sets a parameter when its values match a condition. */
export const parameter = (name: string, when: (values: readonly string[]) => boolean, value: string): Make =>
  query((it) => {
    if (when(it.getAll(name))) it.set(name, value);
  });

/** Admits some callers with the key of Pro. */
export const asPro =
  (when: (asked: Asked, keys: ProxyKeys) => boolean): Make =>
  (keys) => ({
    ask: (asked) => {
      if (when(asked, keys)) asked.headers.authorization = `Bearer ${keys.pro}`;
    },
  });

/** Whether a request has no key at all. */
export const isKeyless = ({ headers }: Asked): boolean =>
  headers.authorization === undefined && headers["x-api-key"] === undefined;

/** Whether a request has the key of Free. */
export const isFree = ({ headers }: Asked, { free }: ProxyKeys): boolean => headers.authorization === `Bearer ${free}`;
