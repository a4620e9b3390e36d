/** Page cursors: the position in a query's pages, signed so that they cannot be forged. */
import { createHmac, hash, timingSafeEqual } from "node:crypto";

const VERSION = 2;
/** Cursors of older processes, which name no revision. */
const OLDER_VERSION = 1;
/** Cursors of lists that are oldest first: as before, with an end in front of the revisions. */
const ASCENDING_VERSION = 3;
const PLACE_BYTES = 1 + 8 + 8;
const NUMBER_BYTES = 8;
const SIGNATURE_BYTES = 16;

const digestOf = (query: readonly string[]): Buffer => hash("sha256", JSON.stringify(query), "buffer").subarray(0, 8);

const sign = (head: Buffer, secret: string): Buffer =>
  createHmac("sha256", secret).update(head).digest().subarray(0, SIGNATURE_BYTES);

export interface PagePlace {
  /** Instant of the last row seen; the next page starts before it, or after it when oldest first. */
  readonly lastStartMs: number;
  /** The revisions of the ledger that the walk is a snapshot of, one of each series it is made of; none in older cursors. */
  readonly revisions: readonly number[];
  /** When oldest first, instant of the newest row that the walk's first page found: what was added after it is left out. */
  readonly endMs?: number;
}

/**
 * Writes the cursor to the page after this one.
 * @param query the request, without limit and cursor
 * @returns base64url text
 */
export const writeCursor = ({ lastStartMs, revisions, endMs }: PagePlace, query: readonly string[], secret: string): string => {
  const numbers = endMs === undefined ? revisions : [endMs, ...revisions];
  const head = Buffer.alloc(PLACE_BYTES + numbers.length * NUMBER_BYTES);
  head.writeUInt8(endMs === undefined ? VERSION : ASCENDING_VERSION, 0);
  head.writeDoubleBE(lastStartMs, 1);
  digestOf(query).copy(head, 9);
  for (const [place, number] of numbers.entries()) head.writeDoubleBE(number, PLACE_BYTES + place * NUMBER_BYTES);
  return Buffer.concat([head, sign(head, secret)]).toString("base64url");
};

/**
 * Reads a cursor.
 * @returns null when the cursor is not ours, was altered, or belongs to another query
 */
export const readCursor = (cursor: string, query: readonly string[], secret: string): PagePlace | null => {
  const bytes = Buffer.from(cursor, "base64url");
  const count = (bytes.length - PLACE_BYTES - SIGNATURE_BYTES) / NUMBER_BYTES;
  if (count < 0 || !Number.isInteger(count) || bytes.toString("base64url") !== cursor) return null;
  const head = bytes.subarray(0, -SIGNATURE_BYTES);
  if (!timingSafeEqual(bytes.subarray(-SIGNATURE_BYTES), sign(head, secret))) return null;
  const version = head.readUInt8(0);
  const isKnown = count === 0 ? version === OLDER_VERSION : version === VERSION || version === ASCENDING_VERSION;
  if (!isKnown || !head.subarray(9, 17).equals(digestOf(query))) return null;
  const numbers = Array.from({ length: count }, (_, place) => head.readDoubleBE(PLACE_BYTES + place * NUMBER_BYTES));
  const lastStartMs = head.readDoubleBE(1);
  if (version !== ASCENDING_VERSION) return { lastStartMs, revisions: numbers };
  const [endMs, ...revisions] = numbers;
  return endMs === undefined ? null : { lastStartMs, revisions, endMs };
};
