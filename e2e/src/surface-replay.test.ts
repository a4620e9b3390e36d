/** The probability surface and arbitrage signals of a replayed market: an edge that was planted, and a restart without venues. */
import { contract, DAY_MS, HOUR_MS, MINUTE_MS } from "@assay/contract";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { askRoute, read } from "./harness/call.ts";
import { eventually } from "./harness/eventually.ts";
import { type Folder, readDemoKeys, type TierKeys, temporaryFolder } from "./harness/files.ts";
import { type Started, startInTime } from "./harness/in-time.ts";
import { at, gold, type Line, optionLines, replayFile } from "./harness/replay.ts";
import { type Service, startService } from "./harness/service.ts";
import { holdToInvariants } from "./harness/surface.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 300_000 });

describe("a replayed market", () => {
  let folder: Folder;
  let service: Service;
  let keys: TierKeys;
  let startMs: number;
  let dueMs: number;
  let expiry: string;

  const market = (feeModel: string, more: object): Line => ({
    ...{ kind: "market", source: "replay-pm", metal: "XAU", expiry, market_id: feeModel, condition: "above", strike: "4200" },
    ...{ bid_size_usd: "800", ask_size_usd: "900", fee_model: feeModel, ...more },
  });
  const signals = async () => (await read(service.url, contract.signals.arbitrage, { metal: "xau" }, { key: keys.pro })).signals;

  const start = async (aheadMs: number): Promise<Started> => {
    await folder?.remove();
    folder = await temporaryFolder();
    startMs = Date.now();
    dueMs = startMs + aheadMs;
    expiry = new Date(startMs + 40 * DAY_MS).toISOString().slice(0, 10);
    const lines = [
      at(startMs - 30 * MINUTE_MS, gold("replay-a", "4003.20")),
      ...optionLines(startMs - 20 * MINUTE_MS, expiry),
      // Sold at 0.31 here and bought at 0.40 there; a touch market with a larger edge is not the same kind of bet.
      at(startMs - 10 * MINUTE_MS, market("kalshi", { yes_bid: "0.29", yes_ask: "0.31" })),
      at(startMs - 9 * MINUTE_MS, market("polymarket", { yes_bid: "0.40", yes_ask: "0.43" })),
      at(
        startMs - 9 * MINUTE_MS,
        market("polymarket", { market_id: "hit", condition: "touch", yes_bid: "0.60", yes_ask: "0.63" }),
      ),
      at(dueMs, market("polymarket", { yes_bid: "0.29", yes_ask: "0.32" })),
    ];
    const feeds = await replayFile(folder, lines);
    service = await startService({ DATA_DIR: folder.path, FEEDS: feeds });
    return { service, dueMs };
  };
  beforeAll(async () => {
    ({ service } = await startInTime(start, 5_000));
    keys = await readDemoKeys(folder.path);
  });
  afterAll(async () => {
    await service?.stop("SIGKILL");
    await folder.remove();
  });

  it("has exactly the edge that was planted, under one id while it lasts, and none once the books have parted", async () => {
    const [edge, ...others] = await signals();
    expect(others).toEqual([]);
    expect(edge).toMatchObject({
      ...{ type: "digital", horizon_target: expiry, strike: "4200", gross_edge_bps: 900, executable_size_usd: "800.00" },
      buy: { venue: "replay-pm", market_id: "kalshi", side: "yes", price: "0.31", size_usd: "900.00" },
      sell: { venue: "replay-pm", market_id: "polymarket", side: "yes", price: "0.4", size_usd: "800.00" },
      detected_at: new Date(startMs - 9 * MINUTE_MS).toISOString().replace(/\.000Z$/, "Z"),
    });
    // 0.07 × 0.31 × 0.69 and 0.04 × 0.40 × 0.60 per contract.
    expect(edge?.fees_bps).toBe(245.7);
    expect(edge?.net_edge_bps).toBe(654.3);
    const seen = new Set<string>();
    await eventually(
      "no edge",
      async () => {
        const now = await signals();
        if (now.length > 0) seen.add(JSON.stringify(now));
        return now;
      },
      (now) => now.length === 0,
      { withinMs: 130_000 },
    );
    for (const text of seen) expect(JSON.parse(text)).toEqual([edge]);
    expect(Date.now()).toBeGreaterThanOrEqual(dueMs);
  });

  it("has the surface of its options, as old as their lines", async () => {
    const surface = await read(service.url, contract.surface.get, { metal: "xau" }, { key: keys.pro });
    holdToInvariants(surface);
    expect(surface).toMatchObject({
      horizon: expiry,
      method: "lognormal_kernels",
      flags: expect.arrayContaining(["options_only"]),
    });
    expect(surface.snapshot_age_seconds).toBeGreaterThanOrEqual(20 * 60);
    expect(surface.snapshot_age_seconds).toBeLessThanOrEqual((Date.now() - startMs) / 1_000 + 20 * 60 + 1);
  });

  it("serves what was stored after a restart with silent venues, with its true age, and no signals", async () => {
    const before = await read(service.url, contract.surface.get, { metal: "xau" }, { key: keys.pro });
    expect(await service.stop()).toMatchObject({ code: 0 });
    const quiet = await replayFile(folder, [at(Date.now() - MINUTE_MS, gold("replay-a", "4010.00"))], "quiet.ndjson");
    service = await startService({ DATA_DIR: folder.path, FEEDS: quiet, CLOCK_OFFSET_MS: String(2 * HOUR_MS) });
    const after = await read(service.url, contract.surface.get, { metal: "xau" }, { key: keys.pro });
    expect({ ...after, snapshot_age_seconds: 0 }).toEqual({ ...before, snapshot_age_seconds: 0 });
    expect(after.snapshot_age_seconds).toBeGreaterThanOrEqual(before.snapshot_age_seconds + 2 * 3_600);
    const index = await read(service.url, contract.surface.expiries, { metal: "xau" }, { key: keys.pro });
    expect(index.horizons).toMatchObject([{ horizon: expiry }]);
    expect(await signals()).toEqual([]);
    expect((await askRoute(service.url, contract.surface.get, { metal: "xag" }, { key: keys.pro })).json).toMatchObject({
      error: "not_found",
    });
  });
});
