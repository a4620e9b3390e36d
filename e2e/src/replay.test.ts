/** Replayed markets: every line at its own time, the 15-minute delay to the millisecond, sources that fall silent. */
import { contract, formatTimestamp, MINUTE_MS, SECOND_MS, type SpotRow } from "@assay/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { read, readStatus, untilStatus } from "./harness/call.ts";
import { eventually } from "./harness/eventually.ts";
import { type Folder, readDemoKeys, type TierKeys, temporaryFolder } from "./harness/files.ts";
import { at, clockAt, gold, rates, replayFile } from "./harness/replay.ts";
import { runEntry, type Service, STANDALONE, startService } from "./harness/service.ts";

const DELAY_MS = 15 * MINUTE_MS;

/** The market of these tests: what is past at an instant, and what is due an hour later. */
const marketOf = (startMs: number) => {
  const dueMs = startMs + 60 * MINUTE_MS;
  /** This one becomes 15 minutes old when the other is due. */
  const ageingMs = dueMs - DELAY_MS;
  const oldMs = startMs - 20 * MINUTE_MS;
  const midMs = startMs - 10 * MINUTE_MS;
  const newMs = startMs - 30 * SECOND_MS;
  const barMs = Math.floor((startMs - 60 * MINUTE_MS) / (5 * MINUTE_MS)) * 5 * MINUTE_MS;
  const pulse = { instrument: "XAG-USD-SPOT", required: true, expected_interval_seconds: 2 };
  // For longer than the first tests take.
  const pulses = Array.from({ length: 900 }, (_, index) => startMs + (index - 30) * SECOND_MS);
  const lines = [
    // One minute with four prices, and one four minutes later: the bars of an hour ago.
    at(barMs + 1_000, gold("replay-a", "3990.00")),
    at(barMs + 11_000, gold("replay-a", "3995.00")),
    at(barMs + 21_000, gold("replay-a", "3985.00")),
    at(barMs + 31_000, gold("replay-a", "3991.00")),
    at(barMs + 4 * MINUTE_MS, gold("replay-a", "3997.50")),
    at(oldMs - 5 * MINUTE_MS, rates("replay-fx", { EUR: "0.9000" })),
    at(oldMs, gold("replay-a", "4000.00", { bid: "3999.80", ask: "4000.20" })),
    at(ageingMs, gold("replay-a", "4005.00")),
    at(midMs, gold("replay-a", "4010.00")),
    at(midMs, gold("replay-b", "4014.00")),
    at(startMs - 5 * MINUTE_MS, rates("replay-fx", { EUR: "0.8000" })),
    at(newMs, gold("replay-a", "4020.00")),
    at(newMs, gold("replay-council", "3900.00", { role: "council" })),
    at(newMs, gold("replay-token", "4100.00", { role: "informational" })),
    at(newMs, gold("replay-council", "50.00", { role: "council", instrument: "XAG-USD-FUTURES" })),
    at(newMs, gold("replay-token", "5.1", { role: "informational", instrument: "HG-USD-SPOT" })),
    at(dueMs, gold("replay-a", "4030.00")),
    at(dueMs, gold("replay-b", "4034.00")),
    ...pulses.map((ms) => at(ms, gold("replay-pulse", "48.00", pulse))),
    // Two councils, so that no price comes from a single source.
    at(startMs - 31_000, gold("replay-council", "47.90", { role: "council", instrument: "XAG-USD-SPOT" })),
    at(newMs, gold("replay-fixing", "50.00", { role: "council", instrument: "XAG-USD-FUTURES" })),
    at(dueMs - 4_000, { kind: "silence", source: "replay-pulse" }),
    at(startMs - MINUTE_MS, {
      kind: "bar",
      source: "replay-bars",
      symbol: "GLD",
      interval: "1d",
      bar_start: "2026-11-18T00:00:00Z",
      open: "370.10",
      high: "372.00",
      low: "369.50",
      close: "371.20",
      volume: "8123400",
    }),
  ];
  return { startMs, dueMs, ageingMs, oldMs, newMs, barMs, lines };
};

describe("a replayed market", () => {
  let folder: Folder;
  let settings: Record<string, string>;
  let service: Service;
  let keys: TierKeys;
  let market: ReturnType<typeof marketOf>;
  const spot = (key: string, symbol = "XAU-USD-SPOT"): Promise<SpotRow> =>
    read(service.url, contract.spot.get, { symbol, include: "all" }, { key });

  beforeAll(async () => {
    folder = await temporaryFolder();
    market = marketOf(Date.now());
    const often = { rate_limit_per_minute: 100_000, monthly_quota: 1_000_000 };
    settings = {
      DATA_DIR: folder.path,
      FEEDS: await replayFile(folder, market.lines),
      TRUST_PROXY: "127.0.0.1",
      TIERS_FILE: await folder.write("tiers.json", JSON.stringify({ free: often, pro: often })),
    };
    service = await startService({ ...settings, ...clockAt(market.startMs) });
    keys = await readDemoKeys(folder.path);
  });
  afterAll(async () => {
    await service?.stop("SIGKILL");
    await folder.remove();
  });

  it("is healthy while the required source publishes", async () => {
    const status = await untilStatus(service.url, "the status is ok", (document) => document.status === "ok");
    expect(status.reasons).toEqual([]);
    expect(status.scrapers["replay-pulse"]).toMatchObject({ required: true, status: "ok", expected_interval_seconds: 2 });
  });

  it("shows past lines at their own time: now to paid tiers, fifteen minutes ago to the others", async () => {
    // Paid: the median of a's 4020 and b's 4014. Delayed: a's 4000 of twenty minutes ago, the only one that old.
    expect(await spot(keys.pro)).toMatchObject({ price: "4017.00", computed_at: formatTimestamp(market.newMs), is_stale: false });
    expect(await spot(keys.free)).toMatchObject({
      price: "4000.00",
      bid: "3999.80",
      ask: "4000.20",
      computed_at: formatTimestamp(market.oldMs),
    });
    const anonymous = await read(service.url, contract.spot.get, { symbol: "gold" }, { from: "198.51.100.7" });
    expect(anonymous).toMatchObject({ price: "4000.00", computed_at: formatTimestamp(market.oldMs) });
  });

  it("crosses a delayed price with the rate of the same moment", async () => {
    // 4000 × 0.9000, the rate at that time; 4017 × 0.8000, the current rate
    expect((await spot(keys.free, "XAU-EUR-SPOT")).price).toBe("3600.00");
    expect((await spot(keys.pro, "XAU-EUR-SPOT")).price).toBe("3213.60");
    const late = await read(service.url, contract.convert.get, { from: "XAU", to: "EUR", amount: "2" }, { key: keys.free });
    expect(late).toMatchObject({ rate: "3600", result: "7200.00", timestamp: formatTimestamp(market.oldMs) });
  });

  it("keeps roles: the council only where no primary publishes, tokens never", async () => {
    const listed = (await spot(keys.pro)).sources?.map(({ source, informational }) => [source, informational]);
    expect(listed).toEqual([
      ["replay-a", false],
      ["replay-b", false],
      ["replay-council", false],
      ["replay-token", true],
    ]);
    const council = await spot(keys.pro, "XAG-USD-FUTURES");
    expect(council).toMatchObject({ price: "50.0000", value_stale: true });
    const token = await spot(keys.pro, "HG-USD-SPOT");
    expect(token.price).toBeUndefined();
  });

  it("makes bars of its prices", async () => {
    const window = {
      symbol: "XAU/USD",
      from: formatTimestamp(market.barMs),
      to: formatTimestamp(market.barMs + 5 * MINUTE_MS - 1),
    };
    const minutes = await read(service.url, contract.bars.list, { ...window, interval: "1m" }, { key: keys.pro });
    expect(
      minutes.bars.map(({ bar_start, open, high, low, close, is_closed }) => [bar_start, open, high, low, close, is_closed]),
    ).toEqual([
      [formatTimestamp(market.barMs + 4 * MINUTE_MS), "3997.50", "3997.50", "3997.50", "3997.50", true],
      [formatTimestamp(market.barMs), "3990.00", "3995.00", "3985.00", "3991.00", true],
    ]);
    const five = await read(service.url, contract.bars.list, { ...window, interval: "5m" }, { key: keys.pro });
    expect(five.bars).toMatchObject([{ open: "3990.00", high: "3997.50", low: "3985.00", close: "3997.50", is_closed: true }]);
  });

  it("includes bars that are reported complete", async () => {
    const window = { symbol: "GLD", from: "2026-11-01", to: "2026-11-30" };
    const { bars, meta } = await read(service.url, contract.bars.list, window, { key: keys.pro });
    expect(bars).toEqual([
      {
        bar_start: "2026-11-18T00:00:00Z",
        open: "370.10",
        high: "372.00",
        low: "369.50",
        close: "371.20",
        volume: "8123400",
        is_closed: true,
      },
    ]);
    expect(meta.source_id).toBe("replay-bars");
  });

  it("shows the next lines once they are due, and none that is younger than fifteen minutes to delayed callers, however it ended", async () => {
    settings = { ...settings, ...clockAt(market.dueMs) };
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      await service.stop(signal);
      service = await startService(settings);
      const paid = await eventually(
        "the newest lines are the price",
        () => spot(keys.pro),
        ({ price }) => price === "4032.00",
      );
      const late = await spot(keys.free);
      expect(paid.computed_at).toBe(formatTimestamp(market.dueMs));
      // The median of a's 4005 and b's 4014.
      expect(late).toMatchObject({ price: "4009.50", computed_at: formatTimestamp(market.ageingMs) });
    }
    expect((await readStatus(service.url)).checks.live_writer.fencing_token).toBeGreaterThanOrEqual(3);
  });

  it("is degraded, saying why, while the required source is silent", async () => {
    const status = await untilStatus(service.url, "silence shows", (document) => document.status === "degraded");
    expect(status.reasons).toEqual([expect.stringContaining("replay-pulse")]);
    expect(status.scrapers["replay-pulse"]).toMatchObject({ status: "failing", required: true });
  });
});

describe("a replay file with a malformed line", () => {
  it("stops the start with one line that names file and line", async () => {
    const folder = await temporaryFolder();
    const good = at(Date.now(), gold("replay-a", "4000.00"));
    const feeds = await replayFile(folder, [good, "", good.replace('"4000.00"', "4000.00"), good]);
    const { code, stdout, stderr } = await runEntry(STANDALONE, { DATA_DIR: folder.path, FEEDS: feeds });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe(`${feeds.slice("replay:".length)}, line 3, price: must be decimal text, in quotes\n`);
    await folder.remove();
  });
});
