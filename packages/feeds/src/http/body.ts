/** Reads bodies up to a size limit, and sniffs them before parsing. */
import { FeedError } from "../feed/error.ts";
import type { Payload } from "../feed/reply.ts";

const MIB = 1024 * 1024;

/** The default size limit. Markup is the most expensive to parse: 8 MiB of it take seconds. */
export const MAX_BODY_BYTES: Readonly<Record<Payload, number>> = {
  json: 8 * MIB,
  xml: 2 * MIB,
  zip: 8 * MIB,
  html: 2 * MIB,
  text: 8 * MIB,
};

/** Discards an unread body, so that its connection is freed. */
export const discard = async (response: Response): Promise<void> => {
  // Errors while discarding a body do not matter.
  await response.body?.cancel().catch(() => undefined);
};

/**
 * Reads a body in chunks; its decompressed size counts, not the header.
 * @throws FeedError when it is larger than the limit
 */
export const readBody = async (response: Response, maxBytes: number): Promise<Uint8Array> => {
  const tooLarge = () => new FeedError("too-large", `the body is larger than ${maxBytes} bytes`);
  if (Number(response.headers.get("content-length") ?? 0) > maxBytes) {
    await discard(response);
    throw tooLarge();
  }
  const pieces: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop early cancels the stream.
  for await (const piece of response.body ?? []) {
    length += piece.byteLength;
    if (length > maxBytes) throw tooLarge();
    pieces.push(piece);
  }
  return Buffer.concat(pieces, length);
};

const STARTS: Record<Payload, { readonly pattern: RegExp; readonly name: string }> = {
  json: { pattern: /^\s*[[{]/, name: "JSON" },
  xml: { pattern: /^\s*<(\?xml|[a-z:]+)/i, name: "XML" },
  zip: { pattern: /^PK/, name: "a ZIP archive" },
  html: { pattern: /^\s*</, name: "HTML" },
  text: { pattern: /^\s*[^<\s]/, name: "plain text" },
};
const HTML = /^\s*<(!doctype\s+html|html|head|body)\b/i;

/**
 * Checks a body's first bytes: an HTML page where data was expected is a failure, whatever the status.
 * @throws FeedError
 */
export const checkPayload = (bytes: Uint8Array, expect: Payload): void => {
  // Latin-1 decodes every byte; the first three may be a byte order mark.
  const start = Buffer.from(bytes.subarray(0, 256))
    .toString("latin1")
    .replace(/^\u00ef\u00bb\u00bf/, "");
  if (start.trim() === "") throw new FeedError("payload", "the body is empty");
  if (expect !== "html" && HTML.test(start))
    throw new FeedError("payload", `answered HTML where ${STARTS[expect].name} was expected`);
  if (!STARTS[expect].pattern.test(start)) throw new FeedError("payload", `the body is not ${STARTS[expect].name}`);
};
