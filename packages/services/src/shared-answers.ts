/** A verb's answers that are the same bytes for everyone who asks within the same span of time. */
import { Encoded } from "@assay/contract";
import { type Representation, Representations } from "./representations.ts";

export interface Edition {
  /** Its span, epoch milliseconds; the end is exclusive. */
  readonly startMs: number;
  readonly endMs: number;
  /** Of its JSON text. */
  readonly representations: Representations;
}

export interface EditionOptions {
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
    const representations = new Representations(JSON.stringify(await this.#options.make(startMs)));
    return { startMs, endMs: startMs + this.#options.lengthMs, representations };
  }
}

/** An answer made once: sent in the representation that a client accepts. */
export class SharedAnswer<T> extends Encoded<T> {
  readonly representations: Representations;

  /** @param cacheControl by default the route's */
  constructor(representations: Representations, cacheControl?: string) {
    const { body, etag } = representations.plain;
    super(body, cacheControl === undefined ? { etag } : { etag, cacheControl });
    this.representations = representations;
  }

  in({ body, etag, encoding }: Representation): Encoded<T> {
    const headers = {
      ...(this.representations.isCompressible ? { Vary: "Accept-Encoding" } : {}),
      ...(encoding === null ? {} : { "Content-Encoding": encoding }),
    };
    return new Encoded(body, { ...this.caching, etag }, headers);
  }
}
