/** GET /v1/prices/history, deprecated: the bars of a window, oldest first. */
import { type AssayContract, type Bar, DAY_MS, INTRADAY_DEPTH_DAYS, type Verb } from "@assay/contract";
import { readBarSymbol } from "@assay/pricing";
import { depthFloor, requireBars, tierReaching } from "../access/gate.ts";
import { barsAsOf } from "../bars/series.ts";
import type { ServiceDeps, VerbContext } from "../context.ts";
import { dayOf, readDay } from "../input/instant.ts";
import { completeness } from "../market/completeness.ts";

/** How far back the deepest tier's window reaches. */
const BEGINS_MS = Date.UTC(1996, 0, 1);

const noteOf = (sourceId: string | null): string =>
  sourceId === null
    ? "There are no bars in this window."
    : `Bars of UTC days or hours from source ${sourceId}: open, high, low and close of the prices Assay composed or imported.`;

/** The deprecated history: the newest `limit` bars of the window, limited to the tier's depth. */
export const history =
  ({ market }: Pick<ServiceDeps, "market">): Verb<AssayContract["prices"]["history"], VerbContext> =>
  async (input, { caller, asOfMs, nowMs, fail }) => {
    const symbol = readBarSymbol(input.symbol);
    if (!symbol) return fail("bad_request", { message: "symbol must name a series with bars, for example XAU-USD-SPOT." });
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
    const text = [page.forming ?? "", Buffer.from(page.closed).toString("latin1")].filter((part) => part !== "").join(",");
    // We encoded it ourselves: the arena holds bars of the contract's shape.
    const bars = JSON.parse(`[${text}]`) as Bar[];
    const series = bars.reverse().map((bar) => ({
      date: input.interval === "1d" ? bar.bar_start.slice(0, 10) : bar.bar_start,
      open: bar.open,
      high: bar.high,
      low: bar.low,
      close: bar.close,
      volume: null,
      is_stale: false,
      is_closed: bar.is_closed,
    }));
    return {
      symbol,
      interval: input.interval,
      // A window entirely before the depth returns nothing; its end works as the first day.
      from: dayOf(Math.min(servedFromMs, toMs)),
      to: input.to,
      series,
      meta: { tier: caller.tier, count: series.length, ohlc_note: noteOf(page.sourceId), ...completeness(page.isComplete) },
    };
  };
