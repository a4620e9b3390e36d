/** Signed links to archives of the file store: valid until an instant, and tamper-proof. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { type ArchiveName, objectPath, readObjectPath } from "./archive-store.ts";

/** How long a link is valid: one hour. */
export const LINK_TTL_MS = 3_600_000;

/** The path under which archives of the file store are served. */
export const ARCHIVES_PATH = "/archives/";

const signatureOf = (path: string, expires: string, secret: string): string =>
  createHmac("sha256", secret).update(`${path}\n${expires}`).digest("base64url");

/**
 * Creates a link.
 * @param nowMs epoch milliseconds
 * @returns path and query
 */
export const signLink = (name: ArchiveName, secret: string, nowMs: number): string => {
  const path = `${ARCHIVES_PATH}${objectPath(name)}`;
  const expires = String(Math.floor((nowMs + LINK_TTL_MS) / 1_000));
  return `${path}?expires=${expires}&signature=${signatureOf(path, expires, secret)}`;
};

/**
 * Verifies a link.
 * @param path as received, still encoded
 * @param query without the question mark
 * @returns the archive; null when the signature is invalid or the link has expired
 */
export const readLink = (path: string, query: string, secret: string, nowMs: number): ArchiveName | null => {
  const [, expires = "", signature = ""] = /^expires=([0-9]{1,12})&signature=([\w-]{43})$/.exec(query) ?? [];
  const expected = signatureOf(path, expires, secret);
  const isOurs = signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
  if (!isOurs || nowMs >= Number(expires) * 1_000 || !path.startsWith(ARCHIVES_PATH)) return null;
  return readObjectPath(path.slice(ARCHIVES_PATH.length));
};
