/** Daily prices of a metal in a currency, a unit and a purity, by page. */
import { catalogue } from "@assay/catalogue";
import {
  type AssayContract,
  DAY_MS,
  Encoded,
  EncodedList,
  type FailWith,
  type InputOf,
  type PageOrder,
  symbolHint,
  type Verb,
} from "@assay/contract";
import {
  type Cross,
  type Fraction,
  measureOf,
  multiplyExact,
  partitionPoint,
  presentFineness,
  presentPrice,
  purityShare,
  REFERENCE_GAP,
  readCross,
  utcDay,
} from "@assay/pricing";
import { LRUCache } from "lru-cache";
import { depthFloor, requireBars } from "../access/gate.ts";
import type { ServiceDeps, VerbContext } from "../context.ts";
import { readCursor, writeCursor } from "../cursor.ts";
import { refuseParameter } from "../input.ts";
import type { CrossDays } from "../market/cross-book.ts";
import type { MarketView } from "../market/market-view.ts";
import { completeness, knownState, reachOf, restOf, snapshotFor, type Window, walkOf } from "../market/snapshot.ts";

/** Points written at once: one text of all of them, and one for each, both take longer. */
const RUN = 64;
/** No price is longer. */
const PRICE_LENGTH = 40;

/** Encodes points, joined by commas. */
const encodePoints = (days: CrossDays, measure: Fraction, order: PageOrder): Uint8Array<ArrayBuffer> => {
  const room = days.reduce((sum, { written }) => sum + written.head.length + written.tail.length + PRICE_LENGTH, 0);
  const bytes = Buffer.allocUnsafeSlow(room);
  let at = 0;
  let text = "";
  for (let place = days.length - 1; place >= 0; place -= 1) {
    const day = days[order === "desc" ? place : days.length - 1 - place]?.written;
    if (day) text += `${day.head}${presentPrice(multiplyExact(day.local, measure))}${day.tail}${place > 0 ? "," : ""}`;
    if (place % RUN > 0) continue;
    at += bytes.write(text, at, "latin1");
    text = "";
  }
  // A page is kept: without the room that is left.
  return new Uint8Array(bytes.subarray(0, at));
};

type Input = InputOf<AssayContract["series"]["list"]>;
type FailInput = FailWith<"validation_error">;

const requireCross = (text: string, fail: FailInput): Cross =>
  readCross(text) ??
  refuseParameter(
    fail,
    "symbol",
    symbolHint(text, "must name a metal in a currency, both of /v1/metadata/catalog, for example XAU-EUR-SPOT or XAU/EUR"),
  );

/** The share of pure metal asked for. */
const requirePurity = ({ karat, fineness }: Input, { metal }: Cross, fail: FailInput): Fraction => {
  if (karat !== undefined && fineness !== undefined)
    return refuseParameter(fail, "fineness", "must not be given together with karat");
  if (karat !== undefined && !catalogue.metal(metal).karats)
    return refuseParameter(fail, "karat", "is a purity of gold; that of other metals is fineness");
  return purityShare({ karat, fineness });
};

/** The number of days before an instant, exclusive. */
const countBefore = (days: CrossDays, endMs: number): number => partitionPoint(days, ({ dayMs }) => dayMs < endMs);

/** Whether no close or rate of a window is still being filled in. */
const isWhole = ({ bars }: MarketView, { instrument, currency }: Cross, window: Window): boolean =>
  [instrument, ...(currency === "USD" ? [] : [REFERENCE_GAP])].every((symbol) =>
    bars.isComplete({ symbol, interval: "1d", ...window }),
  );

/** Bytes of pages kept, across all crosses. */
const KEPT_BYTES = 8 * 1024 * 1024;

/** A page, and the days it was made of, which it does not keep: a page of one day would hold those of thirty years. */
interface Page {
  readonly days: WeakRef<CrossDays>;
  readonly list: EncodedList;
}

/** `GET /v1/series`: pages through a series; the secret signs the cursors. */
export const listSeries = (
  { market, store }: Pick<ServiceDeps, "market" | "store">,
  cursorSecret: string,
): Verb<AssayContract["series"]["list"], VerbContext> => {
  const pages = new LRUCache<string, Page>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ list }, name) => list.byteLength + name.length,
  });

  return async (input, context) => {
    const { caller, nowMs, fail } = context;
    const { unit, limit, cursor, order, known_at: knownAt } = input;
    const cross = requireCross(input.symbol, fail);
    requireBars(caller, cross.instrument, "1d", fail);
    const share = requirePurity(input, cross, fail);
    const fineness = presentFineness(share);
    const [fromMs, toMs] = [Date.parse(input.from), Date.parse(input.to)];
    if (fromMs > toMs) return refuseParameter(fail, "from", "must not be after to");
    const floorMs = depthFloor(caller, "1d", nowMs);
    if (fromMs < floorMs)
      return fail("range_too_deep", { message: `from is too early: your tier's daily bars begin on ${utcDay(floorMs)}.` });

    const query = ["series", cross.symbol, unit, fineness, ...walkOf(input)];
    const place =
      cursor === undefined
        ? null
        : (readCursor(cursor, query, cursorSecret) ??
          refuseParameter(fail, "cursor", "must be the next_cursor of a page of this query"));
    const state = await knownState(store, knownAt, context);
    // A day appears once it is over, and for delayed callers 15 minutes later.
    const rest = restOf({ fromMs, toMs: Math.min(toMs, (state?.atMs ?? context.asOfMs) - DAY_MS) }, place);
    const { days, revisions } = await snapshotFor(
      { known: state?.revision ?? null, place },
      {
        now: () => market.crosses.of(cross),
        at: async (each) => ({ days: await market.crosses.at(cross, each, { fromMs, toMs }) }),
      },
    );
    const newest = countBefore(days, rest.toMs + 1);
    const oldest = Math.min(newest, countBefore(days, rest.fromMs));
    const [from, to] = order === "desc" ? [Math.max(oldest, newest - limit), newest] : [oldest, Math.min(newest, oldest + limit)];
    const hasMore = to - from < newest - oldest;
    const lastStartMs = days[order === "desc" ? from : to - 1]?.dayMs ?? fromMs;
    const whole = state !== null || isWhole(market, cross, { ...rest, ...(hasMore && reachOf(order, lastStartMs)) });

    const name = JSON.stringify([...query, from, to, caller.tier, whole]);
    const known = pages.get(name);
    if (known?.days.deref() === days) return new Encoded(known.list);
    const head = { symbol: cross.symbol, quote_currency: cross.currency, unit, fineness, interval: "1d" };
    const behind = { lastStartMs, revisions, ...(order === "asc" && { endMs: days[newest - 1]?.dayMs ?? rest.toMs }) };
    const next = hasMore ? JSON.stringify(writeCursor(behind, query, cursorSecret)) : "null";
    const meta = JSON.stringify({ tier: caller.tier, count: to - from, ...completeness(whole) });
    const points = encodePoints(days.slice(from, to), measureOf(cross.metal, unit, share), order);
    const before = `${JSON.stringify(head).slice(0, -1)},"points":[`;
    const list = new EncodedList(before, [points], `],"next_cursor":${next},"meta":${meta}}`);
    pages.set(name, { days: new WeakRef(days), list });
    return new Encoded(list);
  };
};
