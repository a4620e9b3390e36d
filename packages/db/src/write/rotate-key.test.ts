/** Key rotation and its idempotent response, on every engine. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findKeyByHash, listKeys } from "../read/keys.ts";
import type { Store } from "../store.ts";
import { emptyTables } from "../testing/empty-tables.ts";
import { testEngines } from "../testing/engines.ts";
import { NOON_MS, newKey } from "../testing/rows.ts";
import { IDEMPOTENCY_TTL_MS } from "./idempotency.ts";
import { addKey, createOrganisation, insertKey, revokeKey } from "./keys.ts";
import { type Rotation, rotateKey } from "./rotate-key.ts";

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
    ...(scopeHash && {
      idempotency: { scopeHash, bodyDigest: "body", seal: (revokesAtMs: number) => Buffer.from(`${id} ${revokesAtMs}`) },
    }),
  });
  const callerEnd = async () => (await findKeyByHash(store, CALLER.keyHash))?.revokedAtMs;

  test("mints the new key and gives the calling one its grace", async () => {
    const result = await rotateKey(store, rotation("new"));
    expect(result).toEqual({ kind: "minted", previousKeyRevokesAtMs: NOON_MS + GRACE_MS });
    expect(await callerEnd()).toBe(NOON_MS + GRACE_MS);
    expect((await findKeyByHash(store, newKey("new").keyHash))?.revokedAtMs).toBeNull();
  });

  test("keeps the earlier end of a key that is already in grace", async () => {
    await rotateKey(store, rotation("first"));
    const second = await rotateKey(store, rotation("second", NOON_MS + 1_000));
    expect(second).toEqual({ kind: "minted", previousKeyRevokesAtMs: NOON_MS + GRACE_MS });
    expect(await callerEnd()).toBe(NOON_MS + GRACE_MS);
  });

  test("mints nothing for a key that has ended or does not exist", async () => {
    await revokeKey(store, { id: "caller", atMs: NOON_MS });
    expect(await rotateKey(store, rotation("late"))).toEqual({ kind: "caller_revoked" });
    expect(await rotateKey(store, { ...rotation("lost"), callerKeyId: "none" })).toEqual({ kind: "caller_revoked" });
    expect(await listKeys(store)).toHaveLength(1);
  });

  test.each([
    ["an active key", null],
    ["a key in grace", NOON_MS + GRACE_MS],
  ])("mints once for requests of %s with the same Idempotency-Key at the same moment", async (_, endsAtMs) => {
    if (endsAtMs !== null) await revokeKey(store, { id: "caller", atMs: endsAtMs });
    const results = await Promise.all(["a", "b", "c", "d"].map((id) => rotateKey(store, rotation(id, NOON_MS, "scope"))));
    expect(results.filter((result) => result.kind === "minted")).toHaveLength(1);
    const minted = (await listKeys(store)).map((key) => key.id).filter((id) => id !== "caller");
    expect(minted).toHaveLength(1);
    for (const result of results.filter((each) => each.kind === "replayed")) {
      expect(Buffer.from(result.answer.sealed).toString()).toBe(`${minted[0]} ${NOON_MS + GRACE_MS}`);
      expect(result.answer.bodyDigest).toBe("body");
    }
  });

  test("mints for each request without an Idempotency-Key, or with one of its own", async () => {
    const results = await Promise.all([
      rotateKey(store, rotation("a")),
      rotateKey(store, rotation("b")),
      rotateKey(store, rotation("c", NOON_MS, "scope-c")),
      rotateKey(store, rotation("d", NOON_MS, "scope-d")),
    ]);
    expect(results.map((result) => result.kind)).toEqual(["minted", "minted", "minted", "minted"]);
  });

  test("forgets an answer after 24 hours", async () => {
    await insertKey(store, newKey("lasting"));
    const at = (id: string, atMs: number) =>
      rotateKey(store, { ...rotation(id, atMs, "scope"), callerKeyId: "lasting", graceUntilMs: 4e12 });
    expect(await at("a", NOON_MS)).toMatchObject({ kind: "minted" });
    expect(await at("b", NOON_MS + IDEMPOTENCY_TTL_MS - 1)).toMatchObject({ kind: "replayed" });
    expect(await at("c", NOON_MS + IDEMPOTENCY_TTL_MS)).toMatchObject({ kind: "minted" });
    expect(await at("d", NOON_MS + IDEMPOTENCY_TTL_MS)).toMatchObject({ kind: "replayed" });
  });

  test("never exceeds an organisation's number of keys, however many are requested at once, by rotation and by the operator", async () => {
    const attempts = Array.from({ length: 40 }, (_, at) =>
      at % 4 === 3
        ? addKey(store, newKey(`added-${at}`), 20).then((added) => (added ? "minted" : "limit_reached"))
        : rotateKey(store, rotation(`new-${at}`)).then(({ kind }) => kind),
    );
    const kinds = await Promise.all(attempts);
    expect(kinds.filter((kind) => kind === "minted")).toHaveLength(19);
    expect(kinds.filter((kind) => kind === "limit_reached")).toHaveLength(21);
    expect(await listKeys(store, { orgId: "org", liveAtMs: NOON_MS })).toHaveLength(20);
    expect(await addKey(store, newKey("one-more"), 20)).toBe(false);
  });

  test("counts keys in grace, and neither revoked ones nor another organisation's", async () => {
    await createOrganisation(store, { id: "other", name: "Silversmiths", tier: "pro", createdAtMs: NOON_MS });
    await insertKey(store, newKey("foreign", { orgId: "other" }));
    const limited = (id: string, atMs = NOON_MS) => rotateKey(store, { ...rotation(id, atMs), mostKeys: 2 });
    expect((await limited("a")).kind).toBe("minted");
    expect((await limited("b")).kind).toBe("limit_reached");
    expect(await callerEnd(), "nothing was written").toBe(NOON_MS + GRACE_MS);
    await revokeKey(store, { id: "a", atMs: NOON_MS });
    expect((await limited("b")).kind).toBe("minted");
    const later = { ...rotation("c", NOON_MS + GRACE_MS), callerKeyId: "b", mostKeys: 2 };
    expect((await rotateKey(store, later)).kind, "the caller's grace is over").toBe("minted");
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
