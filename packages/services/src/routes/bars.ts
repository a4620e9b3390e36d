/** Pages of bars, and the newest of them. */

import {
  type AssayContract,
  Encoded,
  EncodedList,
  INTERVAL_MS,
  INTRADAY_DEPTH_DAYS,
  type InputOf,
  type TierName,
  type Verb,
} from "@assay/contract";
import { utcDay } from "@assay/pricing";
import { barsAsOf, depthFloor, requireSeries } from "../access/gate.ts";
import type { ServiceDeps, VerbContext } from "../context.ts";
import { readCursor, writeCursor } from "../cursor.ts";
import { type InstantSpan, instantFault, isReversed, readInstant, refuseParameter } from "../input.ts";
import { type BarQuery, type EncodedPage, rowsOf } from "../market/bar-book.ts";
import { completeness, knownState, restOf, walkOf } from "../market/snapshot.ts";

/** Pages kept of one version of a series. Long ones share its bytes, short ones take 16 KiB at most. */
const MAX_PAGES = 16;

/** Whole answers by the version of their series and by request. */
class PageCache {
  /** A version that is gone takes its pages with it, and so the bytes that they share. */
  readonly #pages = new WeakMap<object, Map<string, EncodedList>>();

  /** The answer built from a version of a series; undefined when there is none. */
  get(stamp: object, asked: string): EncodedList | undefined {
    return this.#pages.get(stamp)?.get(asked);
  }

  /** Stores an answer; its pieces are shared between callers from now on. */
  keep(stamp: object, asked: string, page: EncodedList): void {
    const pages = this.#pages.get(stamp) ?? new Map<string, EncodedList>();
    const [oldest] = pages.keys();
    if (oldest !== undefined && pages.size >= MAX_PAGES) pages.delete(oldest);
    this.#pages.set(stamp, pages.set(asked, page));
  }
}

type Input = InputOf<AssayContract["bars"]["list"]>;

/** The version of what was known at an instant that is over: it never changes. */
const THE_PAST = {};

/** What is read from an input once: identical requests share it. */
interface BarsRequest {
  readonly from: InstantSpan | null;
  readonly to: InstantSpan | null;
  /** What its page is kept under, by tier. */
  readonly names: Partial<Record<TierName, string>>;
}

const meta = (tier: TierName, page: EncodedPage): string =>
  `"meta":${JSON.stringify({
    tier,
    count: page.count,
    source_id: page.sourceId,
    ...completeness(page.isComplete),
  })}`;

/** `GET /v1/bars`: pages through bars; the secret signs the cursors. */
export const listBars = (
  { market, store }: Pick<ServiceDeps, "market" | "store">,
  cursorSecret: string,
): Verb<AssayContract["bars"]["list"], VerbContext> => {
  const pages = new PageCache();
  const questions = new WeakMap<Input, BarsRequest>();

  const read = (input: Input): BarsRequest => {
    const known = questions.get(input);
    if (known) return known;
    const asked = { from: readInstant(input.from), to: readInstant(input.to), names: {} };
    questions.set(input, asked);
    return asked;
  };

  const make = (query: BarQuery, page: EncodedPage, window: readonly string[], tier: TierName): EncodedList => {
    const { lastStartMs, hasMore, revision, order, endMs } = page;
    const place = lastStartMs !== null && { lastStartMs, revisions: [revision], ...(order === "asc" && { endMs }) };
    const next = hasMore && place ? JSON.stringify(writeCursor(place, window, cursorSecret)) : "null";
    const head = `{"symbol":"${query.symbol}","interval":"${query.interval}","bars":[`;
    return new EncodedList(head, rowsOf(page), `],"next_cursor":${next},${meta(tier, page)}}`);
  };

  return (input, { caller, asOfMs, nowMs, fail }) => {
    const { interval, limit, cursor, order } = input;
    const symbol = requireSeries(input.symbol, interval, caller, fail);
    const asked = read(input);
    const from = asked.from ?? refuseParameter(fail, "from", instantFault(input.from));
    const to = asked.to ?? refuseParameter(fail, "to", instantFault(input.to));
    if (isReversed(from, to)) return refuseParameter(fail, "from", "must not be after to");
    const floorMs = depthFloor(caller, interval, nowMs);
    if (from.startMs < floorMs) {
      const reach =
        interval === "1d"
          ? "your tier's daily bars begin"
          : `bars below a day go back ${INTRADAY_DEPTH_DAYS} days on every tier and begin`;
      return fail("range_too_deep", { message: `from is too early: ${reach} on ${utcDay(floorMs)}.` });
    }

    const { tier } = caller;
    const isNow = input.known_at === undefined;
    asked.names[tier] ??= JSON.stringify([symbol, interval, input.from, input.to, limit, cursor, tier, input.known_at, order]);
    const name = asked.names[tier];
    const stamp = isNow ? market.bars.stampOf(symbol, interval) : THE_PAST;
    const isLive = caller.reach.delayMs === 0;
    const known = isLive || !isNow ? pages.get(stamp, name) : undefined;
    if (known) return new Encoded(known);

    const window = [symbol, interval, ...walkOf(input)];
    const place =
      cursor === undefined
        ? null
        : (readCursor(cursor, window, cursorSecret) ??
          refuseParameter(fail, "cursor", "must be the next_cursor of a page of this query"));
    const rest = restOf({ fromMs: from.startMs, toMs: to.endMs }, place);
    const query = { symbol, interval, ...rest, limit, order, asOfMs: barsAsOf(caller, asOfMs) };
    if (isNow)
      return market.bars.page({ ...query, since: place?.revisions[0] ?? null }).then((page) => {
        const list = make(query, page, window, tier);
        // A delayed view changes with time, not only with the series.
        if (isLive) pages.keep(stamp, name, list);
        return new Encoded(list);
      });
    return knownState(store, input.known_at, { nowMs, asOfMs, fail }).then(async (state) => {
      const lastMs = (state?.atMs ?? asOfMs) - INTERVAL_MS[interval];
      const revision = place?.revisions[0] ?? state?.revision ?? 0;
      const page = await market.bars.pageAt({ ...query, toMs: Math.min(rest.toMs, lastMs) }, revision);
      const list = make(query, page, window, tier);
      if (state?.isFinal) pages.keep(stamp, name, list);
      return new Encoded(list);
    });
  };
};

/** `GET /v1/bars/latest`: the newest bar the caller may see; no depth applies. */
export const latestBars =
  ({ market, store }: Pick<ServiceDeps, "market" | "store">): Verb<AssayContract["bars"]["latest"], VerbContext> =>
  async (input, { caller, asOfMs, nowMs, fail }) => {
    const symbol = requireSeries(input.symbol, input.interval, caller, fail);
    const state = await knownState(store, input.known_at, { nowMs, asOfMs, fail });
    const newest = { symbol, interval: input.interval, fromMs: Number.MIN_SAFE_INTEGER, limit: 1 };
    const page = state
      ? await market.bars.pageAt({ ...newest, toMs: state.atMs - INTERVAL_MS[input.interval] }, state.revision)
      : await market.bars.page({ ...newest, toMs: Number.MAX_SAFE_INTEGER, asOfMs: barsAsOf(caller, asOfMs) });
    const bar = page.forming ?? (page.count > 0 ? Buffer.from(page.closed).toString("latin1") : "null");
    const meta = JSON.stringify({ tier: caller.tier, count: page.count, source_id: page.sourceId });
    return new Encoded(`{"symbol":"${symbol}","interval":"${input.interval}","bar":${bar},"meta":${meta}}`);
  };
