/** A cache of bodies, for conditional requests and for as long as they are fresh. */
import type { Reply } from "../feed/reply.ts";
import type { Keeping } from "./headers.ts";

/** A cached body. */
export interface Kept extends Reply {
  readonly keeping: Keeping;
}

/** More than all feeds together request; the oldest is evicted first. */
const MAX_ENTRIES = 64;
/** Histories are requested only once. */
const MAX_KEPT_BYTES = 512 * 1024;

/** Whether caching it is useful: it is fresh, or can be revalidated. */
const isOfUse = ({ keeping: { mayStore, freshUntilMs, etag, lastModified }, receivedAtMs, bytes }: Kept): boolean =>
  mayStore && bytes.byteLength <= MAX_KEPT_BYTES && (freshUntilMs > receivedAtMs || etag !== null || lastModified !== null);

/** Cached bodies by URL. */
export interface KeptBodies {
  get(url: string): Kept | null;
  put(url: string, kept: Kept): void;
}

/** An empty in-memory cache. */
export const keptBodies = (): KeptBodies => {
  const entries = new Map<string, Kept>();
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
export const conditions = (kept: Kept | null): Record<string, string> => ({
  ...(kept?.keeping.etag && { "if-none-match": kept.keeping.etag }),
  ...(kept?.keeping.lastModified && { "if-modified-since": kept.keeping.lastModified }),
});
