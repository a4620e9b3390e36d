/** The embedded database on a folder, between real processes that are killed at critical moments. */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readBars } from "../bars/read.ts";
import { upsertBars } from "../bars/write.ts";
import { StoreHeldError, StoreMissingError, StoreTooNewError, StoreUnavailableError } from "../errors.ts";
import { readLastSeqs, readTicksSince } from "../market/ticks.ts";
import { openStore } from "../open.ts";
import { claimFence, readFenceToken } from "../statements/fence.ts";
import { rowsOf } from "../store.ts";
import { endChildren, PROCESS_TIMEOUT_MS, runChild } from "../testing/child.ts";
import { barRow, minutes, NOON_MS, tick } from "../testing/rows.ts";

const now = () => NOON_MS;

/** Within a file of the write-ahead log (2 048 blocks), which is the largest file of a new database. */
const DISK_BLOCKS = 1_900;

describe("the embedded database", { timeout: PROCESS_TIMEOUT_MS }, () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "assay-data-"));
  });
  afterEach(async () => {
    await endChildren();
    await rm(dataDir, { recursive: true });
  });

  const text = () => JSON.stringify(dataDir);

  test("keeps what was written over a restart, and runs its migrations again without harm", async () => {
    const first = await openStore({ dataDir }, { now });
    await claimFence(first, 5, "writer");
    await upsertBars(first, minutes(3));
    await first.close();
    const second = await openStore({ dataDir }, { now });
    expect(await readFenceToken(second)).toBe(5);
    expect(await readBars(second, { symbol: "XAU-USD-SPOT", interval: "1m", fromMs: 0, toMs: 4e12, limit: 9 })).toHaveLength(3);
    await second.close();
    await second.close();
  });

  test("opens for a build that has the least migration it asks for, and refuses an earlier one with a word", async () => {
    const first = await openStore({ dataDir }, { now });
    const [kept] = await first.run((db) =>
      rowsOf<{ text: string }>(db, sql`select obj_description('drizzle.__drizzle_migrations'::regclass) as text`),
    );
    expect(kept?.text).toMatch(/^least migration of a build that may open this: \d{13}$/);
    const later =
      "comment on table drizzle.__drizzle_migrations is 'least migration of a build that may open this: 9796774400000'";
    await first.run((db) => db.execute(later));
    await first.close();
    await expect(openStore({ dataDir }, { now })).rejects.toThrow(StoreTooNewError);
    await expect(openStore({ dataDir }, { now })).rejects.toThrow(/a later release, .* restore a backup$/);
  });

  test("can be read by its owner only", async () => {
    await (await openStore({ dataDir }, { now })).close();
    expect((await stat(join(dataDir, "db"))).mode & 0o077).toBe(0);
  });

  test("refuses a second opener and names the process that holds it", async () => {
    const child = runChild(`await db.openStore({ dataDir: ${text()} }); console.log("open"); await forever();`);
    expect(await child.line()).toBe("open");
    const failure: unknown = await openStore({ dataDir }, { now }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StoreHeldError);
    expect(String(failure)).toContain(`process ${child.pid} `);
    child.signal("SIGKILL");
    await child.ended();
    await (await openStore({ dataDir }, { now })).close();
  });

  test("opens for exactly one of the processes that start together on a new folder", async () => {
    const body = `
      const answer = await db.openStore({ dataDir: ${text()} }).then(() => "open", (error) => error.name);
      console.log(answer);
      await forever();`;
    const children = [runChild(body), runChild(body), runChild(body)];
    const answers = await Promise.all(children.map((child) => child.line()));
    for (const child of children) child.signal("SIGKILL");
    await Promise.all(children.map((child) => child.ended()));
    expect(answers.toSorted()).toEqual(["StoreHeldError", "StoreHeldError", "open"]);
  });

  test("keeps every acknowledged moment, and none in part, when its process is killed while writing", async () => {
    const shape = { tick: tick(0), bar: barRow({ isClosed: false }) };
    const child = runChild(`
      const store = await db.openStore({ dataDir: ${text()} });
      const { tick, bar } = ${JSON.stringify(shape)};
      for (let seq = 1; ; seq += 1) {
        const moment = { ticks: [{ ...tick, seq }], bars: [{ ...bar, close: String(seq) }], fx: [] };
        await db.writeMoment(store, { token: 1, holder: "writer" }, moment);
        console.log(seq);
      }`);
    let acknowledged = 0;
    while (acknowledged < 100) acknowledged = Number(await child.line());
    child.signal("SIGKILL");
    for (let line = await child.line(); line !== null; line = await child.line()) acknowledged = Number(line);
    await child.ended();

    const store = await openStore({ dataDir }, { now });
    const last = (await readLastSeqs(store)).get("XAU-USD-SPOT") ?? 0;
    expect(last).toBeGreaterThanOrEqual(acknowledged);
    expect((await readTicksSince(store, 0)).map((each) => each.seq)).toEqual(
      Array.from({ length: last }, (_, index) => index + 1),
    );
    const [bar] = await readBars(store, { symbol: "XAU-USD-SPOT", interval: "1m", fromMs: 0, toMs: 4e12, limit: 1 });
    expect(bar?.close).toBe(String(last));
    await store.close();
  });

  test("ends at once on a full disk, says so, and keeps every acknowledged moment, and none in part", async () => {
    const made = await openStore({ dataDir }, { now });
    // So that all of a file is left.
    await made.run((db) => db.execute("select pg_switch_wal()"));
    await made.close();
    const child = runChild(
      `
      const store = await db.openStore({ dataDir: ${text()} }, { onEnd: (error) => console.log("ended with", error.name, error.message) });
      const { tick, bar } = ${JSON.stringify({ tick: tick(0), bar: barRow({ isClosed: false }) })};
      const ticks = (seq) => Array.from({ length: 5 }, (_, at) => ({ ...tick, seq: seq * 5 + at + 1 }));
      // Changed again and again, they fill the log and not their table.
      const bars = (seq) => Array.from({ length: 60 }, (_, at) => ({ ...bar, barStartMs: bar.barStartMs - at * 60_000, close: String(seq + 1) }));
      try {
        for (let seq = 0; ; seq += 1) {
          await db.writeMoment(store, { token: 1, holder: "writer" }, { ticks: ticks(seq), bars: bars(seq), fx: [] });
          console.log(seq + 1);
        }
      } catch (error) {
        console.log("failed", error.name);
      }
      console.log("then", await db.readFenceToken(store).catch((error) => error.name));
      await store.close();
      console.log("closed");`,
      DISK_BLOCKS,
    );
    let acknowledged = 0;
    let line = await child.line();
    for (; /^\d+$/.test(line ?? ""); line = await child.line()) acknowledged = Number(line);
    expect(line).toMatch(/^ended with StoreUnavailableError .*could not write to .*: File too large$/);
    expect(await child.line()).toBe("failed StoreUnavailableError");
    expect(await child.line()).toBe("then StoreUnavailableError");
    expect(await child.line()).toBe("closed");
    // A timer of the engine's would keep it for ten seconds.
    child.signal("SIGKILL");
    await child.ended();
    expect(acknowledged).toBeGreaterThan(0);

    const store = await openStore({ dataDir }, { now });
    // The last one may have been stored without an answer.
    const moments = ((await readLastSeqs(store)).get("XAU-USD-SPOT") ?? 0) / 5;
    expect([acknowledged, acknowledged + 1]).toContain(moments);
    const bars = await readBars(store, { symbol: "XAU-USD-SPOT", interval: "1m", fromMs: 0, toMs: 4e12, limit: 99 });
    expect(bars.map(({ close }) => close)).toEqual(Array.from({ length: 60 }, () => String(moments)));
    await store.close();
  });

  test("is not created where it must exist, nor from a first start that was killed half-way", async () => {
    const folder = join(dataDir, "wrong");
    await expect(openStore({ dataDir: folder }, { mustExist: true })).rejects.toThrow(StoreMissingError);
    expect(existsSync(folder)).toBe(false);
    await mkdir(join(folder, "db"), { recursive: true });
    await writeFile(join(folder, "db.unfinished"), "");
    await expect(openStore({ dataDir: folder }, { mustExist: true })).rejects.toThrow(StoreMissingError);
    await (await openStore({ dataDir: folder }, { now })).close();
    await (await openStore({ dataDir: folder }, { mustExist: true })).close();
  });

  test("starts over after a first start that was killed half-way", async () => {
    const child = runChild(`await db.openStore({ dataDir: ${text()} }); console.log("open");`);
    while (!existsSync(join(dataDir, "db", "base"))) await pause(1);
    child.signal("SIGKILL");
    await child.ended();
    expect(existsSync(join(dataDir, "db.unfinished"))).toBe(true);
    const store = await openStore({ dataDir }, { now });
    await upsertBars(store, minutes(3));
    await store.close();
    expect(existsSync(join(dataDir, "db.unfinished"))).toBe(false);
  });

  test("reports a disk that fills up during a first start as a fault of the folder, and starts over where there is room", async () => {
    const child = runChild(
      `await db.openStore({ dataDir: ${text()} }).catch((error) => console.log(error.name, error.message));`,
      DISK_BLOCKS,
    );
    expect(await child.line()).toMatch(/^StoreFolderError EFBIG: file too large/);
    await child.ended();
    await (await openStore({ dataDir }, { now })).close();
  });

  test("is unlocked when opening failed, and keeps a database it cannot read", async () => {
    await writeFile(join(dataDir, "db"), "not a folder");
    await expect(openStore({ dataDir }, { now })).rejects.toThrow();
    expect(existsSync(join(dataDir, "db"))).toBe(true);
    await rm(join(dataDir, "db"));
    await (await openStore({ dataDir }, { now })).close();
  });

  test("is unavailable once it is closed", async () => {
    const store = await openStore({ temporary: true });
    expect(store.description).toMatch(/^embedded PostgreSQL \d+/);
    await store.ping();
    await store.close();
    await expect(store.ping()).rejects.toThrow(StoreUnavailableError);
    await expect(readFenceToken(store)).rejects.toThrow(StoreUnavailableError);
    await expect(claimFence(store, 1, "late")).rejects.toThrow(StoreUnavailableError);
  });
});
