import { DEFAULT_CATALOG, HOUR_MS, MAX_LIVE_KEYS } from "@assay/contract";
import { addUsage, createOrganisation, findOrganisation, insertKey, listKeys, readKeyStandings, type Store } from "@assay/db";
import { openEmbeddedStore } from "@assay/db/testing";
import type { MarketEvent } from "@assay/live";
import { machineRandom } from "@assay/ports";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { hashKey } from "../access/api-key.ts";
import { newKey } from "./keys.ts";
import { changeTier, createKey, KeyDeskError, listAllKeys, revokeAnyKey, suspendOrg, topUsage } from "./operator-keys.ts";

const NOW_MS = Date.UTC(2026, 10, 20, 14);

let store: Store;
let published: MarketEvent[];
const bus = {
  publish: async (event: MarketEvent) => {
    published.push(event);
  },
};
beforeAll(async () => {
  store = await openEmbeddedStore();
});
afterAll(() => store.close());
beforeEach(() => {
  published = [];
});

const create = (org: string, expiresAtMs?: number) =>
  createKey(store, { org, tier: "pro", name: "ci", expiresAtMs }, NOW_MS, machineRandom);

describe("a key that the operator creates", () => {
  test("is returned with its organisation and tier, without an end by default", async () => {
    expect(await create("Plain Ltd")).toEqual({
      id: expect.any(String),
      plaintext: expect.stringMatching(/^assay_live_/),
      key_prefix: expect.any(String),
      created_at: "2026-11-20T14:00:00Z",
      previous_key_revokes_at: null,
      org: "Plain Ltd",
      tier: "pro",
    });
  });

  test("has the end it was given, in its listing too", async () => {
    const { id, expires_at } = await create("Trial Ltd", NOW_MS + HOUR_MS);
    expect(expires_at).toBe("2026-11-20T15:00:00Z");
    const listed = (await listAllKeys(store)).find((key) => key.id === id);
    expect(listed).toMatchObject({ org: "Trial Ltd", tier: "pro", expires_at, revoked_at: null });
  });

  test("ends at the second that is shown", async () => {
    const { id, expires_at } = await create("Exact Ltd", NOW_MS + HOUR_MS + 999);
    expect(expires_at).toBe("2026-11-20T15:00:00Z");
    expect((await listKeys(store, { liveAtMs: NOW_MS + HOUR_MS })).map((key) => key.id)).not.toContain(id);
  });

  test("is refused an end that has passed, and leaves no organisation behind", async () => {
    for (const endMs of [NOW_MS, NOW_MS - 1]) {
      await expect(create("Late Ltd", endMs)).rejects.toThrow(/^2026-11-20T1\d:.* is in the past/);
    }
    await expect(changeTier({ store, bus }, { org: "Late Ltd", tier: "free" })).rejects.toThrow(KeyDeskError);
  });

  test("is refused another tier than its organisation's, and one too many", async () => {
    await create("Full Ltd");
    const other = createKey(store, { org: "Full Ltd", tier: "free", name: "ci" }, NOW_MS, machineRandom);
    await expect(other).rejects.toThrow(/"Full Ltd" exists with tier pro/);
    for (let count = 1; count < MAX_LIVE_KEYS; count += 1) await create("Full Ltd");
    await expect(create("Full Ltd")).rejects.toThrow(/has 20 keys/);
  });
});

describe("an organisation's tier", () => {
  test("changes for all its keys, each of which is announced, and for no other's", async () => {
    const keys = [await create("Growing Ltd"), await create("Growing Ltd")];
    const other = await create("Steady Ltd");
    const changed = await changeTier({ store, bus }, { org: "Growing Ltd", tier: "realtime_pro" });
    expect(changed).toEqual({ org: "Growing Ltd", tier: "realtime_pro", previous_tier: "pro" });
    const hashes = published.map((event) => event.kind === "key-changed" && event.revokedAtMs === null && event.keyHash);
    expect(hashes.toSorted()).toEqual(keys.map(({ plaintext }) => hashKey(plaintext)).toSorted());
    const tiers = new Map((await listKeys(store)).map(({ id, tier }) => [id, tier]));
    expect([...keys, other].map(({ id }) => tiers.get(id))).toEqual(["realtime_pro", "realtime_pro", "pro"]);
  });
});

describe("a suspended organisation", () => {
  test("has its keys refused, on streams too, and announced, until it is resumed", async () => {
    const keys = [await create("Noisy Ltd"), await create("Noisy Ltd")];
    const hashes = keys.map(({ plaintext }) => hashKey(plaintext)).toSorted();
    await create("Calm Ltd");
    const endsMs = async () => [...(await readKeyStandings(store, hashes)).values()].map(({ endMs }) => endMs);
    const suspended = await suspendOrg({ store, bus }, "Noisy Ltd", NOW_MS);
    expect(suspended).toEqual({ org: "Noisy Ltd", suspended_at: "2026-11-20T14:00:00Z", keys: 2 });
    expect(await endsMs()).toEqual([NOW_MS, NOW_MS]);
    const announced = published.map((event) => event.kind === "key-changed" && event.revokedAtMs === null && event.keyHash);
    expect(announced.toSorted()).toEqual(hashes);
    expect(await suspendOrg({ store, bus }, "Noisy Ltd", null)).toEqual({ org: "Noisy Ltd", suspended_at: null, keys: 2 });
    expect(await endsMs()).toEqual([null, null]);
    expect(published).toHaveLength(4);
    await expect(suspendOrg({ store, bus }, "Nobody Ltd", NOW_MS)).rejects.toThrow('no organisation has the name "Nobody Ltd"');
  });
});

test("the organisations that called most this month come first, with what they may call", async () => {
  for (const org of ["Much Ltd", "Little Ltd", "Past Ltd", "Idle Ltd"]) await create(org);
  const idOf = async (org: string): Promise<string> => (await findOrganisation(store, org))?.id ?? "";
  await addUsage(store, [
    { orgId: await idOf("Little Ltd"), day: "2026-11-20", calls: 30 },
    { orgId: await idOf("Much Ltd"), day: "2026-11-01", calls: 900 },
    { orgId: await idOf("Much Ltd"), day: "2026-11-20", calls: 5 },
    { orgId: await idOf("Past Ltd"), day: "2026-10-31", calls: 9_000 },
  ]);
  await suspendOrg({ store, bus }, "Little Ltd", NOW_MS);
  const quota = DEFAULT_CATALOG.tiers.pro.monthly_quota;
  const usage = { tier: "pro", monthly_quota: quota, suspended_at: null };
  expect(await topUsage(store, DEFAULT_CATALOG, 10, NOW_MS)).toEqual([
    { ...usage, org: "Much Ltd", calls_today: 5, calls_this_month: 905 },
    { ...usage, org: "Little Ltd", calls_today: 30, calls_this_month: 30, suspended_at: "2026-11-20T14:00:00Z" },
  ]);
  expect(await topUsage(store, DEFAULT_CATALOG, 1, NOW_MS)).toHaveLength(1);
});

describe("the id of a key to revoke", () => {
  const insert = async (id: string) => {
    const known = await findOrganisation(store, "Alike Ltd");
    const orgId = known?.id ?? "org-alike";
    if (!known) await createOrganisation(store, { id: orgId, name: "Alike Ltd", tier: "pro", createdAtMs: NOW_MS });
    const { row } = newKey({ orgId, name: "ci", expiresAtMs: null }, NOW_MS, machineRandom);
    await insertKey(store, { ...row, id });
    return id;
  };
  const revoke = (beginning: string) => revokeAnyKey({ store, bus }, beginning, NOW_MS);

  test("may be its beginning, of eight characters or more, if no other key's begins so", async () => {
    const first = await insert("3f0c1d1e-8f5e-4c55-9a59-2a2b1d6c7e11");
    const second = await insert("3f0c1d1e-8f5e-4c55-9a60-2a2b1d6c7e11");
    await expect(revoke("3f0c1d1")).rejects.toThrow('"3f0c1d1" is too short: give 8 characters of the id or more');
    await expect(revoke("")).rejects.toThrow(KeyDeskError);
    const ambiguous = String(await revoke("3f0c1d1e").catch((error: unknown) => error));
    expect(ambiguous).toMatch(/2 keys have ids that begin with 3f0c1d1e: .*Alike Ltd, ci/);
    expect([first, second].every((id) => ambiguous.includes(id))).toBe(true);
    await expect(revoke("3f0c1d1f")).rejects.toThrow("no key has the id 3f0c1d1f");
    // Such as a pattern would match.
    await expect(revoke("%%%%%%%%")).rejects.toThrow("no key has the id");
    expect((await listAllKeys(store)).filter(({ org, revoked_at }) => org === "Alike Ltd" && revoked_at !== null)).toEqual([]);
    expect(await revoke("3f0c1d1e-8f5e-4c55-9a60")).toEqual({ id: second, revoked_at: "2026-11-20T14:00:00Z" });
    expect(published).toHaveLength(1);
    expect(await revoke(first)).toMatchObject({ id: first });
  });
});

test("a revoked key is announced with its end; an unknown one is refused", async () => {
  const { id, plaintext } = await create("Gone Ltd");
  expect(await revokeAnyKey({ store, bus }, id, NOW_MS)).toEqual({ id, revoked_at: "2026-11-20T14:00:00Z" });
  expect(published).toEqual([{ kind: "key-changed", keyHash: hashKey(plaintext), revokedAtMs: NOW_MS }]);
  await expect(revokeAnyKey({ store, bus }, "no-such-key", NOW_MS)).rejects.toThrow(/no-such-key/);
});
