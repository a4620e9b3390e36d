/** Payloads for tests: our own fixtures, and captured ones where a folder of them lies beside the repository. */
import { existsSync, readFileSync } from "node:fs";

const FIXTURES = new URL("../fixtures/", import.meta.url);
const CAPTURED = new URL("../../../../../shared/data/", import.meta.url);

/** A hand-written payload. JSON and HTML ones end in `.txt`, because a formatter would rewrite what they are about. */
export const fixture = (name: string): string => readFileSync(new URL(name, FIXTURES), "utf8");

/** The bytes of a captured file; null, with the reason printed, where the folder is not there. */
export const capturedBytes = (path: string): Uint8Array | null => {
  const url = new URL(path, CAPTURED);
  if (existsSync(url)) return readFileSync(url);
  console.warn(`skipped: no captured ${path} in ../shared/data beside the repository`);
  return null;
};

/** A captured file as text. */
export const captured = (path: string): string | null => {
  const bytes = capturedBytes(path);
  return bytes && Buffer.from(bytes).toString("utf8");
};

/** A page for people, as walls and outages send it with status 200. */
export const HTML_PAGE = "<!doctype html><html><head><title>Just a moment...</title></head><body></body></html>";
