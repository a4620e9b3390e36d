/** Key rotation and its idempotent response, on every engine. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Store } from "../store.ts";
import { emptyTables, testEngines } from "../testing/engines.ts";
import { NOON_MS, newKey } from "../testing/rows.ts";
import { IDEMPOTENCY_TTL_MS } from "./idempotency.ts";
import { findKeyByHash, listKeys, revokeKey } from "./keys.ts";
import { addKey, insertKey, type Rotation, rotateKey } from "./new-keys.ts";
import { createOrganisation } from "./organisations.ts";

const GRACE_MS = 24 * 3_600_000;
const CALLER = newKey("caller");

describe.each(testEngines)("rotation on $name", (engine) => {
  let store: Store;
  beforeAll(async () => {
    store = await engine.open();
  });
  beforeEach(async () => {
    await emptyTables(store);
    await createOrganisation(store, { id: "org", name: "Goldsmiths", tier: "pro", createdAtMs: NOON_MS });
    await insertKey(store, CALLER);
  });
  afterAll(() => store.close());

  const rotation = (id: string, atMs = NOON_MS, scopeHash?: string): Rotation => ({
    callerKeyId: "caller",
    newKey: newKey(id, { createdAtMs: atMs }),
    graceUntilMs: atMs + GRACE_MS,
    mostKeys: 20,
    ...(scopeHash && { idempotency: { scopeHash, bodyDigest: "body", seal: () => Buffer.from(id) } }),
  });
  const callerEnd = async () => (await findKeyByHash(store, CALLER.keyHash))?.revokedAtMs;

  test("mints the new key and gives the calling one its grace", async () => {
    const result = await rotateKey(store, rotation("new"));
    expect(result).toEqual({ kind: "minted" });
    expect(await callerEnd()).toBe(NOON_MS + GRACE_MS);
    expect((await findKeyByHash(store, newKey("new").keyHash))?.revokedAtMs).toBeNull();
  });

  test("mints a key that ends when the calling one would have, and none once that has ended", async () => {
    const endMs = NOON_MS + 3_600_000;
    await insertKey(store, newKey("ending", { expiresAtMs: endMs }));
    const late = { ...rotation("late", endMs), callerKeyId: "ending" };
    expect(await rotateKey(store, late)).toEqual({ kind: "caller_revoked" });
    expect(await rotateKey(store, { ...rotation("next", endMs - 1), callerKeyId: "ending" })).toEqual({ kind: "minted" });
    expect(await findKeyByHash(store, newKey("next").keyHash)).toMatchObject({ expiresAtMs: endMs, revokedAtMs: null });
    const scoped = { ...rotation("last", endMs - 1, "scope"), callerKeyId: "next" };
    expect(await rotateKey(store, scoped)).toEqual({ kind: "minted" });
    expect(await findKeyByHash(store, newKey("last").keyHash)).toMatchObject({ expiresAtMs: endMs });
  });

  test("mints nothing for a key in grace, whose end stays", async () => {
    await rotateKey(store, rotation("first"));
    expect(await rotateKey(store, rotation("second", NOON_MS + 1_000))).toEqual({ kind: "caller_in_grace" });
    expect(await rotateKey(store, rotation("third", NOON_MS + 1_000, "scope"))).toEqual({ kind: "caller_in_grace" });
    expect(await callerEnd()).toBe(NOON_MS + GRACE_MS);
    expect((await listKeys(store)).map(({ id }) => id).toSorted()).toEqual(["caller", "first"]);
  });

  test("mints nothing for a key that has ended or does not exist", async () => {
    await revokeKey(store, { id: "caller", atMs: NOON_MS });
    expect(await rotateKey(store, rotation("late"))).toEqual({ kind: "caller_revoked" });
    expect(await rotateKey(store, { ...rotation("lost"), callerKeyId: "none" })).toEqual({ kind: "caller_revoked" });
    expect(await listKeys(store)).toHaveLength(1);
  });

  test("mints once for requests with the same Idempotency-Key at the same moment", async () => {
    const results = await Promise.all(["a", "b", "c", "d"].map((id) => rotateKey(store, rotation(id, NOON_MS, "scope"))));
    expect(results.filter((result) => result.kind === "minted")).toHaveLength(1);
    const minted = (await listKeys(store)).map((key) => key.id).filter((id) => id !== "caller");
    expect(minted).toHaveLength(1);
    for (const result of results.filter((each) => each.kind === "replayed")) {
      expect(Buffer.from(result.answer.sealed).toString()).toBe(minted[0]);
      expect(result.answer.bodyDigest).toBe("body");
    }
  });

  test("mints once for requests without an Idempotency-Key or with one of their own, at the same moment", async () => {
    const results = await Promise.all([
      rotateKey(store, rotation("a")),
      rotateKey(store, rotation("b")),
      rotateKey(store, rotation("c", NOON_MS, "scope-c")),
      rotateKey(store, rotation("d", NOON_MS, "scope-d")),
    ]);
    const kinds = results.map(({ kind }) => kind).toSorted();
    expect(kinds).toEqual(["caller_in_grace", "caller_in_grace", "caller_in_grace", "minted"]);
    expect(await listKeys(store)).toHaveLength(2);
  });

  test("forgets an answer after 24 hours", async () => {
    await insertKey(store, newKey("lasting"));
    const at = (id: string, atMs: number) =>
      rotateKey(store, { ...rotation(id, atMs, "scope"), callerKeyId: "lasting", graceUntilMs: 4e12 });
    expect(await at("a", NOON_MS)).toMatchObject({ kind: "minted" });
    expect(await at("b", NOON_MS + IDEMPOTENCY_TTL_MS - 1)).toMatchObject({ kind: "replayed" });
    expect(await at("c", NOON_MS + IDEMPOTENCY_TTL_MS)).toEqual({ kind: "caller_in_grace" });
  });

  test("never exceeds an organisation's number of keys, however many are requested at once, by rotation and by the operator", async () => {
    const callers = Array.from({ length: 10 }, (_, at) => newKey(`caller-${at}`));
    for (const caller of callers) await insertKey(store, caller);
    const attempts = Array.from({ length: 20 }, (_, at) =>
      at % 2 === 1
        ? addKey(store, newKey(`added-${at}`), 20).then((added) => (added ? "minted" : "limit_reached"))
        : rotateKey(store, { ...rotation(`new-${at}`), callerKeyId: `caller-${at / 2}` }).then(({ kind }) => kind),
    );
    const kinds = await Promise.all(attempts);
    expect(kinds.filter((kind) => kind === "minted")).toHaveLength(9);
    expect(kinds.filter((kind) => kind === "limit_reached")).toHaveLength(11);
    expect(await listKeys(store, { orgId: "org", liveAtMs: NOON_MS })).toHaveLength(20);
    expect(await addKey(store, newKey("one-more"), 20)).toBe(false);
  });

  test("counts keys in grace, and neither revoked ones nor another organisation's", async () => {
    await createOrganisation(store, { id: "other", name: "Silversmiths", tier: "pro", createdAtMs: NOON_MS });
    await insertKey(store, newKey("foreign", { orgId: "other" }));
    const by = async (callerKeyId: string, id: string, atMs = NOON_MS) =>
      (await rotateKey(store, { ...rotation(id, atMs), callerKeyId, mostKeys: 2 })).kind;
    expect(await by("caller", "a")).toBe("minted");
    expect(await by("a", "b")).toBe("limit_reached");
    expect((await findKeyByHash(store, newKey("a").keyHash))?.revokedAtMs, "nothing was written").toBeNull();
    await revokeKey(store, { id: "caller", atMs: NOON_MS });
    expect(await by("a", "b")).toBe("minted");
    expect(await by("b", "c")).toBe("limit_reached");
    expect(await by("b", "c", NOON_MS + GRACE_MS), "the first key's grace is over").toBe("minted");
  });

  test("replays an answer where no further key would be minted", async () => {
    const at = (id: string) => rotateKey(store, { ...rotation(id, NOON_MS, "scope"), mostKeys: 2 });
    const results = await Promise.all(["a", "b", "c", "d"].map(at));
    expect(results.map(({ kind }) => kind).sort()).toEqual(["minted", "replayed", "replayed", "replayed"]);
    expect((await at("e")).kind).toBe("replayed");
  });

  test("keeps neither key nor answer when sealing fails", async () => {
    const failing = rotation("new", NOON_MS, "scope");
    const seal = () => {
      throw new TypeError("no seal");
    };
    const idempotency = { scopeHash: "scope", bodyDigest: "body", seal };
    await expect(rotateKey(store, { ...failing, idempotency })).rejects.toThrow("no seal");
    expect(await listKeys(store)).toHaveLength(1);
    expect(await callerEnd()).toBeNull();
    expect(await rotateKey(store, failing)).toMatchObject({ kind: "minted" });
  });
});
