/** GET /v1/ratios: one page of a window, newest first, cut from bytes encoded once. */
import { type AssayContract, DAY_MS, Encoded, type Verb } from "@assay/contract";
import { refuseParameter } from "../bars/series.ts";
import type { ServiceDeps, VerbContext } from "../context.ts";
import { readDay } from "../input/instant.ts";
import { readCursor, writeCursor } from "../paging/cursor.ts";
import { hasAllCloses, pairFields, ratioMeta, requirePair } from "./pair.ts";

/** Inserts a page between its head and its tail. */
const assemble = (head: string, page: Uint8Array, tail: string): Uint8Array<ArrayBuffer> => {
  const bytes = Buffer.allocUnsafe(head.length + page.length + tail.length);
  bytes.write(head, 0, "latin1");
  bytes.set(page, head.length);
  bytes.write(tail, head.length + page.length, "latin1");
  return bytes;
};

/** Pages through ratios; the secret signs the cursors. */
export const listRatios =
  ({ market }: Pick<ServiceDeps, "market">, cursorSecret: string): Verb<AssayContract["ratios"]["list"], VerbContext> =>
  async (input, { caller, asOfMs, fail }) => {
    const pair = requirePair(input.pair, fail);
    const fromMs = readDay(input.from) ?? fail("bad_request", { message: "from must be an existing date, YYYY-MM-DD." });
    const toMs = readDay(input.to) ?? fail("bad_request", { message: "to must be an existing date, YYYY-MM-DD." });
    if (fromMs > toMs) return fail("bad_request", { message: "from must not be after to." });
    const query = ["ratios", pair, input.from, input.to];
    // A day appears once it is over, and for delayed callers 15 minutes later.
    let lastMs = Math.min(toMs, asOfMs - DAY_MS);
    if (input.cursor !== undefined) {
      const seenMs =
        readCursor(input.cursor, query, cursorSecret) ??
        refuseParameter(fail, "cursor", "must be the next_cursor of a page of this query");
      lastMs = Math.min(lastMs, seenMs - 1);
    }
    const found = market.ratios.pointsOf(pair);
    const points = found instanceof Promise ? await found : found;
    const span = points.page(fromMs, lastMs, input.limit);
    const count = Math.max(0, span.to - span.from + 1);
    const hasOlder = count > 0 && points.hasOlder(span.from, fromMs);
    const next = hasOlder ? JSON.stringify(writeCursor(points.startAt(span.from), query, cursorSecret)) : "null";
    // A page that is followed by an older one ends with its oldest day, the last one with its window.
    const isWhole = hasAllCloses(market, pair, hasOlder ? points.startAt(span.from) : fromMs, lastMs);
    const head = `{${pairFields(pair)},"points":[`;
    return new Encoded(assemble(head, points.slice(span), `],"next_cursor":${next},${ratioMeta(caller.tier, count, isWhole)}}`));
  };
