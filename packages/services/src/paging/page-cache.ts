/** Pages of bars as last sent: identical requests get the same bytes until their series changes. */
import { LRUCache } from "lru-cache";

/** Bytes of pages kept, across all series. */
const MAX_BYTES = 16 * 1024 * 1024;

interface Entry {
  readonly stamp: object;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Whole answers by request, each with the version of the series it was built from. */
export class PageCache {
  readonly #entries = new LRUCache<string, Entry>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }, asked) => bytes.length + asked.length,
  });

  /** The answer built from the current version of a series; undefined when there is none. */
  get(asked: string, stamp: object): Uint8Array<ArrayBuffer> | undefined {
    const entry = this.#entries.get(asked);
    return entry?.stamp === stamp ? entry.bytes : undefined;
  }

  /** Stores an answer; its bytes are shared between callers from now on. */
  keep(asked: string, stamp: object, bytes: Uint8Array<ArrayBuffer>): void {
    this.#entries.set(asked, { stamp, bytes });
  }
}
