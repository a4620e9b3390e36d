/** Pages of bars as they were last sent: callers who ask alike get the same bytes until their series changes. */
import { LRUCache } from "lru-cache";

/** Bytes of pages kept, all series together. */
const MAX_BYTES = 16 * 1024 * 1024;

interface Entry {
  readonly stamp: object;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Whole answers, kept by what was asked; each goes with the stamp of the series it was made from. */
export class PageCache {
  readonly #entries = new LRUCache<string, Entry>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }, asked) => bytes.length + asked.length,
  });

  /** The answer made from a series in its present state; undefined when there is none. */
  get(asked: string, stamp: object): Uint8Array<ArrayBuffer> | undefined {
    const entry = this.#entries.get(asked);
    return entry?.stamp === stamp ? entry.bytes : undefined;
  }

  /** Keeps an answer; its bytes are shared with every caller from now on. */
  keep(asked: string, stamp: object, bytes: Uint8Array<ArrayBuffer>): void {
    this.#entries.set(asked, { stamp, bytes });
  }
}
