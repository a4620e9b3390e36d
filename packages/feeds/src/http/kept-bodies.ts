/** Bodies kept for conditional requests, and for as long as their publisher wants not to be asked again. */
import type { Keeping } from "./headers.ts";
import type { Reply } from "./reply.ts";

/** A kept body. */
export interface Kept extends Reply {
  readonly keeping: Keeping;
}

/** More than all feeds together ask for; the oldest goes first. */
const MAX_ENTRIES = 64;
/** Histories are asked for once. */
const MAX_KEPT_BYTES = 512 * 1024;

/** Whether it is of any use later: in place of a question, or to ask by. */
const isOfUse = ({ keeping: { mayStore, freshUntilMs, etag, lastModified }, receivedAtMs, bytes }: Kept): boolean =>
  mayStore && bytes.byteLength <= MAX_KEPT_BYTES && (freshUntilMs > receivedAtMs || etag !== null || lastModified !== null);

/** Kept bodies by URL. */
export interface KeptBodies {
  get(url: string): Kept | null;
  put(url: string, kept: Kept): void;
}

/** An empty store, in memory. */
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

/** The headers that ask whether a kept body still holds. */
export const conditions = (kept: Kept | null): Record<string, string> => ({
  ...(kept?.keeping.etag && { "if-none-match": kept.keeping.etag }),
  ...(kept?.keeping.lastModified && { "if-modified-since": kept.keeping.lastModified }),
});
