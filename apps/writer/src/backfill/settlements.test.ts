/** Backfilled settlements: the simulated exchange's, and a folder's. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { claimFence, readNewestSettlements, readSettledDays, StaleTokenError, type Store, writeMoment } from "@assay/db";
import { testEngines } from "@assay/db/testing";
import { createUpstream, selectFeeds } from "@assay/feeds";
import { machineTime } from "@assay/ports";
import { silentProgress } from "@assay/process";
import { simulatedSettlements } from "@assay/simulator";
import { makeSettlement } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { fillSettlements } from "../simulated/market.ts";
import { Gaps } from "./history-gaps.ts";
import { backfillLive, dropHolidaySettlements } from "./live.ts";

const NOW_MS = Date.parse("2026-11-20T18:29:59Z");
const WRITER = { token: 1, holder: "one" };

describe.each(testEngines)("the past of settlements on $name", (engine) => {
  let store: Store;
  beforeAll(async () => {
    store = await engine.open();
  }, 120_000);
  afterAll(() => store.close());

  const fill = (nowMs: number, writer = WRITER, mayWrite = () => true) =>
    fillSettlements({ store, writer, seed: 1, progress: silentProgress, nowMs, clock: machineTime, mayWrite });

  it("is two years of every business day, up to the last one that settled, and continues from there", async () => {
    expect(await fill(NOW_MS)).toBeGreaterThan(7_000);
    const days = () =>
      readSettledDays(store, { symbol: "GC", from: "2020-01-01", to: "2027-01-01", limit: 2_000, asOfMs: NOW_MS * 2 });
    const before = await days();
    expect(before[0]?.day).toBe("2026-11-19");
    expect(before.at(-1)?.day).toBe("2024-11-19");
    // One second later the day settles: its contracts and those of the newest day, which is built again.
    const newest = simulatedSettlements("2026-11-20", 1);
    expect(await fill(NOW_MS + 1_000)).toBe(newest.length + simulatedSettlements("2026-11-19", 1).length);
    expect((await days()).length).toBe(before.length + 1);
    const stored = (await readNewestSettlements(store, "2026-11-20")).filter(
      ({ settlementDate }) => settlementDate === "2026-11-20",
    );
    expect(stored.map(({ futuresContract, price }) => `${futuresContract} ${price}`).sort()).toEqual(
      newest.map(({ futuresContract, price }) => `${futuresContract} ${price}`).sort(),
    );
  }, 120_000);

  it("is not written by a writer that was overtaken, or whose lease ran out", async () => {
    await expect(fill(NOW_MS + 86_400_000, WRITER, () => false)).rejects.toThrow(/lease/);
    await claimFence(store, 2, "two");
    await expect(fill(NOW_MS + 86_400_000)).rejects.toThrow(StaleTokenError);
  }, 120_000);

  it("is read whole from a folder, except for a file with a fault, which is reported", async () => {
    const folder = await mkdtemp(join(tmpdir(), "assay-backfill-"));
    const heard: string[] = [];
    try {
      await writeFile(
        join(folder, "GC.csv"),
        'date,month,settle,volume,oi\n2020-08-21,DEC 20,"1,947.0","10","20"\n2020-09-07,DEC 20,"1,934.9","1","20"\n',
      );
      await writeFile(join(folder, "SI.csv"), "date,month,settle,volume,oi\n2020-08-21,DEC 20,nonsense,1,2\n");
      const { feeds } = selectFeeds("cme-files", { SETTLEMENTS_DIR: folder });
      await backfillLive({
        store,
        writer: { token: 2, holder: "two" },
        upstream: createUpstream({ nowMs: () => NOW_MS }),
        polled: feeds,
        log: {
          info: () => undefined,
          feed: () => undefined,
          archives: () => undefined,
          warn: () => undefined,
          fault: (error) => heard.push(error instanceof Error ? error.message : ""),
        },
        progress: silentProgress,
        nowMs: NOW_MS,
        signal: new AbortController().signal,
        mayWrite: () => true,
        gaps: await Gaps.read(store, { token: 2, holder: "two" }),
        onFilled: () => undefined,
        onBars: () => undefined,
        onSettlements: () => void heard.push("settlements"),
        onRates: () => undefined,
        refuse: (source, rule) => void heard.push(`${source} ${rule}`),
      });
    } finally {
      await rm(folder, { recursive: true });
    }
    expect(heard).toEqual(["SI.csv: row 2: settle is not a price", "cme-files holiday", "settlements"]);
    const window = { from: "2020-08-21", to: "2020-09-10", limit: 9, asOfMs: NOW_MS };
    expect(await readSettledDays(store, { ...window, symbol: "GC" })).toEqual([{ day: "2020-08-21", contracts: ["GCZ20"] }]);
    expect(await readSettledDays(store, { ...window, symbol: "SI" })).toEqual([]);
  }, 120_000);

  it("is cleared of days on which the exchange does not settle, and of nothing else", async () => {
    const two = { token: 2, holder: "two" };
    const rows = ["2020-07-02", "2020-07-03", "2020-07-04", "2020-07-06"].map((settlementDate) =>
      makeSettlement({ futuresContract: "GCZ20", settlementDate }),
    );
    await writeMoment(store, two, { ticks: [], bars: [], fx: [], settlements: rows });
    const days = async () => {
      const july = { symbol: "GC", from: "2020-07-01", to: "2020-07-31", limit: 9, asOfMs: NOW_MS } as const;
      return (await readSettledDays(store, july)).map(({ day }) => day);
    };
    expect(await days()).toHaveLength(4);
    const info = vi.fn();
    const log = { info, warn: () => undefined, feed: () => undefined, archives: () => undefined, fault: () => undefined };
    await dropHolidaySettlements(store, two, log);
    expect(await days()).toEqual(["2020-07-06", "2020-07-02"]);
    await dropHolidaySettlements(store, two, log);
    expect(info).toHaveBeenCalledOnce();
  }, 120_000);
});
