/** Kills at any point, on the simulated market: what was served before is served after, and no bar is lost or duplicated. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { BAR_SYMBOLS, type BarSymbol, DAY_MS, INTERVAL_MS, INTERVALS, startOfUtcDay } from "@assay/contract";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { coarser, faultsOf, figuresOf, startsOf, walkBars } from "./harness/bars.ts";
import { ask, untilHistory, untilStatus } from "./harness/call.ts";
import { type Folder, readDemoKeys, temporaryFolder } from "./harness/files.ts";
import { type Service, STANDALONE, spawnEntry, startService, untilReady } from "./harness/service.ts";

vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 });

const MIB = 1_048_576;
const INTRADAY_DAYS = 30;

/** The size of a folder, in bytes; files deleted while counting are skipped. */
const sizeOf = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        stat(join(entry.parentPath, entry.name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
};

describe("a service that is killed", () => {
  let folder: Folder;
  let settings: Record<string, string>;
  let service: Service | undefined;
  let key: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const often = { rate_limit_per_minute: 1_000_000, monthly_quota: 1_000_000 };
    settings = {
      DATA_DIR: join(folder.path, "data"),
      TIERS_FILE: await folder.write("tiers.json", JSON.stringify({ pro: often })),
      TRUST_PROXY: "127.0.0.1",
      SIM_HISTORY_DAYS: String(INTRADAY_DAYS),
      LOG_LEVEL: "info",
    };
  });
  afterAll(async () => {
    await service?.stop("SIGKILL");
    await folder.remove();
  });

  /** Every minute since the first day exists exactly once, and every coarser bar is built from the minutes. */
  const holdWhole = async (url: string, nowMs: number, symbols: readonly BarSymbol[]): Promise<void> => {
    const fromMs = startOfUtcDay(nowMs) - (INTRADAY_DAYS - 1) * DAY_MS;
    for (const symbol of symbols) {
      const minutes = await walkBars(url, { symbol, interval: "1m", fromMs, toMs: nowMs + DAY_MS }, key);
      const startsMs = startsOf(minutes);
      expect(faultsOf(startsMs, "1m"), symbol).toEqual([]);
      expect(startsMs[0], symbol).toBe(fromMs);
      expect(nowMs - (startsMs.at(-1) ?? 0), symbol).toBeLessThan(2 * 60_000);
      // Only the newest may be forming.
      expect(
        minutes.findIndex(({ is_closed }) => is_closed),
        symbol,
      ).toBeLessThanOrEqual(1);
      expect(
        minutes.findLastIndex(({ is_closed }) => !is_closed),
        symbol,
      ).toBeLessThanOrEqual(0);

      const figures = minutes.map(figuresOf).reverse();
      // What closes from here on is built from minutes that were not read.
      const wholeMs = startsMs.at(-1) ?? 0;
      for (const interval of INTERVALS.filter((each) => each !== "1m")) {
        const stored = (await walkBars(url, { symbol, interval, fromMs, toMs: nowMs + DAY_MS }, key))
          .filter(({ is_closed, bar_start }) => is_closed && Date.parse(bar_start) + INTERVAL_MS[interval] <= wholeMs)
          .map(figuresOf)
          .reverse();
        expect(
          faultsOf(
            stored.map(({ startMs }) => startMs),
            interval,
          ),
          `${symbol} ${interval}`,
        ).toEqual([]);
        const made = coarser(figures, interval).slice(0, stored.length);
        const differing = stored.filter((bar, index) => !sameFigures(bar, made[index]));
        expect(differing, `${symbol} ${interval}`).toEqual([]);
        expect(nowMs - (stored.at(-1)?.startMs ?? 0), `${symbol} ${interval}`).toBeLessThan(2 * INTERVAL_MS[interval] + 60_000);
      }
    }
  };

  it("while it makes its history, at several moments, has every bar exactly once after the next start", async () => {
    const killedAt: string[] = [];
    for (const grownTo of [1, 35 * MIB, 70 * MIB, 110 * MIB]) {
      const starting = spawnEntry(STANDALONE, settings);
      let ended = false;
      void starting.exited.then(() => {
        ended = true;
      });
      const isWhole = () => starting.stderr().includes("history: complete");
      while (!ended && !isWhole() && (await sizeOf(settings.DATA_DIR ?? "")) < grownTo) await sleep(40);
      starting.child.kill("SIGKILL");
      expect(await starting.exited, starting.stderr()).toEqual({ code: null, signal: "SIGKILL" });
      if (!isWhole()) killedAt.push(`${Math.round((await sizeOf(settings.DATA_DIR ?? "")) / MIB)} MiB`);
    }
    console.info(`killed while making history at ${killedAt.join(", ")}`);
    expect(killedAt.length).toBeGreaterThanOrEqual(3);

    service = await startService(settings);
    await untilHistory(service.url);
    key = (await readDemoKeys(settings.DATA_DIR ?? "")).pro;
    expect((await ask(service.url, "/v1/spot/gold", { key })).status).toBe(200);
    await holdWhole(service.url, Date.now(), BAR_SYMBOLS);
  });

  it("while it writes the market, again and again, is healthy soon after each start and has every bar", async () => {
    for (const lifeMs of [1_300, 250, 700]) {
      await sleep(lifeMs);
      await service?.stop("SIGKILL");
      service = await untilReady(spawnEntry(STANDALONE, settings));
      await untilStatus(service.url, "the status is ok", ({ status }) => status === "ok");
    }
    await holdWhole(service?.url ?? "", Date.now(), ["XAU-USD-SPOT", "GC"]);
  });

  it("has the bars of an outage of hours, as if it had not happened", async () => {
    const OUTAGE_MS = 3 * 3_600_000;
    await service?.stop("SIGKILL");
    service = await startService({ ...settings, CLOCK_OFFSET_MS: String(OUTAGE_MS) });
    await holdWhole(service.url, Date.now() + OUTAGE_MS, ["XAU-USD-SPOT", "GC"]);
    const daily = await walkBars(
      service.url,
      { symbol: "XAU-USD-SPOT", interval: "1d", fromMs: Date.UTC(1996, 0, 1), toMs: 4e12 },
      key,
    );
    expect(faultsOf(startsOf(daily), "1d")).toEqual([]);
    expect(startsOf(daily)[0]).toBe(Date.UTC(1996, 0, 1));
  });
});

const sameFigures = (left: ReturnType<typeof figuresOf>, right: ReturnType<typeof figuresOf> | undefined): boolean =>
  right !== undefined &&
  left.startMs === right.startMs &&
  left.open === right.open &&
  left.high === right.high &&
  left.low === right.low &&
  left.close === right.close &&
  left.volume === right.volume;
