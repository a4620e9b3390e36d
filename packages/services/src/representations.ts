/**
 * Representations of content that is made once for everyone, as HTTP calls them: plain and compressed, each with its validator, and
 * the one that a client gets.
 */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { after, type Outcome } from "./call.ts";

/** How bytes are compressed, by its name in `Accept-Encoding`. */
export type ContentEncoding = "br" | "gzip";

/** An encoding in the header, unless its weight is zero. */
const accepted = (encoding: ContentEncoding): RegExp =>
  new RegExp(String.raw`(?:^|[\s,])${encoding}(?![\w-])(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))`, "i");

const ACCEPTED: Readonly<Record<ContentEncoding, RegExp>> = { br: accepted("br"), gzip: accepted("gzip") };

/** Whether an `Accept-Encoding` header names an encoding. */
const acceptsEncoding = (acceptEncoding: string | undefined, encoding: ContentEncoding): boolean =>
  ACCEPTED[encoding].test(acceptEncoding ?? "");

/** Whether an If-None-Match header matches a validator: by weak comparison, as HTTP has it for this header. */
export const matchesEtag = (header: string | undefined, etag: string): boolean =>
  header?.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag || tag.trim() === "*") ?? false;

/** Below this size compression saves no packet. */
const WORTH_COMPRESSING_BYTES = 1_024;

/** Of 11: smaller than gzip's best in less time. The highest takes a second of CPU for the OpenAPI document, and saves a seventh more. */
const BROTLI_QUALITY = 6;

type Bytes = Uint8Array<ArrayBuffer>;

const [compressBrotli, compressGzip] = [promisify(brotliCompress), promisify(gzip)];

/** How each is made, the one preferred first. Both run on Node's threads. */
const COMPRESS: Readonly<Record<ContentEncoding, (plain: Bytes) => Promise<Uint8Array>>> = {
  br: (plain) =>
    compressBrotli(plain, {
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
    }),
  gzip: (plain) => compressGzip(plain),
};
const ENCODINGS = ["br", "gzip"] as const satisfies readonly ContentEncoding[];

/** What is sent in reply to one request. */
export interface Representation {
  readonly body: Bytes;
  /** Of these bytes: another one than that of the others. */
  readonly etag: string;
  readonly encoding: ContentEncoding | null;
}

/** Bytes of their own, whatever the content was read into. */
const bytesOf = (content: string | Uint8Array): Bytes =>
  new Uint8Array(typeof content === "string" ? Buffer.from(content) : content);

export class Representations {
  readonly plain: Representation;
  readonly #compressed = new Map<ContentEncoding, Representation | Promise<Representation>>();
  readonly #encodings: readonly ContentEncoding[];

  /** @param prepared the compressed ones, if they were made beforehand: there are no others */
  constructor(content: string | Uint8Array, prepared?: Readonly<Partial<Record<ContentEncoding, Uint8Array>>>) {
    const body = bytesOf(content);
    const hash = createHash("sha256").update(body).digest("base64url").slice(0, 27);
    this.plain = { body, etag: `"${hash}"`, encoding: null };
    for (const encoding of ENCODINGS) {
      const made = prepared?.[encoding];
      if (made) this.#compressed.set(encoding, this.#encoded(made, encoding));
    }
    const made = body.length >= WORTH_COMPRESSING_BYTES ? ENCODINGS : [];
    this.#encodings = prepared ? [...this.#compressed.keys()] : made;
  }

  /** Whether the representation depends on Accept-Encoding. */
  get isCompressible(): boolean {
    return this.#encodings.length > 0;
  }

  /** The representation for a client: brotli, gzip, or neither. Synchronous once it is made. */
  accepted(acceptEncoding: string | undefined): Representation | Promise<Representation> {
    const encoding = this.#encodings.find((each) => acceptsEncoding(acceptEncoding, each));
    return encoding === undefined ? this.plain : (this.#compressed.get(encoding) ?? this.#compress(encoding));
  }

  async #compress(encoding: ContentEncoding): Promise<Representation> {
    const making = COMPRESS[encoding](this.plain.body).then((bytes) => this.#encoded(bytes, encoding));
    this.#compressed.set(encoding, making);
    try {
      const made = await making;
      this.#compressed.set(encoding, made);
      return made;
    } catch {
      // Compression failed for want of memory: this client gets the plain one, the next may get another.
      this.#compressed.delete(encoding);
      return this.plain;
    }
  }

  #encoded(bytes: Uint8Array, encoding: ContentEncoding): Representation {
    return { body: bytesOf(bytes), etag: `${this.plain.etag.slice(0, -1)}-${encoding}"`, encoding };
  }
}

export interface DocumentCall {
  readonly acceptEncoding: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

export class EncodedDocument {
  readonly contentType: string;
  readonly cacheControl: string;
  /** Whether browsers render it as a page. */
  readonly isPage: boolean;
  readonly #representations: Representations;

  /** @param prepared the compressed ones, if they were made beforehand; by default each is made when it is first asked for */
  constructor(
    contentType: string,
    cacheControl: string,
    content: string | Uint8Array,
    prepared?: Readonly<Partial<Record<ContentEncoding, Uint8Array>>>,
  ) {
    this.contentType = contentType;
    this.cacheControl = cacheControl;
    this.isPage = contentType.startsWith("text/html");
    this.#representations = new Representations(content, prepared);
  }

  /**
   * The answer: in full, or 304 to a client that has this representation of it.
   * @param more headers beside those of the content
   */
  answer({ acceptEncoding, ifNoneMatch }: DocumentCall, more: Readonly<Record<string, string>>): Outcome | Promise<Outcome> {
    return after(this.#representations.accepted(acceptEncoding), ({ body, etag, encoding }: Representation): Outcome => {
      const headers: Record<string, string> = { ...more, "Cache-Control": this.cacheControl, ETag: etag };
      if (this.#representations.isCompressible) headers["Vary"] = "Accept-Encoding";
      if (matchesEtag(ifNoneMatch, etag)) return { status: 304, headers, body: null };
      headers["Content-Type"] = this.contentType;
      headers["Content-Length"] = String(body.byteLength);
      if (encoding !== null) headers["Content-Encoding"] = encoding;
      return { status: 200, headers, body };
    });
  }
}
