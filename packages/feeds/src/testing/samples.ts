/** Payloads for tests: our own fixtures, and captured ones where a folder of them exists beside the repository. */
import { existsSync, readFileSync } from "node:fs";

const FIXTURES = new URL("../fixtures/", import.meta.url);
const CAPTURED = new URL("../../../../../shared/data/", import.meta.url);
/** Redistributable figures, which the repository contains. */
const PUBLIC = new URL("../../../testkit/data/", import.meta.url);

const urlOf = (path: string): URL => {
  const url = new URL(path, PUBLIC);
  return existsSync(url) ? url : new URL(path, CAPTURED);
};

/** A hand-written payload. JSON and HTML ones end in `.txt`, to protect them from the formatter. */
export const fixture = (name: string): string => readFileSync(new URL(name, FIXTURES), "utf8");

/** The bytes of a captured file; null, with the reason logged, where the folder does not exist. */
export const capturedBytes = (path: string): Uint8Array | null => {
  const url = urlOf(path);
  if (existsSync(url)) return readFileSync(url);
  console.warn(`skipped: no captured ${path} in ../shared/data beside the repository`);
  return null;
};

/** A captured file as text. */
export const captured = (path: string): string | null => {
  const bytes = capturedBytes(path);
  return bytes && Buffer.from(bytes).toString("utf8");
};

/** An HTML page such as paywalls and outages send with status 200. */
export const HTML_PAGE = "<!doctype html><html><head><title>Just a moment...</title></head><body></body></html>";
