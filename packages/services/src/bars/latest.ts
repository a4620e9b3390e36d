/** GET /v1/bars/latest: the most recent bar, forming or closed. */
import { type AssayContract, Encoded, type Verb } from "@assay/contract";
import type { ServiceDeps, VerbContext } from "../context.ts";
import { barsAsOf, requireSeries } from "./series.ts";

/** The newest bar the caller may see; no depth applies. */
export const latestBars =
  ({ market }: Pick<ServiceDeps, "market">): Verb<AssayContract["bars"]["latest"], VerbContext> =>
  async (input, { caller, asOfMs, fail }) => {
    const symbol = requireSeries(input.symbol, input.interval, caller, fail);
    const page = await market.bars.page({
      symbol,
      interval: input.interval,
      fromMs: Number.MIN_SAFE_INTEGER,
      toMs: Number.MAX_SAFE_INTEGER,
      limit: 1,
      asOfMs: barsAsOf(caller, asOfMs),
    });
    const bar = page.forming ?? (page.count > 0 ? Buffer.from(page.closed).toString("latin1") : "null");
    const meta = JSON.stringify({ tier: caller.tier, count: page.count, source_id: page.sourceId });
    return new Encoded(`{"symbol":"${symbol}","interval":"${input.interval}","bar":${bar},"meta":${meta}}`);
  };
