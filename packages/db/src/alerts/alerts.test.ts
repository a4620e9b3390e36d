/** Alerts, endpoints and what their owners ask for, on every engine. */
import { DAY_MS } from "@assay/contract";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { NewAnswer } from "../accounts/idempotency.ts";
import { createOrganisation } from "../accounts/organisations.ts";
import { DELIVERIES_RETAINED_MS, prune } from "../records/maintenance.ts";
import { deliveries } from "../schema/alerts.ts";
import { claimFence } from "../statements/fence.ts";
import { rowsOf, type Store } from "../store.ts";
import { emptyTables, testEngines } from "../testing/engines.ts";
import { NOON_MS, newAlert } from "../testing/rows.ts";
import { addAlert, changeAlert, deleteAlert, readAlert, readAlerts } from "./alerts.ts";
import { readDeliveries, readDelivery, redeliver, writeDeliveryResults } from "./deliveries.ts";
import { addEndpoint, addTest, deleteEndpoint, readEndpoints, rotateSecret } from "./endpoints.ts";

const endpoint = (id: string, orgId = "org") => ({
  id,
  orgId,
  url: `https://${id}.example`,
  secret: `of ${id}`,
  createdAtMs: NOON_MS,
});
const at = (id: string, orgId = "org") => ({ id, orgId, atMs: NOON_MS + 1 });
const answer = (key: string, body = "body"): NewAnswer => ({
  scopeHash: key,
  bodyDigest: body,
  seal: () => new TextEncoder().encode(`answer of ${key}`),
});

describe.each(testEngines)("alerts on $name", (engine) => {
  let store: Store;
  beforeAll(async () => {
    store = await engine.open();
  });
  beforeEach(async () => {
    await emptyTables(store);
    for (const id of ["org", "other"]) await createOrganisation(store, { id, name: id, tier: "free", createdAtMs: NOON_MS });
    await addEndpoint(store, endpoint("ep"), 20);
    await addEndpoint(store, endpoint("theirs", "other"), 20);
  });
  afterAll(() => store.close());

  const ids = async (orgId = "org") => (await readAlerts(store, orgId)).map(({ id }) => id).toSorted();
  const revision = async () =>
    (await store.run((db) => rowsOf<{ at: number }>(db, sql`select revision::float8 as at from alert_revision`)))[0]?.at;

  test("are read back as they were made, newest first, by their owner alone", async () => {
    await addAlert(store, newAlert("one"), 3);
    await addAlert(
      store,
      newAlert("two", { kind: "moved", threshold: "1.5", windowSeconds: 60, once: false, createdAtMs: NOON_MS + 1 }),
      3,
    );
    expect((await readAlerts(store, "org")).map(({ id }) => id)).toEqual(["two", "one"]);
    expect(await readAlert(store, "org", "one")).toEqual({
      ...newAlert("one"),
      hasFired: false,
      lastFiredAtMs: null,
      updatedAtMs: NOON_MS,
      revision: 1,
      deletedAtMs: null,
      older: 0,
      isSuspended: false,
    });
    expect(await readAlert(store, "other", "one")).toBeNull();
    expect(await ids("other")).toEqual([]);
  });

  test("made all at once are never more than the limit", async () => {
    const added = await Promise.all(
      Array.from({ length: 12 }, (_, place) => addAlert(store, newAlert(`a${place}`), 3).then(({ kind }) => kind)),
    );
    expect(added.filter((kind) => kind === "added")).toHaveLength(3);
    expect(added.filter((kind) => kind === "limit_reached")).toHaveLength(9);
    expect(await ids()).toHaveLength(3);
    await deleteAlert(store, at((await ids())[0] ?? ""));
    expect(await addAlert(store, newAlert("after"), 3)).toEqual({ kind: "added" });
  });

  test("take revisions in the order of their changes, each its own", async () => {
    await Promise.all(["a", "b", "c"].map((id) => addAlert(store, newAlert(id), 9)));
    await changeAlert(store, at("b"), () => ({ name: "renamed" }));
    await deleteAlert(store, at("a"));
    const rows = await store.run((db) =>
      rowsOf<{ id: string; at: number }>(db, sql`select id, revision::int as at from alerts order by revision`),
    );
    expect(rows.map(({ at: taken }) => taken)).toEqual([expect.any(Number), 4, 5]);
    expect(rows.slice(1).map(({ id }) => id)).toEqual(["b", "a"]);
    expect(await revision()).toBe(5);
    expect(await deleteAlert(store, at("a"))).toBe(false);
    expect(await revision(), "what is not there takes none").toBe(5);
  });

  test("are refused with an endpoint that is not there, or of others, or deleted", async () => {
    for (const endpointId of ["none", "theirs"])
      expect(await addAlert(store, newAlert("x", { endpointId }), 3)).toEqual({ kind: "no_endpoint" });
    await deleteEndpoint(store, at("ep"));
    expect(await addAlert(store, newAlert("x"), 3)).toEqual({ kind: "no_endpoint" });
    expect(await ids()).toEqual([]);
  });

  test("are changed by what they are then, also when another change was faster", async () => {
    await addAlert(store, newAlert("one"), 3);
    const seen: string[] = [];
    await changeAlert(store, at("one"), async ({ name }) => {
      seen.push(name);
      if (seen.length === 1) await changeAlert(store, at("one"), () => ({ name: "faster" }));
      return { name: `${name} too` };
    });
    expect(seen).toEqual([newAlert("one").name, "faster"]);
    expect(await readAlert(store, "org", "one")).toMatchObject({ name: "faster too" });
  });

  test("keep what is not changed, and are judged afresh where that is asked for", async () => {
    await addAlert(store, newAlert("one"), 3);
    await store.run((db) =>
      db.execute(sql`update alerts set state = 'fired', has_fired = true, memory = '{}', last_fired_at = now()`),
    );
    expect(await changeAlert(store, at("one"), () => ({ name: "renamed" }))).toMatchObject({ kind: "changed" });
    expect(await readAlert(store, "org", "one")).toMatchObject({
      name: "renamed",
      state: "fired",
      hasFired: true,
      memory: "{}",
      threshold: "4000",
    });
    const afresh = {
      threshold: "4100.5",
      windowSeconds: null,
      direction: null,
      once: false,
      state: "waiting",
      seenSeq: 9,
      memory: "[]",
    } as const;
    expect(await changeAlert(store, at("one"), () => ({ afresh }))).toMatchObject({ kind: "changed" });
    expect(await readAlert(store, "org", "one")).toMatchObject({
      ...afresh,
      name: "renamed",
      hasFired: false,
      updatedAtMs: NOON_MS + 1,
    });
    expect(await changeAlert(store, { ...at("one"), endpointId: "theirs" }, () => ({}))).toEqual({ kind: "no_endpoint" });
    expect(await changeAlert(store, at("one", "other"), () => ({ name: "stolen" }))).toEqual({ kind: "no_alert" });
    expect(await deleteAlert(store, at("one", "other"))).toBe(false);
    expect(await readAlert(store, "org", "one")).toMatchObject({ name: "renamed", endpointId: "ep" });
  });

  test("made under an Idempotency-Key are made once, whoever comes first", async () => {
    const made = await Promise.all(["a", "b", "c"].map((id) => addAlert(store, newAlert(id), 9, answer("key"))));
    expect(made.map(({ kind }) => kind).toSorted()).toEqual(["added", "replayed", "replayed"]);
    const replayed = made.find((each) => each.kind === "replayed");
    expect(replayed).toMatchObject({ answer: { bodyDigest: "body" } });
    if (replayed?.kind === "replayed") expect(new TextDecoder().decode(replayed.answer.sealed)).toBe("answer of key");
    expect(await ids()).toHaveLength(1);
    expect(await addAlert(store, newAlert("d"), 1, answer("key")), "even at the limit").toMatchObject({ kind: "replayed" });
  });

  describe("endpoints", () => {
    test("made all at once are never more than the limit", async () => {
      const added = await Promise.all(Array.from({ length: 8 }, (_, place) => addEndpoint(store, endpoint(`e${place}`), 4)));
      expect(added.filter(({ kind }) => kind === "added")).toHaveLength(3);
      expect(await readEndpoints(store, "org")).toHaveLength(4);
      expect((await readEndpoints(store, "other")).map(({ id }) => id)).toEqual(["theirs"]);
    });

    test("are not deleted while an alert is sent to them, even one that is made at the same time", async () => {
      for (let turn = 0; turn < 10; turn += 1) {
        const id = `e${turn}`;
        await addEndpoint(store, endpoint(id), 99);
        const [deleted, added] = await Promise.all([
          deleteEndpoint(store, at(id)),
          addAlert(store, newAlert(`a${turn}`, { endpointId: id }), 99),
        ]);
        expect([
          ["deleted", "no_endpoint"],
          ["in_use", "added"],
        ]).toContainEqual([deleted, added.kind]);
      }
      expect(await deleteEndpoint(store, at("theirs"))).toBe("no_endpoint");
    });

    test("sign with both secrets after a rotation, which a retry does not repeat", async () => {
      const rotation = (secret: string, orgId = "org") => ({ ...at("ep", orgId), secret, previousUntilMs: NOON_MS + DAY_MS });
      expect(await rotateSecret(store, rotation("new"), answer("k"))).toEqual({ kind: "rotated" });
      expect(await rotateSecret(store, rotation("newer"), answer("k"))).toMatchObject({ kind: "replayed" });
      expect(await rotateSecret(store, rotation("stolen", "other"))).toEqual({ kind: "no_endpoint" });
      expect(await readEndpoints(store, "org")).toMatchObject([
        { secret: "new", previousSecret: "of ep", previousUntilMs: NOON_MS + DAY_MS },
      ]);
    });

    test("sign with every secret that a rotation of the last day promised to sign", async () => {
      const rotate = (secret: string, atMs: number) =>
        rotateSecret(store, { ...at("ep"), atMs, secret, previousUntilMs: atMs + DAY_MS });
      await rotate("whsec_2", NOON_MS);
      await rotate("whsec_3", NOON_MS + 1);
      const [{ secret, previousSecret, previousUntilMs } = {}] = await readEndpoints(store, "org");
      expect([secret, previousSecret, previousUntilMs]).toEqual(["whsec_3", "whsec_2 of ep", NOON_MS + 1 + DAY_MS]);
      for (const place of [4, 5, 6]) await rotate(`whsec_${place}`, NOON_MS + place);
      expect((await readEndpoints(store, "org"))[0]?.previousSecret?.split(" ").slice(0, 4)).toEqual(
        [5, 4, 3, 2].map((one) => `whsec_${one}`),
      );
      await rotate("whsec_7", NOON_MS + 6 + DAY_MS);
      expect((await readEndpoints(store, "org"))[0]?.previousSecret).toBe("whsec_6");
    });
  });

  describe("deliveries", () => {
    const add = (id: string, change: Partial<typeof deliveries.$inferInsert> = {}) =>
      store.run(async (db) => {
        const row = { id, orgId: "org", endpointId: "ep", type: "price.above", payload: "{}", createdAtMs: NOON_MS } as const;
        await db.insert(deliveries).values({ ...row, status: "failed", tries: 8, ...change });
      });

    test("are paged newest first, several of one instant by their ids, and filtered", async () => {
      for (const [place, id] of ["a", "b", "c", "d"].entries())
        await add(id, { createdAtMs: NOON_MS + Math.floor(place / 3), alertId: place < 2 ? "one" : "two", seq: place });
      await add("old", { createdAtMs: NOON_MS - 1_000 });
      await add("theirs", { orgId: "other" });
      const query = { orgId: "org", sinceMs: NOON_MS - 1_000, limit: 2 };
      const first = await readDeliveries(store, query);
      expect(first.map(({ id }) => id)).toEqual(["d", "c"]);
      const second = await readDeliveries(store, { ...query, before: first[1] });
      expect(second.map(({ id }) => id)).toEqual(["b", "a"]);
      expect(await readDeliveries(store, { ...query, before: second[1] })).toEqual([]);
      expect((await readDeliveries(store, { ...query, alertId: "one" })).map(({ id }) => id)).toEqual(["b", "a"]);
      expect(await readDeliveries(store, { ...query, status: "pending" })).toEqual([]);
      expect(await readDeliveries(store, { ...query, endpointId: "else" })).toEqual([]);
    });

    test("of a test and of a redelivery are due at once, for their owner alone", async () => {
      expect(await addTest(store, at("ep"), { id: "t", payload: "test" })).toBe("t");
      expect(await addTest(store, at("ep", "other"), { id: "u", payload: "test" })).toBeNull();
      // One that waits is enough.
      expect(await addTest(store, at("ep"), { id: "v", payload: "test" })).toBe("t");
      expect(await readDelivery(store, "org", "t")).toMatchObject({
        type: "endpoint.test",
        alertId: null,
        payload: "test",
        status: "pending",
        tries: 0,
        nextTryAtMs: NOON_MS + 1,
      });
      await add("gone", { endpointId: "deleted" });
      await add("again");
      expect(await redeliver(store, at("again", "other"))).toBe("no_delivery");
      expect(await redeliver(store, at("gone"))).toBe("no_endpoint");
      expect(await redeliver(store, at("again"))).toBe("pending");
      expect(await readDelivery(store, "org", "again")).toMatchObject({ status: "pending", tries: 0, nextTryAtMs: NOON_MS + 1 });
      expect(await readDelivery(store, "org", "gone")).toMatchObject({ status: "failed", tries: 8 });
    });

    test("of tests asked for all at once are one", async () => {
      // On connections that are open already.
      await Promise.all(Array.from({ length: 10 }, () => store.run((db) => rowsOf(db, sql`select pg_sleep(0.05)`))));
      const asked = Array.from({ length: 12 }, (_, place) => addTest(store, at("ep"), { id: `t${place}`, payload: "test" }));
      expect(new Set(await Promise.all(asked)).size).toBe(1);
      expect(await readDeliveries(store, { orgId: "org", sinceMs: 0, limit: 12 })).toHaveLength(1);
    });

    test("count a try once, though its result is written again after an answer that was lost", async () => {
      await add("tried", { status: "pending", tries: 1, nextTryAtMs: NOON_MS });
      const writer = { token: 1, holder: "writer" };
      const base = { id: "tried", endpointId: "ep", isTry: true, status: "pending", httpStatus: 500, error: "status" } as const;
      const result = { ...base, atMs: NOON_MS + 5, nextTryAtMs: NOON_MS + 5_000, disables: null };
      await claimFence(store, writer.token, writer.holder);
      for (let times = 0; times < 2; times += 1) await writeDeliveryResults(store, writer, [result]);
      expect(await readDelivery(store, "org", "tried")).toMatchObject({ tries: 2, nextTryAtMs: NOON_MS + 5_000 });
      await writeDeliveryResults(store, writer, [{ ...result, atMs: NOON_MS + 5_001 }]);
      expect(await readDelivery(store, "org", "tried")).toMatchObject({ tries: 3 });
    });

    test("are kept for 30 days, and so are alerts and endpoints that were deleted", async () => {
      await addAlert(store, newAlert("one"), 3);
      await add("first");
      await add("second", { createdAtMs: NOON_MS + 2 });
      await deleteAlert(store, at("one"));
      await deleteEndpoint(store, at("ep"));
      await prune(store, NOON_MS + DELIVERIES_RETAINED_MS + 1);
      const left = () =>
        store.run((db) =>
          rowsOf<{ id: string }>(
            db,
            sql`select id from alerts union select id from endpoints union select id from deliveries order by id`,
          ),
        );
      expect((await left()).map(({ id }) => id)).toEqual(["ep", "one", "second", "theirs"]);
      await prune(store, NOON_MS + DELIVERIES_RETAINED_MS + 2);
      expect((await left()).map(({ id }) => id)).toEqual(["second", "theirs"]);
    });
  });
});
