/** A feed context with canned answers. */
import { FeedError } from "../feed/error.ts";
import type { FeedContext, FeedRequest } from "../feed/feed.ts";

/** The context, and a record of what the feed did with it. */
export interface PreparedContext extends FeedContext {
  readonly asked: string[];
  /** The same requests in full. */
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
