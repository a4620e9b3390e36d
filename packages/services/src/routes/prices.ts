/** Rows of every symbol, how far the sources are apart, and closes of the past. */
import {
  type AssayContract,
  ByteWriter,
  DAY_MS,
  Encoded,
  EncodedList,
  formatTimestamp,
  INTRADAY_DEPTH_DAYS,
  type Interval,
  type LentBytes,
  readRows,
  symbolHint,
  type Verb,
} from "@assay/contract";
import { instrumentOf, PRICE_SYMBOLS, readBarSymbol, readPriceSymbol, utcDay } from "@assay/pricing";
import { allowsSymbol, barsAsOf, depthFloor, isAnonymous, requireBars, requireSymbol, tierReaching } from "../access/gate.ts";
import type { ServiceDeps, VerbContext } from "../context.ts";
import { readDay } from "../input.ts";
import { rowsOf } from "../market/bar-book.ts";
import { completeness } from "../market/snapshot.ts";
import { readGroups } from "../prices/groups.ts";
import { presentSources } from "../prices/present-source.ts";
import type { RowCache } from "../prices/row-cache.ts";

type Route = AssayContract["prices"]["list"];

/** `GET /v1/prices`: lists spot rows; each row is encoded once for all callers with the same view. */
export const listPrices =
  ({ catalog }: Pick<ServiceDeps, "catalog">, rows: RowCache): Verb<Route, VerbContext> =>
  ({ symbol, include }, { caller, asOfMs, isReceipt, fail }) => {
    const groups = readGroups(include, { isKnown: !isAnonymous(caller), isReceipt });
    if (symbol === undefined) {
      const allowed = PRICE_SYMBOLS.filter((entry) => allowsSymbol(catalog, caller.tier, entry));
      return new Encoded(`{"symbols":[${allowed.map((entry) => rows.json(entry, groups, caller, asOfMs)).join(",")}]}`);
    }
    const reading = readPriceSymbol(symbol);
    if (reading.kind === "malformed") return fail("invalid_symbol", { symbol, hint: symbolHint(symbol) });
    requireSymbol(catalog, caller, reading.kind === "known" ? reading.entry : reading, fail);
    if (reading.kind === "unknown") return fail("invalid_symbol", { symbol, hint: symbolHint(symbol) });
    return new Encoded(`{"symbols":[${rows.json(reading.entry, groups, caller, asOfMs)}]}`);
  };

/** Sources quote in USD, so a metal diverges once, not once per currency it is shown in. */
const QUOTED = PRICE_SYMBOLS.filter((symbol) => symbol.currency === "USD");

/**
 * `GET /v1/prices/divergence`: counts diverging symbols for everyone; names them for all but anonymous callers, within their
 * tier.
 */
export const divergence =
  ({ market, catalog }: Pick<ServiceDeps, "market" | "catalog">): Verb<AssayContract["prices"]["divergence"], VerbContext> =>
  ({ threshold }, { caller, asOfMs }) => {
    const head = { threshold_bps: threshold, computed_at: formatTimestamp(asOfMs) };
    const diverged = QUOTED.flatMap((symbol) => {
      const price = market.priceAt(symbol.instrument, asOfMs);
      const bps = price?.divergenceBps ?? null;
      return price && bps !== null && bps >= threshold && asOfMs <= price.freshUntilMs ? [{ symbol, price, bps }] : [];
    });
    if (isAnonymous(caller)) return { ...head, diverged_count: diverged.length };
    return {
      ...head,
      diverged: diverged
        .filter(({ symbol }) => allowsSymbol(catalog, caller.tier, symbol))
        .map(({ symbol, price, bps }) => ({
          symbol: symbol.metal,
          quote_currency: symbol.currency,
          contract_type: symbol.contractType,
          divergence_bps: bps,
          primary_sources: presentSources(price, symbol, "1", caller.reach, asOfMs).filter(
            ({ role, verdict }) => role === "primary" && verdict === "believed",
          ),
          computed_at: formatTimestamp(price.computedAtMs),
        })),
    };
  };

/** How far back the deepest tier's window reaches. */
const BEGINS_MS = Date.UTC(1996, 0, 1);

const noteOf = (sourceId: string | null): string =>
  sourceId === null
    ? "There are no bars in this window."
    : `Bars of UTC days or hours from source ${sourceId}: open, high, low and close of the prices Assay composed or imported.`;

/** A day in quotes, as its bar's start begins. */
const DAY_LENGTH = '"2026-11-20'.length;

const DATE = Buffer.from('{"date":');
const FRESH = Buffer.from(',"volume":null,"is_stale":false,"is_closed":');
const STALE = Buffer.from(',"volume":null,"is_stale":true,"is_closed":');
const QUOTE = 0x22;
const CLOSE = 0x7d;
const COMMA = 0x2c;

/** What a row of hours has more than its bar. */
const MOST_LONGER = 12;

/**
 * Rewrites the rows of a page from the bytes that bars are kept as.
 * @param bars newest first
 * @param isNewestStale whether the newest is forming, from a price that is stale; a closed bar never is
 * @returns the rows joined by commas
 */
export const seriesOf = (bars: EncodedList["rows"], interval: Interval, isNewestStale: boolean): LentBytes =>
  readRows(bars, (rows) => {
    const { bytes, count } = rows;
    const [start, close, isClosed] = [rows.column("bar_start"), rows.column("close"), rows.column("is_closed")];
    const writer = new ByteWriter(bytes.length + count * MOST_LONGER);
    for (let row = count - 1; row >= 0; row -= 1) {
      const from = rows.from(row, start);
      const to = rows.to(row, start);
      writer.copy(DATE, 0, DATE.length);
      if (interval === "1d") writer.copy(bytes, from, from + DAY_LENGTH).byte(QUOTE);
      else writer.copy(bytes, from, to);
      // Open, high, low and close are as they are in the bar.
      writer.copy(bytes, to, rows.to(row, close));
      const staleness = row === 0 && isNewestStale ? STALE : FRESH;
      writer.copy(staleness, 0, staleness.length);
      writer.copy(bytes, rows.from(row, isClosed), rows.to(row, isClosed)).byte(CLOSE);
      if (row > 0) writer.byte(COMMA);
    }
    return writer.lend();
  });

/** The deprecated history: the newest `limit` bars of the window, limited to the tier's depth. */
export const history =
  ({ market }: Pick<ServiceDeps, "market">): Verb<AssayContract["prices"]["history"], VerbContext> =>
  async (input, { caller, asOfMs, nowMs, fail }) => {
    const symbol = readBarSymbol(input.symbol);
    if (!symbol)
      return fail("bad_request", {
        message: symbolHint(input.symbol, "symbol must name a series with bars, for example XAU-USD-SPOT."),
      });
    requireBars(caller, symbol, input.interval, fail);
    const fromMs = readDay(input.from);
    const toMs = readDay(input.to);
    if (fromMs === null) return fail("bad_request", { message: "from must be an existing date, YYYY-MM-DD." });
    if (toMs === null) return fail("bad_request", { message: "to must be an existing date, YYYY-MM-DD." });
    if (fromMs > toMs) return fail("bad_request", { message: "from must not be after to." });
    const floorMs = depthFloor(caller, input.interval, nowMs);
    if (toMs + DAY_MS <= floorMs) {
      const deeper = tierReaching(input.interval, toMs + DAY_MS, nowMs);
      if (deeper) return fail("plan_gated", { tier: caller.tier, required_tier: deeper });
      return fail("bad_request", { message: `intervals below a day go back ${INTRADAY_DEPTH_DAYS} days.` });
    }
    const servedFromMs = Math.max(fromMs, floorMs, BEGINS_MS);
    const page = await market.bars.page({
      symbol,
      interval: input.interval,
      fromMs: servedFromMs,
      toMs: toMs + DAY_MS - 1,
      limit: input.limit,
      asOfMs: barsAsOf(caller, asOfMs),
    });
    const isStale =
      page.forming !== null && market.standingOf({ instrument: instrumentOf(symbol), currency: "USD" }, asOfMs).stale.isStale;
    const envelope = {
      symbol,
      interval: input.interval,
      // A window entirely before the depth returns nothing; its end works as the first day.
      from: utcDay(Math.min(servedFromMs, toMs)),
      to: input.to,
    };
    const meta = {
      tier: caller.tier,
      count: page.count,
      ohlc_note: noteOf(page.sourceId),
      ...completeness(page.isComplete),
    };
    const head = `${JSON.stringify(envelope).slice(0, -1)},"series":[`;
    const { bytes, giveBack } = seriesOf(rowsOf(page), input.interval, isStale);
    return new Encoded(new EncodedList(head, [bytes], `],"meta":${JSON.stringify(meta)}}`, giveBack));
  };
