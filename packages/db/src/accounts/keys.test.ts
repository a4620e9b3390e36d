/** Organisations, keys and usage, on every engine. */
import { HOUR_MS } from "@assay/contract";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { StoreQueryError } from "../errors.ts";
import type { Store } from "../store.ts";
import { emptyTables, testEngines } from "../testing/engines.ts";
import { NOON_MS, newKey } from "../testing/rows.ts";
import { endKeys, findKeyByHash, listKeys, readKeyStandings, readLiveKeyHashes, revokeKey, touchKeys } from "./keys.ts";
import { addKey, insertKey } from "./new-keys.ts";
import { createOrganisation, setTier } from "./organisations.ts";
import { addUsage, readEarlierDays, readUsage } from "./usage.ts";

describe.each(testEngines)("keys on $name", (engine) => {
  let store: Store;
  beforeAll(async () => {
    store = await engine.open();
  });
  beforeEach(async () => {
    await emptyTables(store);
    await createOrganisation(store, { id: "org", name: "Goldsmiths", tier: "pro", createdAtMs: NOON_MS });
    await createOrganisation(store, { id: "other", name: "Others", tier: "free", createdAtMs: NOON_MS });
  });
  afterAll(() => store.close());

  test("are found by their hash, with organisation and tier", async () => {
    const key = newKey("k1");
    await insertKey(store, key);
    expect(await findKeyByHash(store, key.keyHash)).toEqual({
      ...key,
      suspendedAtMs: null,
      orgName: "Goldsmiths",
      tier: "pro",
      lastUsedAtMs: null,
      revokedAtMs: null,
    });
    expect(await findKeyByHash(store, "f".repeat(64))).toBeNull();
  });

  test("refuse an invalid hash, an existing one, and a key without an organisation", async () => {
    await insertKey(store, newKey("k1"));
    const refused = [
      newKey("k2", { keyHash: "assay_live_plaintext" }),
      newKey("k3", { keyHash: newKey("k1").keyHash }),
      newKey("k4", { orgId: "none" }),
    ];
    for (const key of refused) await expect(insertKey(store, key)).rejects.toThrow(StoreQueryError);
    expect(await listKeys(store)).toHaveLength(1);
  });

  test("return the ends and tiers of many keys, and leave out unknown ones", async () => {
    const expiring = newKey("expiring", { expiresAtMs: NOON_MS + 77_000 });
    const keys = [...["active", "grace", "ended"].map((id) => newKey(id)), expiring];
    for (const key of keys) await insertKey(store, key);
    await revokeKey(store, { id: "grace", atMs: NOON_MS + 86_401_000 });
    await revokeKey(store, { id: "ended", atMs: NOON_MS - 1 });
    const hashes = keys.map(({ keyHash }) => keyHash);
    const standings = await readKeyStandings(store, [...hashes, "f".repeat(64), "'; drop table api_keys; --"]);
    const ends = [null, NOON_MS + 86_401_000, NOON_MS - 1_000, NOON_MS + 77_000];
    expect(hashes.map((hash) => standings.get(hash))).toEqual(ends.map((endMs) => ({ endMs, tier: "pro" })));
    expect(standings.size).toBe(4);
    await revokeKey(store, { id: "expiring", atMs: NOON_MS + 78_000 });
    expect((await readKeyStandings(store, [expiring.keyHash])).get(expiring.keyHash)?.endMs).toBe(NOON_MS + 77_000);
    expect(await readKeyStandings(store, [])).toEqual(new Map());
  });

  test("are listed newest first, by organisation, and without the ended ones on request", async () => {
    await insertKey(store, newKey("old", { createdAtMs: NOON_MS - 2 }));
    await insertKey(store, newKey("grace", { createdAtMs: NOON_MS - 1 }));
    await insertKey(store, newKey("new"));
    await insertKey(store, newKey("foreign", { orgId: "other" }));
    await revokeKey(store, { id: "old", atMs: NOON_MS });
    await revokeKey(store, { id: "grace", atMs: NOON_MS + 1_000 });
    const ids = async (filter: Parameters<typeof listKeys>[1]) => (await listKeys(store, filter)).map((key) => key.id);
    expect(await ids({ orgId: "org" })).toEqual(["new", "grace", "old"]);
    expect(await ids({ orgId: "org", liveAtMs: NOON_MS })).toEqual(["new", "grace"]);
    expect(await ids({ orgId: "org", liveAtMs: NOON_MS + 1_000 })).toEqual(["new"]);
    expect((await ids({})).toSorted()).toEqual(["foreign", "grace", "new", "old"]);
  });

  test("with an end count and are listed until it, and keep it", async () => {
    const ending = newKey("ending", { expiresAtMs: NOON_MS + HOUR_MS });
    expect(await addKey(store, ending, 1)).toBe(true);
    expect(await addKey(store, newKey("too many"), 1)).toBe(false);
    expect(await findKeyByHash(store, ending.keyHash)).toMatchObject({ revokedAtMs: null, expiresAtMs: NOON_MS + HOUR_MS });
    const live = async (atMs: number) => (await listKeys(store, { liveAtMs: atMs })).map(({ id }) => id);
    expect(await live(NOON_MS + HOUR_MS - 1)).toEqual(["ending"]);
    expect(await live(NOON_MS + HOUR_MS)).toEqual([]);
    expect(await readLiveKeyHashes(store, NOON_MS + HOUR_MS - 1, 9)).toEqual([ending.keyHash]);
    expect(await readLiveKeyHashes(store, NOON_MS + HOUR_MS, 9)).toEqual([]);
    expect(await addKey(store, newKey("in its place", { createdAtMs: NOON_MS + HOUR_MS }), 1)).toBe(true);
    // In grace, with an end of its own before that of the grace.
    await revokeKey(store, { id: "ending", atMs: NOON_MS + 2 * HOUR_MS });
    expect(await live(NOON_MS + HOUR_MS)).toEqual(["in its place"]);
  });

  test("end at the second that is shown, also those stored with a fraction of it", async () => {
    const [ending, inGrace] = [newKey("ending", { expiresAtMs: NOON_MS + 5_999 }), newKey("grace")];
    for (const key of [ending, inGrace]) await insertKey(store, key);
    await revokeKey(store, { id: "grace", atMs: NOON_MS + 5_001 });
    // As a process of an earlier release stores them.
    await store.run((db) =>
      db.execute(sql`update api_keys set expires_at = expires_at + interval '0.5 s', revoked_at = revoked_at + interval '0.5 s'`),
    );
    expect(await findKeyByHash(store, ending.keyHash)).toMatchObject({ expiresAtMs: NOON_MS + 5_000 });
    expect(await findKeyByHash(store, inGrace.keyHash)).toMatchObject({ revokedAtMs: NOON_MS + 5_000 });
    const hashes = [ending.keyHash, inGrace.keyHash];
    const ends = [...(await readKeyStandings(store, hashes)).values()].map(({ endMs }) => endMs);
    expect(ends).toEqual([NOON_MS + 5_000, NOON_MS + 5_000]);
    expect((await readLiveKeyHashes(store, NOON_MS + 4_999, 9)).toSorted()).toEqual(hashes.toSorted());
    expect(await readLiveKeyHashes(store, NOON_MS + 5_000, 9)).toEqual([]);
  });

  test("that ended by themselves are noted as revoked, and no others", async () => {
    const endMs = NOON_MS + HOUR_MS;
    for (const [id, expiresAtMs] of [
      ["ended", endMs],
      ["replaced", endMs],
      ["later", endMs + 1_000],
      ["endless", null],
    ] as const) {
      await insertKey(store, newKey(id, { expiresAtMs }));
    }
    await revokeKey(store, { id: "replaced", atMs: NOON_MS });
    await endKeys(store, endMs);
    const revoked = Object.fromEntries((await listKeys(store)).map(({ id, revokedAtMs }) => [id, revokedAtMs]));
    expect(revoked).toEqual({ ended: endMs, replaced: NOON_MS, later: null, endless: null });
  });

  test("have their organisation's tier from the moment it changes, and no other's", async () => {
    const keys = [newKey("k1"), newKey("k2")];
    for (const key of [...keys, newKey("foreign", { orgId: "other" })]) await insertKey(store, key);
    const hashes = await setTier(store, "org", "realtime_pro");
    expect(hashes.toSorted()).toEqual(keys.map(({ keyHash }) => keyHash).toSorted());
    const tiers = Object.fromEntries((await listKeys(store)).map(({ id, tier }) => [id, tier]));
    expect(tiers).toEqual({ k1: "realtime_pro", k2: "realtime_pro", foreign: "free" });
    expect(await setTier(store, "nobody", "free")).toEqual([]);
  });

  test("are revoked for their organisation, which brings a later end forward and leaves an earlier one", async () => {
    const key = newKey("k1");
    await insertKey(store, key);
    const end = async (atMs: number) => (await revokeKey(store, { id: "k1", orgId: "org", atMs }))?.revokedAtMs;
    expect(await end(NOON_MS + 24 * HOUR_MS)).toBe(NOON_MS + 24 * HOUR_MS);
    expect(await end(NOON_MS + HOUR_MS)).toBe(NOON_MS + HOUR_MS);
    expect(await end(NOON_MS + 2 * HOUR_MS)).toBe(NOON_MS + HOUR_MS);
    expect((await findKeyByHash(store, key.keyHash))?.revokedAtMs).toBe(NOON_MS + HOUR_MS);
  });

  test("of another organisation or unknown are not revoked", async () => {
    const key = newKey("k1");
    await insertKey(store, key);
    expect(await revokeKey(store, { id: "k1", orgId: "other", atMs: NOON_MS })).toBeNull();
    expect(await revokeKey(store, { id: "'; drop table api_keys; --", orgId: "org", atMs: NOON_MS })).toBeNull();
    expect((await findKeyByHash(store, key.keyHash))?.revokedAtMs).toBeNull();
    expect(await revokeKey(store, { id: "k1", atMs: NOON_MS })).toEqual({ keyHash: key.keyHash, revokedAtMs: NOON_MS });
  });

  test("record their latest use, and skip unknown ones", async () => {
    await insertKey(store, newKey("k1"));
    await insertKey(store, newKey('k"2'));
    await touchKeys(store, []);
    await touchKeys(store, [
      { keyId: "k1", usedAtMs: NOON_MS + 5 },
      { keyId: "k1", usedAtMs: NOON_MS + 3 },
      { keyId: 'k"2', usedAtMs: NOON_MS + 1 },
      { keyId: "gone", usedAtMs: NOON_MS },
    ]);
    await touchKeys(store, [{ keyId: "k1", usedAtMs: NOON_MS + 4 }]);
    const uses = Object.fromEntries((await listKeys(store)).map((key) => [key.id, key.lastUsedAtMs]));
    expect(uses).toEqual({ k1: NOON_MS + 5, 'k"2': NOON_MS + 1 });
  });

  test("add calls by organisation and day, and read today, the month up to it, and the days before it", async () => {
    await addUsage(store, []);
    await addUsage(store, [
      { orgId: "org", day: "2026-11-20", calls: 3 },
      { orgId: "org", day: "2026-11-20", calls: 4 },
      { orgId: "org", day: "2026-11-01", calls: 10 },
      { orgId: "org", day: "2026-10-31", calls: 100 },
      { orgId: "org", day: "2026-11-21", calls: 1_000 },
      { orgId: "other", day: "2026-11-20", calls: 10_000 },
    ]);
    await addUsage(store, [{ orgId: "org", day: "2026-11-20", calls: -2 }]);
    expect(await readUsage(store, "org", "2026-11-20")).toEqual({ today: 5, thisMonth: 15 });
    expect(await readUsage(store, "org", "2026-12-01")).toEqual({ today: 0, thisMonth: 0 });
    expect(await readUsage(store, "nobody", "2026-11-20")).toEqual({ today: 0, thisMonth: 0 });
    expect(await readEarlierDays(store, "org", "2026-11-21")).toEqual([
      { day: "2026-11-01", calls: 10 },
      { day: "2026-11-20", calls: 5 },
    ]);
    expect(await readEarlierDays(store, "org", "2026-11-01")).toEqual([]);
  });

  test("lose no call when many processes settle the same organisations at once", async () => {
    const orgs = ["a", "b", "c", "d"];
    const settle = (turn: number) => {
      const order = turn % 2 ? orgs : orgs.toReversed();
      return addUsage(
        store,
        order.map((orgId) => ({ orgId, day: "2026-11-20", calls: 1 })),
      );
    };
    await Promise.all(Array.from({ length: 40 }, (_, turn) => settle(turn)));
    for (const orgId of orgs) expect(await readUsage(store, orgId, "2026-11-20")).toEqual({ today: 40, thisMonth: 40 });
  });
});
