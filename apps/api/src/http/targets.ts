/** Finds what a URL asks for, and keeps what was found for the next request for it. */
import { RegExpRouter } from "hono/router/reg-exp-router";
import { tryDecodeURIComponent } from "hono/utils/url";
import { LRUCache } from "lru-cache";

/** URLs kept with what was found there, and the longest worth keeping. */
const MAX_TARGETS = 2_000;
const MAX_CHARACTERS = 512;

/** What is found at a URL. Requests for a kept URL share it. */
export interface Target<T> {
  readonly place: T;
  readonly path: Readonly<Record<string, string>>;
  /** The query without its question mark. */
  readonly query: string;
}

/** A parameter of a path, and the fixed ending behind it, as in `{metal}.svg`. */
interface PathParameter {
  readonly name: string;
  readonly ending: string;
}

const PARAMETER = /\{(\w+)\}([^/]*)/g;

const parametersIn = (path: string): PathParameter[] =>
  [...path.matchAll(PARAMETER)].map(([, name = "", ending = ""]) => ({ name, ending }));

const pattern = (path: string): string =>
  path.replaceAll(PARAMETER, (_, name: string, ending: string) =>
    ending === "" ? `:${name}` : `:${name}{[^/]+${ending.replaceAll(".", "\\.")}}`,
  );

const queryOf = (url: string): string => {
  const start = url.indexOf("?");
  return start === -1 ? "" : url.slice(start + 1);
};

/**
 * Finds a target.
 * @param url of the request as sent
 * @param readPath reads the path from it, decoded except for what separates its parts; asked only if the URL is not kept
 * @returns null when there is no such path
 */
export type FindTarget<T> = (url: string, readPath: (url: string) => string | null) => Target<T> | null;

/**
 * Opens the look-up. A path without parameters goes before one that its parameters would match.
 * @param places by path, with its parameters in braces
 */
export const targetsOf = <T>(places: ReadonlyMap<string, T>): FindTarget<T> => {
  const router = new RegExpRouter<{ readonly place: T; readonly parameters: readonly PathParameter[] }>();
  const fixed = new Map<string, T>();
  for (const [path, place] of places) {
    const parameters = parametersIn(path);
    if (parameters.length === 0) fixed.set(path, place);
    else router.add("ALL", pattern(path), { place, parameters });
  }
  const matching = (path: string): { readonly place: T; readonly values: Record<string, string> } | null => {
    const place = fixed.get(path);
    if (place !== undefined) return { place, values: {} };
    const [[found], stash] = router.match("ALL", path);
    if (!found) return null;
    const [{ place: matched, parameters }, indexes] = found;
    const values: Record<string, string> = {};
    for (const { name, ending } of parameters) {
      const text = stash?.[Number(indexes[name])] ?? "";
      values[name] = tryDecodeURIComponent(text.slice(0, text.length - ending.length));
    }
    return { place: matched, values };
  };
  const kept = new LRUCache<string, Target<T>>({ max: MAX_TARGETS });
  return (url, readPath) => {
    const known = kept.get(url);
    if (known) return known;
    const path = readPath(url);
    if (path === null) return null;
    const found = matching(path);
    if (!found) return null;
    const target = Object.freeze({ place: found.place, path: Object.freeze(found.values), query: queryOf(url) });
    if (url.length <= MAX_CHARACTERS) kept.set(url, target);
    return target;
  };
};
