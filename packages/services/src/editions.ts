/** Answers made once for everyone who asks within the same span of time. */
import { hash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const compress = promisify(gzip);

/** What all callers of one span get. */
export interface Edition {
  /** Its span, epoch milliseconds; the end is exclusive. */
  readonly startMs: number;
  readonly endMs: number;
  /** JSON text. */
  readonly body: string;
  readonly etag: string;
  /** The same compressed by gzip, with a validator of its own. */
  readonly compressed: { readonly body: Uint8Array<ArrayBuffer>; readonly etag: string };
}

/** How editions are made. */
export interface EditionOptions {
  /** The length of a span. */
  readonly lengthMs: number;
  /** Makes the output of the span that starts then. */
  readonly make: (startMs: number) => Promise<unknown>;
  /** Called when an edition could not be made; the one before is served, if there is one. */
  readonly onFailure: (error: unknown, requestId: string) => void;
}

/** Editions of one answer. The first caller of a span makes its edition, and those who ask meanwhile wait for the same one. */
export class Editions {
  readonly #options: EditionOptions;
  #newest: (Edition & { readonly version: unknown }) | null = null;
  #making: { readonly startMs: number; readonly version: unknown; readonly edition: Promise<Edition> } | null = null;

  constructor(options: EditionOptions) {
    this.#options = options;
  }

  /**
   * The edition of an instant: its span's, or the one before when that cannot be made. Synchronous once it is made.
   * @param version what it is made from, compared by identity: another one makes it again within its span
   * @throws whatever making it threw, when there is none before
   */
  at(nowMs: number, requestId: string, version: unknown = null): Edition | Promise<Edition> {
    const startMs = Math.floor(nowMs / this.#options.lengthMs) * this.#options.lengthMs;
    const newest = this.#newest;
    return newest?.startMs === startMs && newest.version === version ? newest : this.#awaited(startMs, requestId, version);
  }

  async #awaited(startMs: number, requestId: string, version: unknown): Promise<Edition> {
    let making = this.#making;
    if (making?.startMs !== startMs || making.version !== version) {
      making = { startMs, version, edition: this.#make(startMs) };
      this.#making = making;
    }
    try {
      const made = await making.edition;
      if (this.#newest === null || made.startMs >= this.#newest.startMs) this.#newest = { ...made, version };
      return made;
    } catch (error) {
      if (this.#making === making) this.#making = null;
      this.#options.onFailure(error, requestId);
      return this.#newest ?? Promise.reject(error);
    }
  }

  async #make(startMs: number): Promise<Edition> {
    const body = JSON.stringify(await this.#options.make(startMs));
    const name = hash("sha256", body).slice(0, 32);
    const compressed = { body: new Uint8Array(await compress(body)), etag: `"${name}-gzip"` };
    return { startMs, endMs: startMs + this.#options.lengthMs, body, etag: `"${name}"`, compressed };
  }
}
