/** Whether a client takes a compressed answer. */

/** How bytes are compressed, by its name in `Accept-Encoding`. */
export type ContentEncoding = "br" | "gzip";

/** An encoding in the header, unless its weight is zero. */
const accepted = (encoding: ContentEncoding): RegExp =>
  new RegExp(String.raw`(?:^|[\s,])${encoding}(?![\w-])(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))`, "i");

const ACCEPTED: Readonly<Record<ContentEncoding, RegExp>> = { br: accepted("br"), gzip: accepted("gzip") };

/** Whether an `Accept-Encoding` header names an encoding. */
export const acceptsEncoding = (acceptEncoding: string | undefined, encoding: ContentEncoding): boolean =>
  ACCEPTED[encoding].test(acceptEncoding ?? "");
