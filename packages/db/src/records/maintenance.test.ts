/** Retention, on every engine. */
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findAnswer, IDEMPOTENCY_TTL_MS } from "../accounts/idempotency.ts";
import { readFxTables } from "../market/fx-tables.ts";
import { writeMoment } from "../market/moment.ts";
import { readRateSets } from "../market/rate-sets.ts";
import { readLastSeqs, readTicksSince } from "../market/ticks.ts";
import { idempotencyKeys } from "../schema/accounts.ts";
import { rowsOf, type Store } from "../store.ts";
import { emptyTables, testEngines } from "../testing/engines.ts";
import { fxTable, NOON_MS, rateSet, tick } from "../testing/rows.ts";
import { analyze, LIVE_RETENTION_MS, prune } from "./maintenance.ts";

const WRITER = { token: 1, holder: "writer" };

describe.each(testEngines)("retention on $name", (engine) => {
  let store: Store;
  beforeAll(async () => {
    store = await engine.open();
  });
  beforeEach(async () => {
    await emptyTables(store);
  });
  afterAll(() => store.close());

  test("drops ticks older than an hour except the newest of each instrument before that", async () => {
    const aged = (seq: number, ageMs: number) => tick(seq, { computedAtMs: NOON_MS - ageMs });
    const silent = tick(40, { instrument: "GLD", computedAtMs: NOON_MS - 3 * 86_400_000 });
    const ticks = [
      aged(1, LIVE_RETENTION_MS + 3),
      aged(2, LIVE_RETENTION_MS + 2),
      aged(3, LIVE_RETENTION_MS + 1),
      aged(4, LIVE_RETENTION_MS),
      aged(5, 0),
    ];
    await writeMoment(store, WRITER, { ticks: [...ticks, silent], bars: [], fx: [] });
    await prune(store, NOON_MS);
    expect(await readTicksSince(store, 0)).toEqual([silent, ...ticks.slice(2)]);
    expect(await readLastSeqs(store)).toEqual(
      new Map([
        ["GLD", 40],
        ["XAU-USD-SPOT", 5],
      ]),
    );
  });

  test("keeps ticks for as long as it is set to", async () => {
    const aged = (seq: number, ageMs: number) => tick(seq, { computedAtMs: NOON_MS - ageMs });
    const dayMs = 86_400_000;
    const ticks = [aged(1, dayMs + 2), aged(2, dayMs + 1), aged(3, 2 * LIVE_RETENTION_MS), aged(4, 0)];
    await writeMoment(store, WRITER, { ticks, bars: [], fx: [] });
    await prune(store, NOON_MS, dayMs);
    expect(await readTicksSince(store, 0)).toEqual(ticks.slice(1));
    await prune(store, NOON_MS);
    expect(await readTicksSince(store, 0)).toEqual(ticks.slice(2));
  });

  test("answers a reading as of any instant of the last hour the same before and after", async () => {
    const ticks = Array.from({ length: 50 }, (_, index) => tick(index + 1, { computedAtMs: NOON_MS - index * 143_000 }));
    await writeMoment(store, WRITER, { ticks, bars: [], fx: [] });
    const instants = [0, 1, 143_000, 1_000_000, LIVE_RETENTION_MS].map((ageMs) => NOON_MS - ageMs);
    const before = await Promise.all(instants.map((instant) => readTicksSince(store, instant)));
    await prune(store, NOON_MS);
    expect(await Promise.all(instants.map((instant) => readTicksSince(store, instant)))).toEqual(before);
  });

  test("drops live rates older than an hour except the newest before that, and keeps every daily reference", async () => {
    const live = (ageMs: number) => fxTable({ observedAtMs: NOON_MS - ageMs });
    const reference = (days: number) => fxTable({ source: "ecb", role: "reference", observedAtMs: NOON_MS - days * 86_400_000 });
    const tables = [reference(400), reference(1), live(LIVE_RETENTION_MS + 2), live(LIVE_RETENTION_MS + 1), live(5)];
    await writeMoment(store, WRITER, { ticks: [], bars: [], fx: tables });
    await prune(store, NOON_MS);
    const kept = [0, NOON_MS - 300 * 86_400_000].map((sinceMs) => readFxTables(store, sinceMs));
    expect(await Promise.all(kept)).toEqual([
      [tables[0], tables[1], tables[3], tables[4]],
      [tables[1], tables[3], tables[4]],
    ]);
  });

  test("drops rates that no tick is left of, and keeps those that stood at the beginning of the hour", async () => {
    const rateSets = [4, 3, 2, 1].map((hoursAgo, index) => rateSet(index + 1, NOON_MS - hoursAgo * LIVE_RETENTION_MS - 1));
    const silent = tick(40, { instrument: "GLD", computedAtMs: NOON_MS - 4 * LIVE_RETENTION_MS, rateSet: 1 });
    const ticks = [silent, tick(1, { computedAtMs: NOON_MS - 30 * 60_000, rateSet: 4 })];
    await writeMoment(store, WRITER, { ticks, bars: [], fx: [], rateSets });
    await prune(store, NOON_MS);
    expect((await readRateSets(store, [1, 2, 3, 4])).map(({ id }) => id)).toEqual([1, 4]);
    const opens = { price: "1", atMs: NOON_MS, rateSet: 2 };
    const dayPairs = [{ instrument: "GLD" as const, day: "2026-11-20", opens, before: { ...opens, rateSet: 3 } }];
    await writeMoment(store, WRITER, { ticks: [], bars: [], fx: [], rateSets: rateSets.slice(1, 3), dayPairs });
    await prune(store, NOON_MS);
    expect(
      (await readRateSets(store, [1, 2, 3, 4])).map(({ id }) => id),
      "those a day began with",
    ).toEqual([1, 2, 3, 4]);
    await prune(store, NOON_MS + 9 * 86_400_000);
    expect((await readRateSets(store, [2, 3])).map(({ id }) => id)).toEqual([]);
  });

  test("drops idempotent answers after 24 hours", async () => {
    const answer = { bodyDigest: "digest", sealed: new Uint8Array([1, 2, 3]) };
    await store.run((db) =>
      db.insert(idempotencyKeys).values([
        { ...answer, scopeHash: "old", createdAtMs: NOON_MS - IDEMPOTENCY_TTL_MS },
        { ...answer, scopeHash: "young", createdAtMs: NOON_MS - IDEMPOTENCY_TTL_MS + 1 },
      ]),
    );
    await prune(store, NOON_MS);
    const earlierMs = NOON_MS - IDEMPOTENCY_TTL_MS;
    expect(await findAnswer(store, "old", earlierMs)).toBeNull();
    expect(await findAnswer(store, "young", earlierMs)).not.toBeNull();
  });

  // A server has its own checkpointer.
  if (engine.name === "PGlite")
    test("restarts the log after a bulk load and at every pruning", async () => {
      const checkpointAt = async () => {
        const [row] = await store.run((db) =>
          rowsOf<{ at: string }>(db, sql`select redo_lsn::text as at from pg_control_checkpoint()`),
        );
        return row?.at;
      };
      const seen = new Set([await checkpointAt()]);
      for (const maintain of [() => analyze(store), () => prune(store, NOON_MS)]) {
        await writeMoment(store, WRITER, { ticks: [tick(seen.size)], bars: [], fx: [] });
        await maintain();
        seen.add(await checkpointAt());
      }
      expect(seen.size).toBe(3);
    });

  test("has nothing to do on an empty store", async () => {
    await prune(store, NOON_MS);
    await analyze(store);
    expect(await readTicksSince(store, 0)).toEqual([]);
  });
});
