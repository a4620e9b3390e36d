/** Payloads for tests, handwritten or captured, and a feed context that answers with them. */
import { existsSync, readFileSync } from "node:fs";
import { FeedError } from "../feed/error.ts";
import type { FeedContext, FeedRequest } from "../feed/feed.ts";

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

/** The context, and a record of what the feed did with it. */
interface PreparedContext extends FeedContext {
  readonly asked: string[];
  readonly requests: FeedRequest[];
  readonly partials: FeedError[];
}

/** The time of every canned reading. */
export const NOW_MS = Date.parse("2026-11-20T12:00:00Z");

/**
 * @param answers bodies by path; a path without one is unreachable
 */
export const prepared = (answers: Readonly<Record<string, string | Uint8Array>>, nowMs = NOW_MS): PreparedContext => {
  const asked: string[] = [];
  const requests: FeedRequest[] = [];
  const partials: FeedError[] = [];
  return {
    asked,
    requests,
    partials,
    nowMs,
    signal: new AbortController().signal,
    partial: (error) => partials.push(error),
    get: async (request) => {
      const { path } = request;
      asked.push(path);
      requests.push(request);
      const answer = answers[path];
      if (answer === undefined) throw new FeedError("unreachable", `no answer for ${path}`);
      return { bytes: typeof answer === "string" ? Buffer.from(answer) : answer, receivedAtMs: nowMs };
    },
  };
};
