/** The PostgreSQL engine: simultaneous starts, and a server that goes away. */
import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { inspect } from "node:util";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readBars } from "../bars/read.ts";
import { StoreTooNewError, StoreUnavailableError } from "../errors.ts";
import { readFxTables } from "../market/fx-tables.ts";
import { writeMoment } from "../market/moment.ts";
import { readLastSeqs } from "../market/ticks.ts";
import { openStore } from "../open.ts";
import { claimFence, readFenceToken } from "../statements/fence.ts";
import { rowsOf, type Store } from "../store.ts";
import { createTestDatabase, type TestDatabase, testServerUrl } from "../testing/engines.ts";
import { fxTable, minutes, tick } from "../testing/rows.ts";

/** What is stored, read until it no longer changes: the server may still finish a statement whose connection was lost. */
const readWhole = async (store: Store) => {
  const readSeq = async () => (await readLastSeqs(store)).get("XAU-USD-SPOT") ?? 0;
  for (;;) {
    const seq = await readSeq();
    const bars = await readBars(store, { symbol: "XAU-USD-SPOT", interval: "1m", fromMs: 0, toMs: 4e12, limit: 2_000 });
    const rates = (await readFxTables(store, 0)).map((table) => table.rates);
    if ((await readSeq()) === seq) return { seq, closes: new Set(bars.map((bar) => bar.close)), rates };
  }
};

/** A proxy between a store and its server. */
const openGate = async (target: URL) => {
  const sockets = new Set<Socket>();
  let isMute = false;
  const server: Server = createServer((near) => {
    const far = connect(Number(target.port || 5432), target.hostname);
    for (const socket of [near, far]) sockets.add(socket.on("error", () => {}));
    near.on("data", (data) => isMute || far.write(data)).on("close", () => far.destroy());
    far.on("data", (data) => near.write(data)).on("close", () => near.destroy());
  });
  const listen = (port: number) => new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  await listen(0);
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const url = new URL(target);
  url.host = `127.0.0.1:${port}`;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
    return new Promise<void>((done) => server.close(() => done()));
  };
  return {
    url: url.href,
    cut,
    recover: () => listen(port),
    mute: () => {
      isMute = true;
    },
  };
};

describe("an unreachable server", () => {
  test("fails to open as unavailable", async () => {
    const opening = openStore({ databaseUrl: "postgres://nobody@127.0.0.1:1/none" }, { connectTimeoutMs: 1_000 });
    await expect(opening).rejects.toThrow(StoreUnavailableError);
  });
});

describe("a malformed URL", () => {
  test("is refused without being repeated", async () => {
    const failure: unknown = await openStore({ databaseUrl: "postgres://user:hush-hush@host:port/x" }).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(TypeError);
    expect(inspect(failure)).not.toContain("hush-hush");
  });
});

describe.runIf(testServerUrl)("a PostgreSQL server", { meta: { needs: "TEST_DATABASE_URL is not set" } }, () => {
  let database: TestDatabase;
  const stores: Store[] = [];
  const open = async (url: string, answerTimeoutMs = 5_000) => {
    const store = await openStore({ databaseUrl: url }, { maxConnections: 2, answerTimeoutMs });
    stores.push(store);
    return store;
  };
  beforeEach(async () => {
    database = await createTestDatabase(testServerUrl ?? "");
  });
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
    await database.drop();
  });

  test("is migrated once by processes that start together, and again without harm", async () => {
    const [store] = await Promise.all([1, 2, 3, 4].map(() => open(database.url)));
    if (!store) throw new Error("no store");
    await claimFence(store, 3, "writer");
    const again = await open(database.url);
    expect(await readFenceToken(again)).toBe(3);
    const [applied] = await again.run((db) =>
      rowsOf<{ distinct: string; all: string }>(
        db,
        sql`select count(*)::text as all, count(distinct hash)::text as distinct from drizzle.__drizzle_migrations`,
      ),
    );
    expect(applied?.all).toBe(applied?.distinct);
  });

  test("refuses a build before the least that may open it", async () => {
    const store = await open(database.url);
    const later =
      "comment on table drizzle.__drizzle_migrations is 'least migration of a build that may open this: 9796774400000'";
    await store.run((db) => db.execute(later));
    await expect(open(database.url)).rejects.toThrow(StoreTooNewError);
  });

  test("is described by its version alone", async () => {
    const store = await open(database.url);
    expect(store.description).toMatch(/^PostgreSQL \d+(\.\d+)*$/);
  });

  test("keeps its sessions in UTC and in the form of ISO, whatever the server's own settings are", async () => {
    const name = new URL(database.url).pathname.slice(1);
    const first = await open(database.url);
    await first.run((db) => db.execute(sql.raw(`alter database ${name} set datestyle to 'German'`)));
    await first.run((db) => db.execute(sql.raw(`alter database ${name} set timezone to 'Asia/Tokyo'`)));
    const store = await open(database.url);
    const rows = await store.run((db) => rowsOf(db, sql`select '2026-11-25T12:00:00Z'::timestamptz::text as noon`));
    expect(rows).toEqual([{ noon: "2026-11-25 12:00:00+00" }]);
  });

  test("is unavailable while it is away and serves again when it is back", async () => {
    const gate = await openGate(new URL(database.url));
    const store = await open(gate.url);
    await claimFence(store, 1, "writer");
    await gate.cut();
    await expect(readFenceToken(store)).rejects.toThrow(StoreUnavailableError);
    await expect(claimFence(store, 2, "writer")).rejects.toThrow(StoreUnavailableError);
    await expect(store.ping()).rejects.toThrow(StoreUnavailableError);
    await gate.recover();
    await expect.poll(() => readFenceToken(store).catch(() => null), { timeout: 10_000 }).toBe(1);
    await gate.cut();
  });

  test("is unavailable within the set time when it neither answers nor refuses", async () => {
    const gate = await openGate(new URL(database.url));
    const store = await open(gate.url, 150);
    gate.mute();
    await expect(readFenceToken(store)).rejects.toThrow("does not answer within 150 ms");
    await expect(store.ping(100)).rejects.toThrow("does not answer within 100 ms");
    await gate.cut();
  });

  test("keeps a moment entirely or not at all when the connection dies during it, and continues", async () => {
    const gate = await openGate(new URL(database.url));
    const store = await open(gate.url);
    const bars = minutes(1_500, { isClosed: false });
    let seq = 0;
    for (let round = 0; round < 6; round += 1) {
      seq += 1;
      const close = String(seq);
      const moment = {
        ticks: [tick(seq)],
        bars: bars.map((bar) => ({ ...bar, close })),
        fx: [fxTable({ rates: { EUR: close } })],
      };
      const written = writeMoment(store, { token: 1, holder: "writer" }, moment).then(
        () => true,
        (error: unknown) => error instanceof StoreUnavailableError,
      );
      // Each round cuts a little later: before the statement is sent, while it runs, after it is done.
      await pause(round * 15);
      await gate.cut();
      expect(await written).toBe(true);
      await gate.recover();
      await expect
        .poll(
          () =>
            store.ping().then(
              () => true,
              () => false,
            ),
          { timeout: 10_000 },
        )
        .toBe(true);
      // The server may still be committing what a connection that is gone asked for.
      const others = `select 1 from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`;
      await expect.poll(() => store.run((db) => db.execute(others)), { timeout: 10_000 }).toHaveLength(0);
      const found = await readWhole(store);
      seq = found.seq;
      expect(found.closes).toEqual(new Set(seq === 0 ? [] : [String(seq)]));
      expect(found.rates).toEqual(seq === 0 ? [] : [{ EUR: String(seq) }]);
    }
    expect(seq).toBeGreaterThan(0);
    await gate.cut();
  });
});
