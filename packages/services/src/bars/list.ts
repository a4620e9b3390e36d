/** GET /v1/bars: one page of a window, newest first, cut from bytes encoded once. */
import { type AssayContract, Encoded, INTRADAY_DEPTH_DAYS, type InputOf, type TierName, type Verb } from "@assay/contract";
import { depthFloor } from "../access/gate.ts";
import type { ServiceDeps, VerbContext } from "../context.ts";
import { dayOf, type InstantSpan, readInstant } from "../input/instant.ts";
import type { BarQuery, EncodedPage } from "../market/bar-book.ts";
import { completeness } from "../market/completeness.ts";
import { readCursor, writeCursor } from "../paging/cursor.ts";
import { PageCache } from "../paging/page-cache.ts";
import { barsAsOf, refuseParameter, requireSeries } from "./series.ts";

const INSTANT = "must be an ISO-8601 date or date-time, for example 2026-11-01T00:00:00Z (a + in a URL is written %2B)";

type Input = InputOf<AssayContract["bars"]["list"]>;

/** What is read from an input once: identical requests share it. */
interface Asked {
  readonly from: InstantSpan | null;
  readonly to: InstantSpan | null;
  /** What its page is kept under, by tier. */
  readonly names: Partial<Record<TierName, string>>;
}

/** Inserts a page between its head and its tail. */
const assemble = (head: string, page: EncodedPage, tail: string): Uint8Array<ArrayBuffer> => {
  const front = page.forming === null ? head : `${head}${page.forming}${page.closed.length > 0 ? "," : ""}`;
  // A page is kept: as a slice of Node's pool it would keep all of that.
  const bytes = Buffer.allocUnsafeSlow(front.length + page.closed.length + tail.length);
  bytes.write(front, 0, "latin1");
  bytes.set(page.closed, front.length);
  bytes.write(tail, front.length + page.closed.length, "latin1");
  return bytes;
};

const meta = (tier: TierName, page: EncodedPage): string =>
  `"meta":${JSON.stringify({
    ...{ tier, count: page.count, source_id: page.sourceId },
    ...completeness(page.isComplete),
  })}`;

/** Pages through bars; the secret signs the cursors. */
export const listBars = (
  { market }: Pick<ServiceDeps, "market">,
  cursorSecret: string,
): Verb<AssayContract["bars"]["list"], VerbContext> => {
  const pages = new PageCache();
  const questions = new WeakMap<Input, Asked>();

  const read = (input: Input): Asked => {
    const known = questions.get(input);
    if (known) return known;
    const asked = { from: readInstant(input.from), to: readInstant(input.to), names: {} };
    questions.set(input, asked);
    return asked;
  };

  const make = async (query: BarQuery, window: readonly string[], tier: TierName): Promise<Uint8Array<ArrayBuffer>> => {
    const page = await market.bars.page(query);
    const next =
      page.hasOlder && page.oldestStartMs !== null
        ? JSON.stringify(writeCursor(page.oldestStartMs, window, cursorSecret))
        : "null";
    const head = `{"symbol":"${query.symbol}","interval":"${query.interval}","bars":[`;
    return assemble(head, page, `],"next_cursor":${next},${meta(tier, page)}}`);
  };

  return (input, { caller, asOfMs, nowMs, fail }) => {
    const { interval, limit, cursor } = input;
    const symbol = requireSeries(input.symbol, interval, caller, fail);
    const asked = read(input);
    const from = asked.from ?? refuseParameter(fail, "from", INSTANT);
    const to = asked.to ?? refuseParameter(fail, "to", INSTANT);
    if (from.startMs > to.endMs) return refuseParameter(fail, "from", "must not be after to");
    const floorMs = depthFloor(caller, interval, nowMs);
    if (from.startMs < floorMs) {
      const reach =
        interval === "1d"
          ? "your tier's daily bars begin"
          : `bars below a day go back ${INTRADAY_DEPTH_DAYS} days on every tier and begin`;
      return fail("range_too_deep", { message: `from is too early: ${reach} on ${dayOf(floorMs)}.` });
    }

    const { tier } = caller;
    asked.names[tier] ??= JSON.stringify([symbol, interval, input.from, input.to, limit, cursor, tier]);
    const name = asked.names[tier];
    const stamp = market.bars.stampOf(symbol, interval);
    const isLive = caller.reach.delayMs === 0;
    const known = isLive ? pages.get(name, stamp) : undefined;
    if (known) return new Encoded(known);

    const window = [symbol, interval, input.from, input.to];
    let toMs = to.endMs;
    if (cursor !== undefined) {
      const seenMs =
        readCursor(cursor, window, cursorSecret) ??
        refuseParameter(fail, "cursor", "must be the next_cursor of a page of this query");
      toMs = Math.min(toMs, seenMs - 1);
    }
    const query = { symbol, interval, fromMs: from.startMs, toMs, limit, asOfMs: barsAsOf(caller, asOfMs) };
    return make(query, window, tier).then((bytes) => {
      // A delayed view changes with time, not only with the series.
      if (isLive) pages.keep(name, stamp, bytes);
      return new Encoded(bytes);
    });
  };
};
