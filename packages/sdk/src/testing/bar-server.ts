/** A server of bars that handles windows, limits and cursors as the service does. */
import type { WireBar } from "./operations.ts";
import { type Served, serve } from "./serve.ts";

const DAY_MS = 86_400_000;

const first = (text: string): number => Date.parse(text.length === 10 ? `${text}T00:00:00Z` : text);
const last = (text: string): number => (text.length === 10 ? first(text) + DAY_MS - 1 : first(text));

/**
 * Serves bars.
 * @param starts when each bar starts, epoch milliseconds, oldest first; the newest is still forming
 */
export const serveBars = (starts: () => readonly number[]): Promise<Served> =>
  serve(({ url }) => {
    const query = new URL(url, "http://service").searchParams;
    const fromMs = first(query.get("from") ?? "");
    const toMs = last(query.get("to") ?? "");
    const limit = Number(query.get("limit") ?? "100");
    if (Number.isNaN(fromMs + toMs) || !Number.isInteger(limit) || limit < 1 || fromMs > toMs) {
      return { status: 422, body: { error: "validation_error", message: "A parameter is not valid." } };
    }
    const before = Number(query.get("cursor") ?? Number.POSITIVE_INFINITY);
    const all = starts();
    const held = all.filter((ms) => ms >= fromMs && ms <= toMs && ms < before).reverse();
    const bars = held.slice(0, limit).map((ms): WireBar => {
      return { bar_start: new Date(ms).toISOString(), close: "4003.20", is_closed: ms !== all.at(-1) };
    });
    const next = held.length > limit ? String(held[limit - 1]) : null;
    return { body: { bars, next_cursor: next, meta: { count: bars.length } } };
  });
