/** Page cursors: the position in a query's pages, signed so that they cannot be forged. */
import { createHmac, hash, timingSafeEqual } from "node:crypto";

const VERSION = 1;
const HEAD_BYTES = 1 + 8 + 8;
const SIGNATURE_BYTES = 16;

const digestOf = (query: readonly string[]): Buffer => hash("sha256", JSON.stringify(query), "buffer").subarray(0, 8);

const sign = (head: Buffer, secret: string): Buffer =>
  createHmac("sha256", secret).update(head).digest().subarray(0, SIGNATURE_BYTES);

/**
 * Writes the cursor to the page after this one.
 * @param lastStartMs instant of the page's oldest row; the next page starts before it
 * @param query the request, without limit and cursor
 * @returns base64url text
 */
export const writeCursor = (lastStartMs: number, query: readonly string[], secret: string): string => {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt8(VERSION, 0);
  head.writeDoubleBE(lastStartMs, 1);
  digestOf(query).copy(head, 9);
  return Buffer.concat([head, sign(head, secret)]).toString("base64url");
};

/**
 * Reads a cursor.
 * @returns instant of the oldest row seen; null when the cursor is not ours, was altered, or belongs to another query
 */
export const readCursor = (cursor: string, query: readonly string[], secret: string): number | null => {
  const bytes = Buffer.from(cursor, "base64url");
  if (bytes.length !== HEAD_BYTES + SIGNATURE_BYTES || bytes.toString("base64url") !== cursor) return null;
  const head = bytes.subarray(0, HEAD_BYTES);
  if (!timingSafeEqual(bytes.subarray(HEAD_BYTES), sign(head, secret))) return null;
  if (head.readUInt8(0) !== VERSION || !head.subarray(9).equals(digestOf(query))) return null;
  return head.readDoubleBE(1);
};
