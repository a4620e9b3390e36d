/** The ledger of corrections, and its signed head. */
import { type AssayContract, Encoded, formatClockReading, INTERVALS, tierAtLeast, type Verb } from "@assay/contract";
import { readCorrections, readCorrectionsHead } from "@assay/db";
import { depthFloor, requireSeries } from "../access/gate.ts";
import type { ServiceDeps, VerbContext } from "../context.ts";

/** `GET /v1/corrections`: corrections by number; their rows are answered as they were chained, with their digest. */
export const listCorrections =
  ({ store }: Pick<ServiceDeps, "store">): Verb<AssayContract["corrections"]["list"], VerbContext> =>
  async ({ symbol, since, limit }, { caller, asOfMs, nowMs, fail }) => {
    const { reach, tier } = caller;
    const asked = symbol === undefined ? null : [requireSeries(symbol, "1d", caller, fail)];
    // Before the rows: what is recorded meanwhile is the next page's.
    const { epoch, newest } = await readCorrectionsHead(store, asOfMs);
    const rows = await readCorrections(store, {
      symbols: asked ?? (reach.allBarSymbols ? null : ["XAU-USD-SPOT"]),
      intervals: reach.intraday ? INTERVALS : ["1d"],
      dailyFromMs: depthFloor(caller, "1d", nowMs),
      // As on their own route.
      hasSettlements: tierAtLeast(tier, "pro"),
      since,
      asOfMs,
      limit,
    });
    const entries = rows.map(({ entry, digest }) => `${entry.slice(0, -1)},"digest":"${digest}"}`);
    const meta = JSON.stringify({ tier, count: rows.length });
    // The rows of others are not looked through again by the next call.
    const reached = rows.length === limit ? since : Math.max(since, newest?.number ?? 0);
    const next = Math.max(reached, rows.at(-1)?.number ?? 0);
    return new Encoded(`{"epoch":${epoch},"corrections":[${entries.join(",")}],"next_since":${next},"meta":${meta}}`);
  };

/** `GET /v1/corrections/head`: the head of the chain as of the caller's instant. */
export const headCorrections =
  ({ store }: Pick<ServiceDeps, "store">): Verb<AssayContract["corrections"]["head"], VerbContext> =>
  async (_, { asOfMs }) => {
    const { epoch, newest } = await readCorrectionsHead(store, asOfMs);
    if (!newest) return { epoch, number: 0, digest: null, recorded_at: null };
    const { number, digest, recordedAtMs } = newest;
    return { epoch, number, digest, recorded_at: formatClockReading(new Date(recordedAtMs)) };
  };
