/** Ratios of two metals. */
import {
  type AssayContract,
  DAY_MS,
  Encoded,
  EncodedList,
  type FailWith,
  RATIO_PAIRS,
  type RatioPair,
  type TierName,
  type Verb,
} from "@assay/contract";
import { ratioLegs, readRatioPair } from "@assay/pricing";
import type { ServiceDeps, VerbContext } from "../context.ts";
import { readCursor, writeCursor } from "../cursor.ts";
import { readDay, refuseParameter } from "../input.ts";
import type { MarketView } from "../market/market-view.ts";
import { completeness, knownState, reachOf, restOf, snapshotFor, type Window, walkOf } from "../market/snapshot.ts";

/** Parses a pair's name and refuses an unknown one. */
const requirePair = (text: string, fail: FailWith<"unknown_pair">): RatioPair =>
  readRatioPair(text) ?? fail("unknown_pair", { message: `The ratio pair is unknown; use one of ${RATIO_PAIRS.join(", ")}.` });

/** The fields naming an answer's pair, as JSON without its braces. */
const pairFields = (pair: RatioPair): string => {
  const { numerator, denominator } = ratioLegs(pair);
  return `"pair":"${pair}","numerator":"${numerator}","denominator":"${denominator}","interval":"1d"`;
};

/** An answer's fields besides its points, as JSON. */
const ratioMeta = (tier: TierName, count: number, isComplete: boolean): string =>
  `"meta":${JSON.stringify({ tier, count, ...completeness(isComplete) })}`;

/** Whether no close of either leg is still being filled in, between two days, inclusive. */
const hasAllCloses = ({ bars }: Pick<MarketView, "bars">, pair: RatioPair, window: Window): boolean =>
  [ratioLegs(pair).numerator, ratioLegs(pair).denominator].every((symbol) =>
    bars.isComplete({ symbol, interval: "1d", ...window }),
  );

/** `GET /v1/ratios`: pages through ratios; the secret signs the cursors. */
export const listRatios =
  (
    { market, store }: Pick<ServiceDeps, "market" | "store">,
    cursorSecret: string,
  ): Verb<AssayContract["ratios"]["list"], VerbContext> =>
  async (input, { caller, asOfMs: latestMs, nowMs, fail }) => {
    const pair = requirePair(input.pair, fail);
    const fromMs = readDay(input.from) ?? fail("bad_request", { message: "from must be an existing date, YYYY-MM-DD." });
    const toMs = readDay(input.to) ?? fail("bad_request", { message: "to must be an existing date, YYYY-MM-DD." });
    if (fromMs > toMs) return fail("bad_request", { message: "from must not be after to." });
    const state = await knownState(store, input.known_at, { nowMs, asOfMs: latestMs, fail });
    const asOfMs = state?.atMs ?? latestMs;
    const query = ["ratios", pair, ...walkOf(input)];
    const place =
      input.cursor === undefined
        ? null
        : (readCursor(input.cursor, query, cursorSecret) ??
          refuseParameter(fail, "cursor", "must be the next_cursor of a page of this query"));
    // A day appears once it is over, and for delayed callers 15 minutes later.
    const rest = restOf({ fromMs, toMs: Math.min(toMs, asOfMs - DAY_MS) }, place);
    const { points, revisions } = await snapshotFor(
      { known: state?.revision ?? null, place },
      {
        now: () => market.ratios.of(pair),
        at: async (each) => ({ points: await market.ratios.at(pair, each, rest) }),
      },
    );
    const { order, limit } = input;
    const span = points.page(rest.fromMs, rest.toMs, limit, order);
    const count = Math.max(0, span.to - span.from + 1);
    const lastStartMs = points.startAt(order === "desc" ? span.from : span.to);
    const endMs = Math.min(rest.toMs, points.newestStartMs);
    const behind = { lastStartMs, revisions, ...(order === "asc" && { endMs }) };
    const next = span.hasMore ? JSON.stringify(writeCursor(behind, query, cursorSecret)) : "null";
    const isWhole = state !== null || hasAllCloses(market, pair, { ...rest, ...(span.hasMore && reachOf(order, lastStartMs)) });
    const head = `{${pairFields(pair)},"points":[`;
    const tail = `],"next_cursor":${next},${ratioMeta(caller.tier, count, isWhole)}}`;
    return new Encoded(new EncodedList(head, [points.slice(span)], tail));
  };

/** `GET /v1/ratios/latest`: the newest point the caller may see. */
export const latestRatios =
  ({ market, store }: Pick<ServiceDeps, "market" | "store">): Verb<AssayContract["ratios"]["latest"], VerbContext> =>
  async (input, { caller, asOfMs: latestMs, nowMs, fail }) => {
    const pair = requirePair(input.pair, fail);
    const state = await knownState(store, input.known_at, { nowMs, asOfMs: latestMs, fail });
    const asOfMs = state?.atMs ?? latestMs;
    const points = state
      ? await market.ratios.at(pair, [state.revision, state.revision], { fromMs: Number.MIN_SAFE_INTEGER, toMs: asOfMs })
      : (await market.ratios.of(pair)).points;
    const span = points.page(Number.MIN_SAFE_INTEGER, asOfMs - DAY_MS, 1);
    const count = span.from <= span.to ? 1 : 0;
    const isWhole =
      state !== null ||
      hasAllCloses(market, pair, {
        fromMs: count === 0 ? Number.MIN_SAFE_INTEGER : points.startAt(span.from),
        toMs: asOfMs - DAY_MS,
      });
    const point = count === 0 ? "null" : Buffer.from(points.slice(span)).toString("latin1");
    return new Encoded(`{${pairFields(pair)},"point":${point},${ratioMeta(caller.tier, count, isWhole)}}`);
  };
