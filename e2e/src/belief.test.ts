/** Sources with wrong prices, on a replayed market: no wrong figure on any route, live or delayed, in bars or after a restart. */
import { contract, MINUTE_MS, type SpotRow } from "@assay/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askRoute, read, readStatus, untilStatus } from "./harness/call.ts";
import { eventually } from "./harness/eventually.ts";
import { type Folder, readDemoKeys, type TierKeys, temporaryFolder } from "./harness/files.ts";
import { at, clockAt, gold, replayFile } from "./harness/replay.ts";
import { type Service, startUnready } from "./harness/service.ts";

const XAG = { instrument: "XAG-USD-SPOT" };
const HG = { instrument: "HG-USD-SPOT" };

/** The market: what is past at an instant, and what is due an hour later. */
const marketOf = (startMs: number) => {
  const dueMs = startMs + 60 * MINUTE_MS;
  const oldMs = startMs - 20 * MINUTE_MS;
  const lines = [
    // Gold: its only primary is ten times too high. The council disputes it ten minutes later, and it is right from the due
    // instant on.
    at(oldMs, gold("gold-a", "43920.00")),
    at(oldMs + MINUTE_MS, gold("gold-a", "43925.00")),
    at(oldMs + 10 * MINUTE_MS, gold("gold-council", "4390.60", { role: "council" })),
    at(dueMs, gold("gold-a", "4391.00")),
    // Silver: the first of two primaries is ten times too high, the other comes two seconds later, then the council.
    at(oldMs, gold("silver-a", "480.00", XAG)),
    at(oldMs + 2_000, gold("silver-b", "48.00", XAG)),
    at(oldMs + 3_000, gold("silver-council", "47.95", { ...XAG, role: "council" })),
    at(oldMs + 5_000, gold("silver-b", "48.10", XAG)),
    // Copper: one primary and no reference, until the council publishes.
    at(oldMs, gold("copper-a", "5.10", HG)),
    at(dueMs, gold("copper-council", "5.12", { ...HG, role: "council" })),
    // A quote with a spread of 68 % is wrong, whatever its mid.
    at(oldMs + 6_000, gold("silver-b", "48.20", { ...XAG, bid: "31.8", ask: "64.6" })),
  ];
  return { startMs, dueMs, oldMs, lines };
};

describe("sources that lie", () => {
  let folder: Folder;
  let settings: Record<string, string>;
  let service: Service;
  let keys: TierKeys;
  let market: ReturnType<typeof marketOf>;
  const spot = (key: string, symbol: string): Promise<SpotRow> =>
    read(service.url, contract.spot.get, { symbol, include: "all" }, { key });
  const highsOf = async (symbol: string): Promise<string[]> => {
    const window = {
      symbol,
      from: new Date(market.oldMs - MINUTE_MS).toISOString(),
      to: new Date(market.dueMs + MINUTE_MS).toISOString(),
    };
    const series = await Promise.all(
      (["1m", "5m", "1h", "1d"] as const).map((interval) =>
        read(service.url, contract.bars.list, { ...window, interval }, { key: keys.pro }),
      ),
    );
    return series.flatMap(({ bars }) => bars.map(({ high }) => high ?? ""));
  };

  beforeAll(async () => {
    folder = await temporaryFolder();
    market = marketOf(Date.now());
    settings = { DATA_DIR: folder.path, FEEDS: await replayFile(folder, market.lines), TRUST_PROXY: "127.0.0.1" };
    service = await startUnready({ ...settings, ...clockAt(market.startMs) });
    keys = await readDemoKeys(folder.path);
  });
  afterAll(async () => {
    await service?.stop("SIGKILL");
    await folder.remove();
  });

  it("that are disputed leave a row without a price, for live and delayed callers, and every figure derived from it", async () => {
    for (const key of [keys.pro, keys.free]) {
      const row = await spot(key, "XAU-USD-SPOT");
      expect(row).toMatchObject({ is_stale: true, stale_reason: "feed_down" });
      expect(row.price).toBeUndefined();
      const conversion = await askRoute(service.url, contract.convert.get, { from: "XAU", to: "USD" }, { key });
      expect([conversion.status, conversion.json]).toMatchObject([503, { error: "spot_unavailable" }]);
      expect((await askRoute(service.url, contract.carat.get, {}, { key })).status).toBe(503);
    }
  });

  it("that come first lock no one out: the majority sets the price and the bars never saw the other figure", async () => {
    expect(await spot(keys.pro, "XAG-USD-SPOT")).toMatchObject({ price: "48.1000", is_stale: false });
    const { sources = [] } = await spot(keys.pro, "XAG-USD-SPOT");
    expect(sources.map(({ source, verdict, rule }) => [source, verdict, rule])).toEqual([
      ["silver-a", "refused", "jump"],
      ["silver-b", "believed", undefined],
      ["silver-council", "standby", undefined],
    ]);
    expect((await highsOf("XAG/USD")).filter((high) => Number(high) > 50)).toEqual([]);
    const { scrapers } = await readStatus(service.url);
    expect(scrapers["silver-a"]?.rejected_observations).toBe(1);
    // Disputed together with the other when that arrived, and refused for its spread later.
    expect(scrapers["silver-b"]?.rejected_observations).toBe(2);
  });

  it("that have no confirmation degrade the status", async () => {
    expect(await spot(keys.pro, "HG-USD-SPOT")).toMatchObject({ price: "5.1000" });
    const { status, reasons } = await readStatus(service.url);
    expect(reasons.filter((reason) => reason.includes("unconfirmed_price"))).toEqual([
      expect.stringMatching(/^unconfirmed_price: HG-USD-SPOT/),
    ]);
    expect(status).toBe("degraded");
  });

  it("that correct themselves, or are confirmed, are trusted again, and their bars are removed, over a restart as well", async () => {
    const later = clockAt(market.dueMs);
    for (const _ of ["as it falls due", "after it"]) {
      await service.stop("SIGKILL");
      service = await startUnready({ ...settings, ...later });
      const row = await eventually(
        "gold has its price",
        () => spot(keys.pro, "XAU-USD-SPOT"),
        ({ price }) => price !== undefined,
      );
      expect(row).toMatchObject({ price: "4391.00", is_stale: false });
      expect((await spot(keys.free, "XAU-USD-SPOT")).price).toBeUndefined();
      await eventually(
        "the bars hold the right figure alone",
        () => highsOf("XAU/USD"),
        (highs) => highs.length > 0 && highs.every((high) => high === "4391.00"),
      );
      await untilStatus(
        service.url,
        "the council confirms copper",
        ({ reasons }) => !reasons.some((reason) => reason.includes("unconfirmed_price")),
      );
    }
  });
});
