/** A document ready to send: its bytes, their ETag, and its compressed forms, each made once. */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { acceptsEncoding, type ContentEncoding } from "@assay/services";

const compress = promisify(gzip);

/** Below this size compression saves no packet. */
const WORTH_COMPRESSING_BYTES = 1_024;

type Bytes = Uint8Array<ArrayBuffer>;

/** What is sent in reply to one request. */
interface Form {
  readonly body: Bytes;
  readonly etag: string;
  readonly encoding: ContentEncoding | null;
}

/** Bytes of their own, whatever the content was read into. */
const bytesOf = (content: string | Uint8Array): Bytes =>
  new Uint8Array(typeof content === "string" ? Buffer.from(content) : content);

/** A document ready to send. */
export class EncodedDocument {
  readonly contentType: string;
  readonly cacheControl: string;
  /** Whether browsers render it as a page. */
  readonly isPage: boolean;
  readonly #plain: Form;
  readonly #compressed = new Map<ContentEncoding, Form | Promise<Form>>();
  /** Whether its compressed forms were made beforehand, and there are no others. */
  readonly #isPrepared: boolean;

  /** @param prepared its compressed forms, if they were made beforehand; by default gzip is made when it is first asked for */
  constructor(
    contentType: string,
    cacheControl: string,
    content: string | Uint8Array,
    prepared?: Readonly<Partial<Record<ContentEncoding, Uint8Array>>>,
  ) {
    this.contentType = contentType;
    this.cacheControl = cacheControl;
    this.isPage = contentType.startsWith("text/html");
    const body = bytesOf(content);
    const hash = createHash("sha256").update(body).digest("base64url").slice(0, 27);
    this.#plain = { body, etag: `"${hash}"`, encoding: null };
    this.#isPrepared = prepared !== undefined;
    for (const encoding of ["br", "gzip"] as const) {
      const made = prepared?.[encoding];
      if (made) this.#compressed.set(encoding, this.#formOf(bytesOf(made), encoding));
    }
  }

  /** Whether the client already has the current version, in any form. */
  isHeldBy(ifNoneMatch: string | undefined): boolean {
    if (ifNoneMatch === undefined) return false;
    const hash = this.#plain.etag.slice(1, -1);
    const held = ifNoneMatch.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
    return held.some((tag) => tag === "*" || ["", "-gzip", "-br"].some((ending) => tag === `"${hash}${ending}"`));
  }

  /** The form for a client: brotli, gzip, or neither. */
  form(acceptEncoding: string | undefined): Form | Promise<Form> {
    for (const [encoding, form] of this.#compressed) if (acceptsEncoding(acceptEncoding, encoding)) return form;
    if (this.#isPrepared || !this.isCompressible || !acceptsEncoding(acceptEncoding, "gzip")) return this.#plain;
    const made = compress(this.#plain.body).then((body) => this.#formOf(new Uint8Array(body), "gzip"));
    this.#compressed.set("gzip", made);
    return made;
  }

  /** Whether its form depends on Accept-Encoding. */
  get isCompressible(): boolean {
    return this.#isPrepared ? this.#compressed.size > 0 : this.#plain.body.length >= WORTH_COMPRESSING_BYTES;
  }

  #formOf(body: Bytes, encoding: ContentEncoding): Form {
    return { body, etag: `${this.#plain.etag.slice(0, -1)}-${encoding}"`, encoding };
  }
}
