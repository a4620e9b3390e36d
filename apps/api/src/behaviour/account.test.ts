import { DAY_MS, formatTimestamp, type KeyMintResponse, type KeyPublic } from "@assay/contract";
import { FRIDAY_MS, makeKey, type TestKey } from "@assay/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { rowsIn, startTestApp, type TestApp } from "../testing/start-test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterEach(() => app.clock.set(FRIDAY_MS));
afterAll(() => app.close());

const mint = (key: string, more: { body?: unknown; idempotencyKey?: string } = {}) =>
  app.ask<KeyMintResponse & { error: string; issues: { path: string[] }[] }>("/v1/account/keys", {
    method: "POST",
    key,
    ...(more.body === undefined ? {} : { body: more.body }),
    headers: more.idempotencyKey === undefined ? {} : { "Idempotency-Key": more.idempotencyKey },
  });
const list = async (key: string): Promise<KeyPublic[]> => (await app.ask<KeyPublic[]>("/v1/account/keys", { key })).json;
const revoke = (key: string, id: string) =>
  app.ask<{ error: string }>(`/v1/account/keys/${encodeURIComponent(id)}`, { method: "DELETE", key });
const works = async (key: string): Promise<boolean> => (await app.ask("/v1/account/usage", { key })).status === 200;
describe("minting", () => {
  test("makes a new key, shows it once, and gives the calling key 24 hours", async () => {
    const old = await app.key("free");
    app.clock.advance(1_000);
    const { status, json, headers } = await mint(old.key, { body: { name: " ci " } });
    expect(status).toBe(201);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(json).toEqual({
      id: expect.any(String),
      plaintext: expect.stringMatching(/^assay_live_[0-9A-Za-z]{38}$/),
      key_prefix: json.plaintext.slice(0, 16),
      created_at: formatTimestamp(app.clock()),
      previous_key_revokes_at: formatTimestamp(app.clock() + DAY_MS),
    });
    expect(await works(json.plaintext)).toBe(true);
    expect(await works(old.key)).toBe(true);
    const listed = await list(json.plaintext);
    expect(listed).toMatchObject([
      { id: json.id, name: "ci", revoked_at: null },
      { id: old.keyId, name: "default", revoked_at: formatTimestamp(app.clock() + DAY_MS) },
    ]);
    expect(JSON.stringify(listed)).not.toContain(json.plaintext);
  });

  test("lets the old key authenticate until the very end of its grace, and lists it until then", async () => {
    const old = await app.key("free");
    const { plaintext } = (await mint(old.key)).json;
    app.clock.set(FRIDAY_MS + DAY_MS - 1);
    expect(await works(old.key)).toBe(true);
    expect(await list(plaintext)).toHaveLength(2);
    app.clock.set(FRIDAY_MS + DAY_MS);
    expect(await works(old.key)).toBe(false);
    expect(await list(plaintext)).toHaveLength(1);
  });

  test("ends the old key at the second it was told, wherever in a second the request came", async () => {
    const old = await app.key("free");
    app.clock.set(FRIDAY_MS + 999);
    const told = Date.parse((await mint(old.key)).json.previous_key_revokes_at ?? "");
    expect(told).toBe(FRIDAY_MS + DAY_MS);
    app.clock.set(told - 1);
    expect(await works(old.key)).toBe(true);
    app.clock.set(told);
    expect(await works(old.key)).toBe(false);
  });

  test("makes one key, however many requests are made at once", async () => {
    const old = await app.key("physical");
    const replies = await Promise.all(Array.from({ length: 8 }, () => mint(old.key)));
    const statuses = replies.map(({ status, json }) => `${status} ${json.error ?? ""}`.trim()).toSorted();
    expect(statuses).toEqual(["201", ...Array<string>(7).fill("403 key_in_grace")]);
    expect(await list(old.key)).toHaveLength(2);
  });

  test("keeps the new key in the organisation: the same tier, the same limits, the same usage", async () => {
    const old = await app.key("pro");
    await app.ask("/v1/carat", { key: old.key });
    const before = (await app.ask("/v1/account/usage", { key: old.key })).json;
    const { plaintext } = (await mint(old.key)).json;
    expect((await app.ask("/v1/account/usage", { key: plaintext })).json).toEqual(before);
  });
});

describe("a key with an end", () => {
  const ending = (inMs: number) => makeKey(app.store, { tier: "pro", nowMs: app.clock(), expiresAtMs: app.clock() + inMs });

  test("may do everything until then, and is refused over REST and tRPC from that second on", async () => {
    const { key, keyId } = await ending(DAY_MS);
    expect(await list(key)).toMatchObject([{ id: keyId, revoked_at: null, expires_at: formatTimestamp(FRIDAY_MS + DAY_MS) }]);
    const other = await app.key("pro");
    app.clock.set(FRIDAY_MS + DAY_MS - 1);
    expect(await works(key)).toBe(true);
    // In grace it would be 403.
    expect((await revoke(key, other.keyId)).status).toBe(404);
    app.clock.set(FRIDAY_MS + DAY_MS);
    const rest = await app.ask<{ error: string }>("/v1/account/usage", { key });
    expect([rest.status, rest.json.error]).toEqual([401, "invalid_api_key"]);
    const trpc = await app.ask("/trpc/account.usage", { key });
    expect([trpc.status, trpc.json.error.data.wire.error]).toEqual([401, "invalid_api_key"]);
    expect((await mint(key)).status).toBe(401);
  });

  test("is replaced by one that ends at the same time, and its last day ends no later", async () => {
    const { key } = await ending(DAY_MS / 2);
    const { json } = await mint(key, { idempotencyKey: "once" });
    const endIso = formatTimestamp(FRIDAY_MS + DAY_MS / 2);
    expect(json).toMatchObject({ expires_at: endIso, previous_key_revokes_at: endIso });
    expect((await mint(key, { idempotencyKey: "once" })).json).toEqual(json);
    expect((await mint(key)).json.error).toBe("key_in_grace");
    app.clock.set(FRIDAY_MS + DAY_MS / 2);
    expect([await works(key), await works(json.plaintext)]).toEqual([false, false]);
  });
});

describe("the limit of twenty keys", () => {
  test("includes keys in grace: another key is 409, and a retry still reads its answer", async () => {
    const first = await app.key("pro");
    let { key } = first;
    for (let count = 1; count < 19; count += 1) key = (await mint(key)).json.plaintext;
    const last = await mint(key, { idempotencyKey: "the-last" });
    expect(last.status).toBe(201);
    const { status, json } = await mint(last.json.plaintext);
    expect([status, json.error]).toEqual([409, "key_limit_reached"]);
    expect((await mint(key, { idempotencyKey: "the-last" })).text).toBe(last.text);
    expect(await list(key)).toHaveLength(20);
    await revoke(last.json.plaintext, first.keyId);
    expect((await mint(last.json.plaintext)).status).toBe(201);
  });
});

describe("an Idempotency-Key", () => {
  test("lets one of two concurrent requests mint, and the other read its answer", async () => {
    const { key } = await app.key("pro");
    const replies = await Promise.all(Array.from({ length: 10 }, () => mint(key, { idempotencyKey: "at-once" })));
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(201));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(await list(key)).toHaveLength(2);
  });

  test("is answered again until the calling key ends, and used with the next key it mints anew", async () => {
    const { key } = await app.key("free");
    const first = await mint(key, { idempotencyKey: "daily" });
    app.clock.set(FRIDAY_MS + DAY_MS - 1);
    expect((await mint(key, { idempotencyKey: "daily" })).text).toBe(first.text);
    app.clock.set(FRIDAY_MS + DAY_MS);
    expect((await mint(key, { idempotencyKey: "daily" })).status).toBe(401);
    const second = await mint(first.json.plaintext, { idempotencyKey: "daily" });
    expect(second.status).toBe(201);
    expect(second.json.plaintext).not.toBe(first.json.plaintext);
  });

  test("has 1 to 255 printable characters, with spaces only inside", async () => {
    for (const idempotencyKey of ["~ !x", "k".repeat(255)]) {
      expect((await mint((await app.key("pro")).key, { idempotencyKey })).status).toBe(201);
    }
    const { key } = await app.key("pro");
    for (const idempotencyKey of ["k".repeat(256), "ü", ""]) {
      expect((await mint(key, { idempotencyKey })).status, idempotencyKey).toBe(422);
    }
  });

  test("is not stored in plain text, and neither is the old or the new key", async () => {
    const { key } = await app.key("free");
    const { plaintext } = (await mint(key, { idempotencyKey: "secret-retry-name" })).json;
    const kept = (await rowsIn(app.store, ["idempotency_keys", "api_keys", "organisations", "service_secrets"])).join("\n");
    for (const secret of [key, plaintext, "secret-retry-name"]) {
      expect(kept).not.toContain(secret);
      expect(kept).not.toContain(Buffer.from(secret).toString("hex"));
      expect(kept).not.toContain(Buffer.from(secret).toString("base64").slice(0, -4));
    }
  });
});

describe("a key in grace", () => {
  test("takes nothing over: it reads and replays, and mints and deletes nothing", async () => {
    const leaked = await app.key("pro");
    app.clock.advance(1_000);
    const owner = await mint(leaked.key, { body: { name: "new" }, idempotencyKey: "rotate" });
    const refusals = [
      await mint(leaked.key, { body: { name: "thief" } }),
      await mint(leaked.key, { body: { name: "thief" }, idempotencyKey: "of-a-thief" }),
      await revoke(leaked.key, owner.json.id),
      await revoke(leaked.key, leaked.keyId),
      await revoke(leaked.key, "nobody"),
    ];
    expect(refusals.map(({ status, json }) => [status, json.error])).toEqual(Array(5).fill([403, "key_in_grace"]));
    expect((await list(leaked.key)).map(({ id, revoked_at }) => [id, revoked_at])).toEqual([
      [owner.json.id, null],
      [leaked.keyId, owner.json.previous_key_revokes_at],
    ]);
    const again = await mint(leaked.key, { body: { name: "new" }, idempotencyKey: "rotate" });
    expect([again.status, again.text]).toEqual([201, owner.text]);
    expect((await mint(leaked.key, { body: { name: "other" }, idempotencyKey: "rotate" })).status).toBe(422);
    expect((await revoke(owner.json.plaintext, leaked.keyId)).status).toBe(204);
    expect(await works(leaked.key)).toBe(false);
  });

  test("is refused by a process that has not heard of the rotation and just saw the key active", async () => {
    const leaked = await app.key("pro");
    // Its bus is not the other process's: the message never arrives.
    const deaf = await startTestApp({ store: app.store, clock: app.clock });
    expect((await deaf.ask("/v1/account/usage", { key: leaked.key })).status).toBe(200);
    const { id } = (await mint(leaked.key)).json;
    for (const [method, path] of [
      ["POST", "/v1/account/keys"],
      ["DELETE", `/v1/account/keys/${id}`],
    ] as const) {
      const { status, json } = await deaf.ask(path, { key: leaked.key, method });
      expect([status, json.error], method).toEqual([403, "key_in_grace"]);
    }
    await deaf.close();
  });
});

describe("deleting", () => {
  test("ends a key at once, without grace, and is answered the same when it is repeated", async () => {
    const own = await app.key("free");
    const other = await app.key("free", own);
    expect(await works(other.key)).toBe(true);
    for (const _ of ["first", "again"]) {
      const { status, text, headers } = await revoke(own.key, other.keyId);
      expect([status, text, headers.get("content-type")]).toEqual([204, "", null]);
    }
    expect(await works(other.key)).toBe(false);
    expect((await list(own.key)).map(({ id }) => id)).toEqual([own.keyId]);
  });

  test("of another organisation's key is 404, and leaves it alone", async () => {
    const [own, stranger] = [await app.key("free"), await app.key("free")];
    const { status, json } = await revoke(own.key, stranger.keyId);
    expect([status, json.error]).toEqual([404, "key_not_found"]);
    expect(await works(stranger.key)).toBe(true);
  });

  test("of an unknown id is 404, whatever it looks like", async () => {
    const { key } = await app.key("pro");
    for (const id of ["nobody", "3f0c1d1e-8f5e-4c55-9a59-2a2b1d6c7e11", "' or 1=1 --", "%", "\u0000", "é", "x".repeat(64)]) {
      const { status, json } = await revoke(key, id);
      expect([status, json.error], JSON.stringify(id)).toEqual([404, "key_not_found"]);
    }
    expect((await revoke(key, "x".repeat(65))).json.error).toBe("validation_error");
  });

  test("ends the calling key too, and takes effect in other processes at once", async () => {
    const own = await app.key("free");
    const other = await startTestApp({ store: app.store, live: app.live, clock: app.clock });
    expect((await other.ask("/v1/account/usage", { key: own.key })).status).toBe(200);
    await revoke(own.key, own.keyId);
    expect((await other.ask("/v1/account/usage", { key: own.key })).status).toBe(401);
    await other.close();
  });
});

describe("the list", () => {
  test("is newest first and holds this organisation's keys only", async () => {
    const own = await app.key("free");
    app.clock.advance(1_000);
    const second = await app.key("free", own);
    await app.key("free");
    expect((await list(own.key)).map(({ id }) => id)).toEqual([second.keyId, own.keyId]);
  });

  test("says when a key was last used, once usage has been settled", async () => {
    const own = await makeKey(app.store, { tier: "free", nowMs: app.clock() });
    const first = await startTestApp({ store: app.store, clock: app.clock });
    expect((await first.ask<KeyPublic[]>("/v1/account/keys", { key: own.key })).json[0]?.last_used_at).toBeNull();
    await first.close();
    expect((await list(own.key))[0]?.last_used_at).toBe(formatTimestamp(app.clock()));
  });
});

describe("usage", () => {
  test("counts the organisation's metered calls of today and this month", async () => {
    const own: TestKey = await app.key("basic");
    const other = await app.key("basic", own);
    for (const { key } of [own, other, own]) expect((await app.ask("/v1/carat", { key })).status).toBe(503);
    await app.ask("/v1/prices", { key: own.key });
    await app.ask("/v1/prices", { key: other.key });
    const earlier = Array.from({ length: 19 }, (_, at) => ({ date: `2026-11-${String(at + 1).padStart(2, "0")}`, calls: 0 }));
    expect((await app.ask("/v1/account/usage", { key: own.key })).json).toEqual({
      calls_today: 2,
      calls_this_month: 2,
      active_streams: null,
      max_streams: null,
      tier: "basic",
      monthly_quota: 20_000,
      remaining_this_month: 19_998,
      resets_at: "2026-12-01T00:00:00Z",
      days: [...earlier, { date: "2026-11-20", calls: 2 }],
    });
  });

  test("includes how many streams are open, where the tier has any", async () => {
    const holder = await app.key("realtime_pro");
    const usage = async () => (await app.ask("/v1/account/usage", { key: holder.key })).json;
    expect(await usage()).toMatchObject({ active_streams: 0, max_streams: 10 });
    const { place } = await app.live.places.take({ keyId: holder.keyId, orgId: holder.orgId }, { perKey: 10, perOrg: 20 });
    expect(await usage()).toMatchObject({ active_streams: 1, max_streams: 10 });
    if (place) await app.live.places.giveBack(place);
    expect(await usage()).toMatchObject({ active_streams: 0 });
  });

  test("begins a new day at UTC midnight and a new month on its first", async () => {
    const { key } = await app.key("basic");
    const usageAt = async (text: string) => {
      app.clock.set(Date.parse(text));
      await app.ask("/v1/prices", { key });
      const { calls_today, calls_this_month, resets_at } = (await app.ask("/v1/account/usage", { key })).json;
      return [calls_today, calls_this_month, resets_at];
    };
    expect(await usageAt("2026-11-29T23:59:59Z")).toEqual([1, 1, "2026-12-01T00:00:00Z"]);
    expect(await usageAt("2026-11-30T00:00:00Z")).toEqual([1, 2, "2026-12-01T00:00:00Z"]);
    expect(await usageAt("2026-11-30T23:59:59.999Z")).toEqual([2, 3, "2026-12-01T00:00:00Z"]);
    expect(await usageAt("2026-12-01T00:00:00Z")).toEqual([1, 1, "2027-01-01T00:00:00Z"]);
  });
});
