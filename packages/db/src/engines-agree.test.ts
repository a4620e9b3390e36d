/** PGlite against PostgreSQL: the same calls have the same outcomes and leave the same rows. */
import { CURRENCIES } from "@assay/contract";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as db from "./index.ts";
import type { Store } from "./store.ts";
import { emptyTables, testEngines } from "./testing/engines.ts";
import { barRow, fxTable, NOON_MS, newKey, tick } from "./testing/rows.ts";

type Call = (store: Store) => Promise<unknown>;

const price = fc
  .tuple(fc.integer({ min: 0, max: 9_999 }), fc.stringMatching(/^[0-9]{0,8}$/))
  .map(([whole, part]) => (part ? `${whole}.${part}` : `${whole}`));
const offsetMs = fc.integer({ min: -5, max: 5 }).map((minutes) => minutes * 60_000);
const instantMs = fc.integer({ min: -7_200_000, max: 7_200_000 }).map((ms) => NOON_MS + ms);
const writer = fc.record({ token: fc.integer({ min: 1, max: 4 }), holder: fc.constantFrom("a", "b") });
const name = fc.constantFrom("k1", "k2", "k3", "k4", "k5");

const bar = fc
  .record({
    symbol: fc.constantFrom("GC", "gc", "XAU-USD-SPOT"),
    interval: fc.constantFrom("1m", "1d"),
    offset: offsetMs,
    open: price,
    high: price,
    low: price,
    close: fc.oneof({ weight: 20, arbitrary: price }, { weight: 1, arbitrary: fc.constant("no number") }),
    volume: fc.option(price),
    isClosed: fc.boolean(),
    sourceId: fc.constantFrom("composed", "import ü{}"),
  })
  .map(({ offset, ...rest }) => barRow({ barStartMs: NOON_MS + offset, ...rest } as Parameters<typeof barRow>[0])); // literal intervals
const bars = fc.array(bar, { maxLength: 12 });

/**
 * For a write with two faults, a stale token and an invalid figure, each engine reports the one its plan reaches first. Rows with
 * an invalid figure therefore use a token that always passes; since their statement fails, it never raises the fence.
 */
const writerOf = (who: { token: number; holder: string }, rows: readonly { readonly close: string }[]) =>
  rows.some(({ close }) => close === "no number") ? { token: 9, holder: "a" } : who;

const published = fc
  .record({
    seq: fc.integer({ min: 1, max: 12 }),
    computedAtMs: instantMs,
    price,
    instrument: fc.constantFrom("GLD" as const, "XAU-USD-SPOT" as const),
  })
  .map(({ seq, ...rest }) => tick(seq, rest));
const rates = fc
  .record({
    source: fc.constantFrom("ecb", "live"),
    role: fc.constantFrom("live" as const, "reference" as const),
    observedAtMs: instantMs,
    rates: fc.dictionary(fc.constantFrom(...CURRENCIES), price, { noNullPrototype: true }),
  })
  .map(fxTable);

const rotation = fc.record({ caller: name, minted: name, scope: fc.constantFrom("s1", "s2", null), atMs: instantMs }).map(
  ({ caller, minted, scope, atMs }): Call =>
    (store) =>
      db.rotateKey(store, {
        callerKeyId: caller,
        newKey: newKey(minted, { createdAtMs: atMs }),
        graceUntilMs: atMs + 3_600_000,
        mostKeys: 3,
        ...(scope && {
          idempotency: { scopeHash: scope, bodyDigest: minted, seal: () => Buffer.from(minted) },
        }),
      }),
);

const call: fc.Arbitrary<Call> = fc.oneof(
  bars.map(
    (rows): Call =>
      (store) =>
        db.upsertBars(store, rows),
  ),
  fc.tuple(writer, bars).map(
    ([who, rows]): Call =>
      (store) =>
        db.upsertBars(store, rows, { writer: writerOf(who, rows) }),
  ),
  fc.tuple(writer, fc.array(published, { maxLength: 3 }), bars, fc.array(rates, { maxLength: 3 })).map(
    ([who, ticks, rows, fx]): Call =>
      (store) =>
        db.writeMoment(store, writerOf(who, rows), { ticks, bars: rows, fx }),
  ),
  writer.map(
    (who): Call =>
      (store) =>
        db.claimFence(store, who.token, who.holder),
  ),
  instantMs.map(
    (atMs): Call =>
      (store) =>
        db.prune(store, atMs),
  ),
  name.map(
    (id): Call =>
      (store) =>
        db.insertKey(store, newKey(id)),
  ),
  rotation,
  fc.tuple(name, instantMs).map(
    ([id, atMs]): Call =>
      (store) =>
        db.revokeKey(store, { id, orgId: "org", atMs }),
  ),
  fc.array(fc.tuple(name, instantMs)).map(
    (uses): Call =>
      (store) =>
        db.touchKeys(
          store,
          uses.map(([keyId, usedAtMs]) => ({ keyId, usedAtMs })),
        ),
  ),
  fc
    .array(fc.record({ orgId: fc.constantFrom("org", "o2"), day: fc.constantFrom("2026-11-01", "2026-11-20"), calls: fc.nat(9) }))
    .map(
      (deltas): Call =>
        (store) =>
          db.addUsage(store, deltas),
    ),
);

const view = async (store: Store) => ({
  series: await db.readSeriesSources(store),
  bars: await db.readBars(store, { symbol: "GC", interval: "1m", fromMs: 0, toMs: 4e12, limit: 1_000 }),
  encoded: await db
    .readEncodedBars(store, "GC", "1m")
    .then(({ bytes, startsMs, lengths }) => [Buffer.from(bytes).toString(), [...startsMs], [...lengths]]),
  ticks: await db.readTicksSince(store, NOON_MS),
  seqs: [...(await db.readLastSeqs(store))].toSorted(),
  fx: await db.readFxTables(store, NOON_MS),
  fence: await db.readFenceToken(store),
  keys: await db.listKeys(store),
  usage: await db.readUsage(store, "org", "2026-11-20"),
  days: await db.readEarlierDays(store, "org", "2026-11-20"),
  answer: await db
    .findAnswer(store, "s1", NOON_MS)
    .then((answer) => answer && { ...answer, sealed: Buffer.from(answer.sealed).toString() }),
});

const outcome = (store: Store, each: Call) =>
  each(store).then(
    (value) => JSON.stringify(value) ?? "done",
    (error: Error & { code?: string }) => `${error.name} ${error.code ?? ""} ${error.message}`,
  );

describe.runIf(testEngines.length > 1)("PGlite and PostgreSQL", { meta: { needs: "TEST_DATABASE_URL is not set" } }, () => {
  let stores: Store[];
  beforeAll(async () => {
    stores = await Promise.all(testEngines.map((engine) => engine.open()));
  });
  afterAll(() => Promise.all(stores.map((store) => store.close())));

  test("agree on the outcome of any calls and on what can be read after them", { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 15 }), async (calls) => {
        for (const store of stores) {
          await emptyTables(store);
          await db.createOrganisation(store, { id: "org", name: "Goldsmiths", tier: "pro", createdAtMs: NOON_MS });
        }
        for (const each of calls) {
          const [first, ...others] = await Promise.all(stores.map((store) => outcome(store, each)));
          for (const other of others) expect(other).toBe(first);
        }
        const [first, ...others] = await Promise.all(stores.map(view));
        for (const other of others) expect(other).toEqual(first);
      }),
      { numRuns: 40 },
    );
    // Every run empties every table of both engines; a server with a busy disk needs time for that.
  });
});
