/** The command as operators run it: separate processes over real folders and servers. Its arguments have a suite of their own. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { openStore, type Store, upsertBars } from "@assay/db";
import { createTestDatabase, testServerUrl } from "@assay/db/testing";
import { type MarketEvent, openLive } from "@assay/live";
import type { BarRow } from "@assay/pricing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixture, openScratch, seriesOf, startCommand } from "./testing/trial.ts";

const scratch = openScratch();
afterAll(() => scratch.remove());

const MINUTES = ["--interval", "1m", "--timezone", "UTC"];
const GOLD = ["--symbol", "GC", ...MINUTES];
/** The files are gold's; in another series their prices are scaled. */
const COPPER = ["--symbol", "HG", ...MINUTES, "--scale", "0.001"];
const redisUrl = process.env.TEST_REDIS_URL;
if (!redisUrl) console.info("imports do not tell Redis here: TEST_REDIS_URL is not set");
if (!testServerUrl) console.info("imports into PostgreSQL do not run: TEST_DATABASE_URL is not set");

let folders = 0;
const newFolder = (): string => {
  folders += 1;
  return join(scratch.folder, `data-${folders}`);
};

const inStore = async <T>(dataDir: string, look: (store: Store) => Promise<T>): Promise<T> => {
  const store = await openStore({ dataDir });
  try {
    return await look(store);
  } finally {
    await store.close();
  }
};

/** Minutes without a gap from the start of 2020. */
const manyMinutes = (count: number): string => {
  const rows = Array.from({ length: count }, (_, index) => {
    const time = new Date(Date.UTC(2020, 0, 1) + index * 60_000).toISOString().slice(0, 19).replace("T", " ");
    const open = 150_000 + ((index * 7_919) % 997);
    return `${time},${open / 100},${(open + 90) / 100},${(open - 80) / 100},${(open + (index % 50)) / 100},${1 + (index % 400)}`;
  });
  return `time,Open,High,Low,Close,Volume\n${rows.join("\n")}\n`;
};

/** Of the same time as the first of them, from another source. */
const FIRST_MINUTE: BarRow = {
  symbol: "GC",
  interval: "1m",
  barStartMs: Date.UTC(2020, 0, 1),
  sourceId: "composed",
  isClosed: true,
  open: "10",
  high: "20",
  low: "5",
  close: "15",
  volume: null,
};

const IS_DEEP = process.env.TEST_DEPTH === "deep";
/** Rows that take long enough to be interrupted. */
const LONG_MINUTES = IS_DEEP ? 200_000 : 60_000;
const LONGER_MINUTES = IS_DEEP ? 200_000 : 120_000;
const LONGEST_MINUTES = IS_DEEP ? 1_000_000 : 300_000;
const longFile = (): string => scratch.write("long.csv", manyMinutes(LONG_MINUTES));

/** Most runs share one store; each has its own series. */
let shared: string;
beforeAll(() => {
  shared = newFolder();
});

// Processes that create and open databases, on a machine of any speed.
describe("assay import", { timeout: 180_000 }, () => {
  it("loads a file into the folder of DATA_DIR: a line on stdout, its steps on stderr, exit 0", async () => {
    const dataDir = shared;
    const path = fixture("metatrader-5.csv");
    const first = await startCommand([...GOLD, path], { DATA_DIR: dataDir }).ended;
    expect(first).toMatchObject({ code: 0, stderr: `checking ${path}\nwriting ${path}\n` });
    expect(first.stdout).toMatch(
      /metatrader-5\.csv: 5 rows, 2025-05-15T07:35Z to 2025-05-15T07:39Z, written 1m 5, 5m 1, 15m 1, 30m 1, 1h 1, 2h 1, 4h 1, 1d 1, \d+\.\d s \(metatrader, times in UTC\)\n {2}closed-hour bars: 0; holes: 0; partial bars: first 15m 30m 1h 2h 4h 1d, last 15m 30m 1h 2h 4h 1d\n$/,
    );
    const again = await startCommand([...GOLD, "--timezone", "-05:00", path], { DATA_DIR: dataDir }).ended;
    expect(again).toMatchObject({ code: 0, stderr: "" });
    expect(again.stdout).toMatch(/skipped, its 5 rows were imported at .*; --force imports them again\n$/);
    const days = await inStore(dataDir, (store) => seriesOf(store, "GC", "1d"));
    expect(days).toMatchObject([{ open: "3145.50", high: "3146.64", low: "3143.90", close: "3144.12", volume: "525" }]);
  });

  it("finishes an import that kill -9 cut off", async () => {
    const path = longFile();
    const dataDir = newFolder();
    const cut = startCommand([...GOLD, path], { DATA_DIR: dataDir });
    await cut.heard(/writing .*: \d0%\n/);
    cut.kill("SIGKILL");
    expect((await cut.ended).code).toBeNull();
    const rows = await inStore(dataDir, async (store) => (await seriesOf(store, "GC", "1m")).length);
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThan(LONG_MINUTES);

    const whole = await startCommand([...GOLD, path], { DATA_DIR: dataDir }).ended;
    expect(whole).toMatchObject({ code: 0 });
    expect(whole.stdout).toContain(
      IS_DEEP
        ? "200000 rows, 2020-01-01T00:00Z to 2020-05-18T21:19Z, written 1m 200000, 5m 40000, "
        : "60000 rows, 2020-01-01T00:00Z to 2020-02-11T15:59Z, written 1m 60000, 5m 12000, ",
    );
    await inStore(dataDir, async (store) => {
      const minutes = await seriesOf(store, "GC", "1m");
      expect(minutes).toHaveLength(LONG_MINUTES);
      expect(minutes[34_567]).toMatchObject({ barStartMs: Date.UTC(2020, 0, 1) + 34_567 * 60_000, volume: "168" });
      const days = await seriesOf(store, "GC", "1d");
      expect(days).toHaveLength(IS_DEEP ? 139 : 42);
      const volume = minutes.reduce((sum, bar) => sum + Number(bar.volume), 0);
      expect(days.reduce((sum, bar) => sum + Number(bar.volume), 0)).toBe(volume);
    });
  });

  it.each([
    ["checking", "SIGINT"],
    ["writing", "SIGTERM"],
  ] as const)("shuts down cleanly while it is %s on %s", async (step, signal) => {
    // Checking takes seconds on any machine: a run that ends by itself was not interrupted.
    const path = scratch.write("longer.csv", manyMinutes(LONGEST_MINUTES));
    const run = startCommand([...COPPER, path], { DATA_DIR: shared });
    await run.heard(new RegExp(`${step} .*: \\d0%\n`));
    run.kill(signal);
    const { code, stderr, stdout } = await run.ended;
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/\nstopped; run the import again to finish\n$/);
  });

  it("says so when a running server holds the embedded database", async () => {
    const dataDir = newFolder();
    const { code, stderr } = await inStore(
      dataDir,
      () => startCommand([...GOLD, fixture("assay.csv")], { DATA_DIR: dataDir }).ended,
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(
      new RegExp(
        `^the embedded database is in use by process ${process.pid} \\(since .*\\); it serves one process at a time, ` +
          "and takes no commands at .*assay.sock: try again if it is starting or ending, else stop it first, or import into PostgreSQL\n$",
      ),
    );
  });

  it.each([
    [["--interval", "1m", "x.csv"], /^error: required option '--symbol <symbol>' not specified\n$/],
    [[...GOLD, "absent.csv"], /^absent.csv: no such file\n$/],
    [
      ["--symbol", "GC", "--interval", "1m", fixture("kaggle.csv")],
      /kaggle\.csv: its times have no time zone, .*; pass --timezone: America\/New_York\+07:00 .*\n$/,
    ],
  ])("refuses %j in one line, before a store is opened", async (args, message) => {
    const dataDir = newFolder();
    const { code, stderr, stdout } = await startCommand(args, { DATA_DIR: dataDir }).ended;
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(message);
    expect(existsSync(dataDir)).toBe(false);
  });

  it("refuses a wrong setting and an unreachable server in one line", async () => {
    const wrong = await startCommand([...GOLD, fixture("assay.csv")], { DATABASE_URL: "mysql://localhost/x" }).ended;
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toMatch(/^DATABASE_URL is "mysql:.*\n$/);
    const absent = await startCommand([...GOLD, fixture("assay.csv")], { DATABASE_URL: "postgres://nobody:secret@127.0.0.1:1/x" })
      .ended;
    expect(absent.code).toBe(1);
    expect(absent.stderr).toMatch(/^the database does not answer: .*\n$/);
    expect(absent.stderr).not.toContain("secret");
  });

  it.skipIf(!testServerUrl)(
    "loads into PostgreSQL, and says that running servers cannot be notified without Redis",
    { meta: { needs: "TEST_DATABASE_URL is not set" } },
    async () => {
      const database = await createTestDatabase(testServerUrl ?? "");
      try {
        const { code, stderr } = await startCommand([...GOLD, fixture("assay.csv")], { DATABASE_URL: database.url }).ended;
        expect(code).toBe(0);
        expect(stderr).toContain("REDIS_URL is not set: running servers show the bars only after a restart\n");
        const store = await openStore({ databaseUrl: database.url });
        expect(await seriesOf(store, "GC", "1m")).toHaveLength(5);
        await store.close();
      } finally {
        await database.drop();
      }
    },
  );

  it.skipIf(!testServerUrl).each([
    ["while a file is checked and copied into free days", /checking .*: \d0%\n/, []],
    ["while a file is written over days that hold bars", /writing .*: \d0%\n/, [FIRST_MINUTE]],
  ] as const)(
    "finishes an import into PostgreSQL that kill -9 cut off %s",
    { meta: { needs: "TEST_DATABASE_URL is not set" } },
    async (_when, moment, standing) => {
      const path = scratch.write("longer.csv", manyMinutes(LONGER_MINUTES));
      const [cutOff, whole] = [await createTestDatabase(testServerUrl ?? ""), await createTestDatabase(testServerUrl ?? "")];
      const inDatabase = async <T>(url: string, look: (store: Store) => Promise<T>): Promise<T> => {
        const store = await openStore({ databaseUrl: url });
        return look(store).finally(() => store.close());
      };
      const everyBar = (store: Store) =>
        store.run((db) =>
          db.execute(
            // A sum of hashes needs no sorting: the store allows a statement five seconds, also on a busy machine.
            "select interval, count(*)::integer as bars, sum(hashtextextended(row(bar_start, open, high, low, close, volume, is_closed, source_id)::text, 0)) as digest from bars group by 1",
          ),
        );
      try {
        for (const { url } of [cutOff, whole]) await inDatabase(url, (store) => upsertBars(store, standing));
        const cut = startCommand([...GOLD, path], { DATABASE_URL: cutOff.url });
        await cut.heard(moment);
        cut.kill("SIGKILL");
        expect((await cut.ended).code).toBeNull();
        await inDatabase(cutOff.url, async (store) => {
          const days = await seriesOf(store, "GC", "1d");
          const minutes = await seriesOf(store, "GC", "1m");
          if (standing.length === 0) expect([days, minutes]).toEqual([[], []]);
          else expect(minutes.length).toBeLessThan(LONGER_MINUTES);
          expect(await store.run((db) => db.execute("select 1 from imports"))).toHaveLength(0);
        });

        const [finished, reference] = await Promise.all(
          [cutOff, whole].map(({ url }) => startCommand([...GOLD, path], { DATABASE_URL: url }).ended),
        );
        expect([finished?.code, reference?.code]).toEqual([0, 0]);
        const bars = await inDatabase(cutOff.url, everyBar);
        expect(bars).toHaveLength(8);
        expect(bars).toEqual(await inDatabase(whole.url, everyBar));
      } finally {
        await cutOff.drop();
        await whole.drop();
      }
    },
  );

  it.skipIf(!redisUrl)(
    "notifies running servers that the series was replaced, and is not done until it has",
    { meta: { needs: "TEST_REDIS_URL is not set" } },
    async () => {
      const silent = { DATA_DIR: shared, REDIS_URL: "redis://127.0.0.1:1" };
      const untold = await startCommand([...COPPER, fixture("assay.csv")], silent).ended;
      expect(untold.code).toBe(1);
      expect(untold.stderr).toMatch(
        /\nthe bars are written, but Redis \(REDIS_URL\) does not respond, .*; run the import again\n$/,
      );

      // A separate Redis database, because the command uses the default prefix.
      const url = new URL(redisUrl ?? "");
      url.pathname = "/13";
      const live = await openLive({ redisUrl: url.href, clock: () => 0 });
      const published: MarketEvent[] = [];
      await live.bus.subscribe((event) => void published.push(event));
      const { code } = await startCommand([...COPPER, fixture("assay.csv")], { DATA_DIR: shared, REDIS_URL: url.href }).ended;
      expect(code).toBe(0);
      await expect.poll(() => published).toEqual([{ kind: "bars-replaced", symbol: "HG" }]);
      await live.close();
    },
  );
});
