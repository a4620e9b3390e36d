/**
 * What an upstream's headers ask for: when to retry, how long a body stays fresh, how to revalidate it; and the cache of
 * bodies.
 */
import { DAY_MS } from "@assay/contract";
import type { Reply } from "../feed/feed.ts";

/** A longer wait is a fault of the publisher; we retry after a day. */
const LONGEST_MS = DAY_MS;

/** A number of seconds; null when the text is not one. */
const seconds = (text: string | null | undefined): number | null =>
  text && /^\s*[0-9]{1,10}\s*$/.test(text) ? Number(text) : null;

/**
 * `Retry-After`, as seconds or as an HTTP date.
 * @returns when to retry, at most a day from now; null without a usable header
 */
export const retryAtMs = (headers: Headers, nowMs: number): number | null => {
  const text = headers.get("retry-after");
  const after = seconds(text);
  const atMs = after === null ? Date.parse(text ?? "") : nowMs + after * 1000;
  return Number.isNaN(atMs) ? null : Math.min(Math.max(atMs, nowMs), nowMs + LONGEST_MS);
};

/** How a body may be cached and revalidated. */
export interface Keeping {
  /** Until when the body is fresh and the upstream should not be asked. */
  readonly freshUntilMs: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly mayStore: boolean;
}

/** Parses `Cache-Control`, `Age`, `ETag` and `Last-Modified`; freshness is limited to a day. */
export const keepingOf = (headers: Headers, nowMs: number): Keeping => {
  const directives = new Map(
    (headers.get("cache-control") ?? "").split(",").map((directive) => {
      const [name = "", value] = directive.trim().toLowerCase().split("=");
      return [name, value?.replaceAll('"', "")] as const;
    }),
  );
  const mayStore = !directives.has("no-store");
  const maxAge = directives.has("no-cache") || !mayStore ? null : seconds(directives.get("max-age"));
  const goodForMs = Math.max(0, (maxAge ?? 0) - (seconds(headers.get("age")) ?? 0)) * 1000;
  return {
    freshUntilMs: nowMs + Math.min(goodForMs, LONGEST_MS),
    etag: headers.get("etag"),
    lastModified: headers.get("last-modified"),
    mayStore,
  };
};

export interface CachedBody extends Reply {
  readonly keeping: Keeping;
}

/** More than all feeds together request; the oldest is evicted first. */
const MAX_ENTRIES = 64;
/** Histories are requested only once. */
const MAX_KEPT_BYTES = 512 * 1024;

/** Whether caching it is useful: it is fresh, or can be revalidated. */
const isOfUse = ({ keeping: { mayStore, freshUntilMs, etag, lastModified }, receivedAtMs, bytes }: CachedBody): boolean =>
  mayStore && bytes.byteLength <= MAX_KEPT_BYTES && (freshUntilMs > receivedAtMs || etag !== null || lastModified !== null);

export interface BodyCache {
  get(url: string): CachedBody | null;
  put(url: string, kept: CachedBody): void;
}

/** An empty in-memory cache. */
export const bodyCache = (): BodyCache => {
  const entries = new Map<string, CachedBody>();
  return {
    get: (url) => entries.get(url) ?? null,
    put: (url, kept) => {
      entries.delete(url);
      if (!isOfUse(kept)) return;
      entries.set(url, kept);
      const [oldest] = entries.keys();
      if (entries.size > MAX_ENTRIES && oldest !== undefined) entries.delete(oldest);
    },
  };
};

/** The conditional headers for a cached body. */
export const conditions = (kept: CachedBody | null): Record<string, string> => ({
  ...(kept?.keeping.etag && { "if-none-match": kept.keeping.etag }),
  ...(kept?.keeping.lastModified && { "if-modified-since": kept.keeping.lastModified }),
});
