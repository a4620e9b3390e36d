/** A feed's context with prepared answers. */
import type { FeedContext } from "../feed.ts";
import { FeedError } from "../feed-error.ts";

/** The context, and what the feed did with it. */
export interface PreparedContext extends FeedContext {
  readonly asked: string[];
  readonly partials: FeedError[];
}

/** When every prepared reading takes place. */
export const NOW_MS = Date.parse("2026-11-20T12:00:00Z");

/**
 * @param answers bodies by path; a path without one is unreachable
 */
export const prepared = (answers: Readonly<Record<string, string | Uint8Array>>, nowMs = NOW_MS): PreparedContext => {
  const asked: string[] = [];
  const partials: FeedError[] = [];
  return {
    asked,
    partials,
    nowMs,
    signal: new AbortController().signal,
    partial: (error) => partials.push(error),
    get: async ({ path }) => {
      asked.push(path);
      const answer = answers[path];
      if (answer === undefined) throw new FeedError("unreachable", `no answer for ${path}`);
      return { bytes: typeof answer === "string" ? Buffer.from(answer) : answer, receivedAtMs: nowMs };
    },
  };
};
