/**
 * Bars imported into a running service while another process writes the same series: imported bars stay, and all intervals
 * agree.
 */
import { type Bar, contract, HOUR_MS, INTERVAL_MS, type Interval, SECOND_MS } from "@assay/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { walkBars } from "./harness/bars.ts";
import { read } from "./harness/call.ts";
import { type Cluster, startCluster } from "./harness/cluster.ts";
import { eventually } from "./harness/eventually.ts";
import { type Folder, temporaryFolder } from "./harness/files.ts";
import { at, gold, replayFile } from "./harness/replay.ts";
import { hasServers, sayWhySkipped } from "./harness/servers.ts";
import { endOf, IMPORT, mintKey, runEntry } from "./harness/service.ts";

sayWhySkipped("imports into a running service");

/** The clock of these processes starts in the middle of a four-hour bar of a trading day. */
const NOON_MS = Date.UTC(2026, 10, 18, 14, 20);

const time = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace("T", " ");

describe.skipIf(!hasServers)(
  "an import into a running service",
  { meta: { needs: "TEST_DATABASE_URL or TEST_REDIS_URL is not set" } },
  () => {
    let cluster: Cluster;
    let folder: Folder;
    let key: string;
    let offsetMs: number;
    const nowMs = (): number => Date.now() + offsetMs;
    const urls = (): string[] => cluster.apis.map(({ url }) => url);
    const barsOf = (url: string, interval: Interval): Promise<Bar[]> =>
      walkBars(url, { symbol: "XAU-USD-SPOT", interval, fromMs: NOON_MS - 24 * HOUR_MS, toMs: NOON_MS + 24 * HOUR_MS }, key);
    const newest = async (url: string, interval: Interval): Promise<Bar | undefined> => (await barsOf(url, interval))[0];
    const priceAt = (index: number): string => (4_030 + (index % 7)).toFixed(2);

    beforeAll(async () => {
      folder = await temporaryFolder();
      offsetMs = NOON_MS - Date.now();
      // A price in the hour before, above all that follow, and then one a second until long after the test.
      const lines = [
        at(NOON_MS - 50 * 60 * SECOND_MS, gold("replay-a", "4048.00")),
        ...Array.from({ length: 1_800 }, (_, index) => at(NOON_MS + (index - 10) * SECOND_MS, gold("replay-a", priceAt(index)))),
      ];
      const feeds = await replayFile(folder, lines);
      const settings = { FEEDS: feeds, CLOCK_OFFSET_MS: String(offsetMs), LOG_LEVEL: "warn" };
      cluster = await startCluster(settings, { pro: { rate_limit_per_minute: 100_000, monthly_quota: 1_000_000 } }, [
        "writer-one",
      ]);
      key = (await mintKey(cluster.settings, "pro")).plaintext;
    });
    afterAll(async () => {
      await cluster?.close();
      await folder?.remove();
    });

    const importHours = async (rows: readonly string[]): Promise<void> => {
      const path = await folder.write(`hours-${rows.length}.csv`, `time,Open,High,Low,Close,Volume\n${rows.join("\n")}\n`);
      const { code, stderr } = await runEntry(IMPORT, cluster.settings, [
        "--symbol",
        "XAU-USD-SPOT",
        "--interval",
        "1h",
        "--timezone",
        "UTC",
        path,
      ]);
      expect({ code, stderr }).toMatchObject({ code: 0 });
    };
    /** Low and high of a bar's time, from the hours in it. */
    const spanOf = (hours: readonly Bar[], bar: Bar, interval: Interval) => {
      const startMs = Date.parse(bar.bar_start);
      const parts = hours.filter(
        ({ bar_start }) => Date.parse(bar_start) >= startMs && Date.parse(bar_start) < startMs + INTERVAL_MS[interval],
      );
      return {
        open: parts.at(-1)?.open,
        high: Math.max(...parts.map(({ high }) => Number(high))),
        low: Math.min(...parts.map(({ low }) => Number(low))),
        close: parts[0]?.close,
      };
    };
    const figuresOf = ({ open, high, low, close }: Bar) => ({ open, high: Number(high), low: Number(low), close });

    it("is in the forming bars of every interval and stays there while ticks continue", async () => {
      const hourMs = Math.floor(NOON_MS / HOUR_MS) * HOUR_MS;
      const rows = [
        `${time(hourMs - 2 * HOUR_MS)},3990.00,4012.00,3978.00,4001.00,1`,
        `${time(hourMs - HOUR_MS)},4001.00,4034.00,3999.00,4020.00,1`,
        `${time(hourMs)},4020.00,4029.00,3985.00,4025.00,1`,
      ];
      await importHours(rows);
      const importedMs = nowMs();
      for (const url of urls()) {
        await eventually(
          "ticks have gone on after the import",
          () => read(url, contract.spot.get, { symbol: "gold" }, { key }),
          ({ computed_at }) => Date.parse(computed_at ?? "") > importedMs + 3 * SECOND_MS,
          { withinMs: 180_000 },
        );
        // Read together between two ticks, once one is as new as the other.
        await eventually(
          "all intervals agree with the hours",
          async () => {
            const hours = await barsOf(url, "1h");
            const four = await newest(url, "4h");
            const day = await newest(url, "1d");
            return { hours, four, day };
          },
          ({ hours, four, day }) =>
            four !== undefined &&
            day !== undefined &&
            JSON.stringify(figuresOf(four)) === JSON.stringify(spanOf(hours, four, "4h")) &&
            JSON.stringify(figuresOf(day)) === JSON.stringify(spanOf(hours, day, "1d")),
          { withinMs: 180_000 },
        );
        const [forming, ...closed] = await barsOf(url, "1h");
        expect(forming).toMatchObject({ open: "4020.00", low: "3985.00", is_closed: false });
        expect(closed.slice(0, 2)).toMatchObject([
          { open: "4001.00", high: "4034.00", low: "3999.00", close: "4020.00", is_closed: true },
          { open: "3990.00", high: "4012.00", low: "3978.00", close: "4001.00", is_closed: true },
        ]);
        expect(await newest(url, "4h")).toMatchObject({ open: "3990.00", low: "3978.00", is_closed: false });
        expect(await newest(url, "1d")).toMatchObject({ low: "3978.00" });
      }
    });

    it("survives a killed leader, and a new one that replays the past from its file", async () => {
      const before = await barsOf(urls()[0] ?? "", "1h");
      const writer = cluster.writers.get("writer-one");
      writer?.child.kill("SIGKILL");
      if (writer) await endOf(writer, 10_000);
      // As if the writer's ticks had been lost: everything in its file is past, and is replayed.
      await cluster.database.sql`truncate ticks`;
      await cluster.startWriter("writer-two");
      const startedMs = nowMs();
      const url = urls()[1] ?? "";
      await eventually(
        "ticks go on",
        () => read(url, contract.spot.get, { symbol: "gold" }, { key }),
        ({ computed_at }) => Date.parse(computed_at ?? "") > startedMs,
        { withinMs: 180_000 },
      );
      const after = await barsOf(url, "1h");
      expect(after.slice(1)).toEqual(before.slice(1));
      expect(after[0]).toMatchObject({ open: "4020.00", low: "3985.00" });
      expect(await newest(url, "4h")).toMatchObject({ open: "3990.00", high: "4036.00", low: "3978.00" });
    });
  },
);
