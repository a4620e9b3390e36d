/** A document ready to send: its bytes, their ETag, and the gzip form, each made once. */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const compress = promisify(gzip);

/** Below this size compression saves no packet. */
const WORTH_COMPRESSING_BYTES = 1_024;

type Bytes = Uint8Array<ArrayBuffer>;

/** What is sent in reply to one request. */
interface Form {
  readonly body: Bytes;
  readonly etag: string;
  readonly encoding: "gzip" | null;
}

/** A document ready to send. */
export class EncodedDocument {
  readonly contentType: string;
  readonly cacheControl: string;
  /** Whether browsers render it as a page. */
  readonly isPage: boolean;
  readonly #plain: Form;
  #compressed: Promise<Form> | undefined;

  constructor(contentType: string, cacheControl: string, content: string | Uint8Array) {
    this.contentType = contentType;
    this.cacheControl = cacheControl;
    this.isPage = contentType.startsWith("text/html");
    const body = new Uint8Array(typeof content === "string" ? Buffer.from(content) : content);
    const hash = createHash("sha256").update(body).digest("base64url").slice(0, 27);
    this.#plain = { body, etag: `"${hash}"`, encoding: null };
  }

  /** Whether the client already has the current version, in either form. */
  isHeldBy(ifNoneMatch: string | undefined): boolean {
    if (ifNoneMatch === undefined) return false;
    const hash = this.#plain.etag.slice(1, -1);
    const held = ifNoneMatch.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
    return held.some((tag) => tag === "*" || tag === `"${hash}"` || tag === `"${hash}-gzip"`);
  }

  /** The form for clients with or without gzip. */
  form(acceptEncoding: string | undefined): Form | Promise<Form> {
    const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(acceptEncoding ?? "");
    if (!takesGzip || !this.isCompressible) return this.#plain;
    this.#compressed ??= this.#compress();
    return this.#compressed;
  }

  /** Whether its form depends on Accept-Encoding. */
  get isCompressible(): boolean {
    return this.#plain.body.length >= WORTH_COMPRESSING_BYTES;
  }

  async #compress(): Promise<Form> {
    const body = new Uint8Array(await compress(this.#plain.body));
    return { body, etag: `${this.#plain.etag.slice(0, -1)}-gzip"`, encoding: "gzip" };
  }
}
