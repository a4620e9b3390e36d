/** Page cursors: the position in a query's pages, signed so that they cannot be forged. */
import { createHmac, hash, timingSafeEqual } from "node:crypto";

const VERSION = 2;
/** Cursors of older processes, which name no revision. */
const OLDER_VERSION = 1;
const PLACE_BYTES = 1 + 8 + 8;
const REVISION_BYTES = 8;
const SIGNATURE_BYTES = 16;

const digestOf = (query: readonly string[]): Buffer => hash("sha256", JSON.stringify(query), "buffer").subarray(0, 8);

const sign = (head: Buffer, secret: string): Buffer =>
  createHmac("sha256", secret).update(head).digest().subarray(0, SIGNATURE_BYTES);

export interface PagePlace {
  /** Instant of the oldest row seen; the next page starts before it. */
  readonly lastStartMs: number;
  /** The revisions of the ledger that the walk is a snapshot of, one of each series it is made of; none in older cursors. */
  readonly revisions: readonly number[];
}

/**
 * Writes the cursor to the page after this one.
 * @param query the request, without limit and cursor
 * @returns base64url text
 */
export const writeCursor = ({ lastStartMs, revisions }: PagePlace, query: readonly string[], secret: string): string => {
  const head = Buffer.alloc(PLACE_BYTES + revisions.length * REVISION_BYTES);
  head.writeUInt8(VERSION, 0);
  head.writeDoubleBE(lastStartMs, 1);
  digestOf(query).copy(head, 9);
  for (const [place, revision] of revisions.entries()) head.writeDoubleBE(revision, PLACE_BYTES + place * REVISION_BYTES);
  return Buffer.concat([head, sign(head, secret)]).toString("base64url");
};

/**
 * Reads a cursor.
 * @returns null when the cursor is not ours, was altered, or belongs to another query
 */
export const readCursor = (cursor: string, query: readonly string[], secret: string): PagePlace | null => {
  const bytes = Buffer.from(cursor, "base64url");
  const count = (bytes.length - PLACE_BYTES - SIGNATURE_BYTES) / REVISION_BYTES;
  if (count < 0 || !Number.isInteger(count) || bytes.toString("base64url") !== cursor) return null;
  const head = bytes.subarray(0, -SIGNATURE_BYTES);
  if (!timingSafeEqual(bytes.subarray(-SIGNATURE_BYTES), sign(head, secret))) return null;
  if (head.readUInt8(0) !== (count === 0 ? OLDER_VERSION : VERSION) || !head.subarray(9, 17).equals(digestOf(query))) return null;
  const revisions = Array.from({ length: count }, (_, place) => head.readDoubleBE(PLACE_BYTES + place * REVISION_BYTES));
  return { lastStartMs: head.readDoubleBE(1), revisions };
};
