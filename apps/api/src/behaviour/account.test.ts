import type { KeyMintResponse, KeyPublic } from "@assay/contract";
import { DAY_MS } from "@assay/contract";
import { makeKey, type TestKey } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rowsIn } from "../testing/rows-in.ts";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
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
const iso = (ms: number): string => new Date(ms).toISOString().replace(".000Z", "Z");

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
      created_at: iso(app.clock()),
      previous_key_revokes_at: iso(app.clock() + DAY_MS),
    });
    expect(await works(json.plaintext)).toBe(true);
    expect(await works(old.key)).toBe(true);
    const listed = await list(json.plaintext);
    expect(listed).toMatchObject([
      { id: json.id, name: "ci", revoked_at: null },
      { id: old.keyId, name: "default", revoked_at: iso(app.clock() + DAY_MS) },
    ]);
    expect(JSON.stringify(listed)).not.toContain(json.plaintext);
  });

  test("lets the old key authenticate until the very end of its grace, and lists it until then", async () => {
    const old = await app.key("free");
    const startMs = app.clock();
    const { plaintext } = (await mint(old.key)).json;
    app.clock.set(startMs + DAY_MS - 1);
    expect(await works(old.key)).toBe(true);
    expect(await list(plaintext)).toHaveLength(2);
    app.clock.set(startMs + DAY_MS);
    expect(await works(old.key)).toBe(false);
    expect(await list(plaintext)).toHaveLength(1);
    app.clock.set(startMs);
  });

  test("with a key in grace makes another key and leaves the date alone", async () => {
    const old = await app.key("free");
    const first = (await mint(old.key)).json;
    app.clock.advance(3_600_000);
    const second = await mint(old.key);
    expect(second.status).toBe(201);
    expect(second.json.previous_key_revokes_at).toBe(first.previous_key_revokes_at);
    expect(second.json.plaintext).not.toBe(first.plaintext);
    expect(await works(second.json.plaintext)).toBe(true);
    app.clock.advance(-3_600_000);
  });

  test("makes a key for each concurrent request without an Idempotency-Key", async () => {
    const old = await app.key("physical");
    const replies = await Promise.all(Array.from({ length: 8 }, () => mint(old.key)));
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect(new Set(replies.map(({ json }) => json.plaintext)).size).toBe(8);
    expect(new Set(replies.map(({ json }) => json.previous_key_revokes_at)).size).toBe(1);
    expect(await list(old.key)).toHaveLength(9);
  });

  test("keeps the new key in the organisation: the same tier, the same limits, the same usage", async () => {
    const old = await app.key("pro");
    await app.ask("/v1/carat", { key: old.key });
    const before = (await app.ask("/v1/account/usage", { key: old.key })).json;
    const { plaintext } = (await mint(old.key)).json;
    expect((await app.ask("/v1/account/usage", { key: plaintext })).json).toEqual(before);
  });

  test("uses the requested name, and refuses an invalid one", async () => {
    const { key } = await app.key("pro");
    expect((await mint(key, { body: { name: "x".repeat(64) } })).status).toBe(201);
    for (const name of ["", "   ", "x".repeat(65), 5, null, ["a"], "tab\tbed", "null\u0000", "line\nbreak", "\u007f"]) {
      const { status, json } = await mint(key, { body: { name } });
      expect([status, json.error], JSON.stringify(name)).toEqual([422, "validation_error"]);
      expect(json.issues[0]?.path).toEqual(["body", "name"]);
    }
    expect((await mint(key, { body: { name: "half of a pair: \ud800" } })).status).toBe(201);
    const { json } = await mint(key, { body: { name: "Schlüssel 金 👍" } });
    expect((await list(key)).find(({ id }) => id === json.id)?.name).toBe("Schlüssel 金 👍");
  });
});

describe("the limit of twenty keys", () => {
  test("includes keys in grace: another key is 409, and a retry still reads its answer", async () => {
    const { key } = await app.key("pro");
    for (let count = 1; count < 19; count += 1) expect((await mint(key)).status).toBe(201);
    const last = await mint(key, { idempotencyKey: "the-last" });
    expect(last.status).toBe(201);
    const { status, json } = await mint(key);
    expect([status, json.error]).toEqual([409, "key_limit_reached"]);
    expect((await mint(key, { idempotencyKey: "the-last" })).text).toBe(last.text);
    const listed = await list(key);
    expect(listed).toHaveLength(20);
    await revoke(key, last.json.id);
    expect((await mint(key)).status).toBe(201);
  });
});

describe("an Idempotency-Key", () => {
  test("makes a retry read the same answer, and mints once", async () => {
    const { key } = await app.key("free");
    const first = await mint(key, { body: { name: "ci" }, idempotencyKey: "retry-1" });
    app.clock.advance(3_600_000);
    const again = await mint(key, { body: { name: "ci" }, idempotencyKey: "retry-1" });
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(await list(key)).toHaveLength(2);
    app.clock.advance(-3_600_000);
  });

  test("with another body is refused", async () => {
    const { key } = await app.key("free");
    await mint(key, { body: { name: "ci" }, idempotencyKey: "retry-1" });
    for (const body of [{ name: "cd" }, undefined, {}]) {
      const { status, json } = await mint(key, { body, idempotencyKey: "retry-1" });
      expect([status, json.error]).toEqual([422, "validation_error"]);
      expect(json.issues[0]?.path).toEqual(["header", "Idempotency-Key"]);
    }
    expect(await list(key)).toHaveLength(2);
  });

  test("lets one of two concurrent requests mint, and the other read its answer", async () => {
    const { key } = await app.key("pro");
    const replies = await Promise.all(Array.from({ length: 10 }, () => mint(key, { idempotencyKey: "at-once" })));
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(201));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(await list(key)).toHaveLength(2);
  });

  test("belongs to one key: another key's bearer mints under the same one", async () => {
    const first = await app.key("free");
    const second = await app.key("free", first);
    const one = await mint(first.key, { idempotencyKey: "shared" });
    const two = await mint(second.key, { idempotencyKey: "shared" });
    expect([one.status, two.status]).toEqual([201, 201]);
    expect(two.json.plaintext).not.toBe(one.json.plaintext);
  });

  test("expires after 24 hours", async () => {
    const old = await app.key("free");
    const key = (await mint(old.key)).json.plaintext;
    const startMs = app.clock();
    const first = await mint(key, { idempotencyKey: "daily" });
    const second = (await mint(first.json.plaintext, { idempotencyKey: "daily" })).json;
    expect(second.plaintext).not.toBe(first.json.plaintext);
    app.clock.set(startMs + DAY_MS);
    expect((await mint(second.plaintext, { idempotencyKey: "daily" })).json.plaintext).not.toBe(second.plaintext);
    app.clock.set(startMs);
  });

  test("has 1 to 255 printable characters, with spaces only inside", async () => {
    const { key } = await app.key("pro");
    expect((await mint(key, { idempotencyKey: "~ !x" })).status).toBe(201);
    expect((await mint(key, { idempotencyKey: "k".repeat(255) })).status).toBe(201);
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

describe("deleting", () => {
  test("ends a key at once, without grace", async () => {
    const own = await app.key("free");
    const other = await app.key("free", own);
    expect(await works(other.key)).toBe(true);
    const { status, text, headers } = await revoke(own.key, other.keyId);
    expect([status, text, headers.get("content-type")]).toEqual([204, "", null]);
    expect(await works(other.key)).toBe(false);
    expect((await list(own.key)).map(({ id }) => id)).toEqual([own.keyId]);
  });

  test("ends a key in grace at once", async () => {
    const old = await app.key("free");
    const { plaintext } = (await mint(old.key)).json;
    expect((await revoke(plaintext, old.keyId)).status).toBe(204);
    expect(await works(old.key)).toBe(false);
  });

  test("works on the calling key itself", async () => {
    const own = await app.key("free");
    expect((await revoke(own.key, own.keyId)).status).toBe(204);
    expect(await works(own.key)).toBe(false);
  });

  test("twice gives the same answer", async () => {
    const own = await app.key("free");
    const other = await app.key("free", own);
    for (let time = 0; time < 2; time += 1) expect((await revoke(own.key, other.keyId)).status).toBe(204);
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

  test("takes effect in other processes at once", async () => {
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
    app.clock.advance(-1_000);
    expect((await list(own.key)).map(({ id }) => id)).toEqual([second.keyId, own.keyId]);
  });

  test("says when a key was last used, once usage has been settled", async () => {
    const own = await makeKey(app.store, { tier: "free", nowMs: app.clock() });
    const first = await startTestApp({ store: app.store, clock: app.clock });
    expect((await first.ask<KeyPublic[]>("/v1/account/keys", { key: own.key })).json[0]?.last_used_at).toBeNull();
    await first.close();
    expect((await list(own.key))[0]?.last_used_at).toBe(iso(app.clock()));
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

  test("includes streams where the tier has any", async () => {
    const { key } = await app.key("realtime_pro");
    expect((await app.ask("/v1/account/usage", { key })).json).toMatchObject({ active_streams: 0, max_streams: 10 });
  });

  test("begins a new day at UTC midnight and a new month on its first", async () => {
    const { key } = await app.key("basic");
    const usageAt = async (text: string) => {
      app.clock.set(Date.parse(text));
      await app.ask("/v1/prices", { key });
      const { calls_today, calls_this_month, resets_at } = (await app.ask("/v1/account/usage", { key })).json;
      return [calls_today, calls_this_month, resets_at];
    };
    const startMs = app.clock();
    expect(await usageAt("2026-11-29T23:59:59Z")).toEqual([1, 1, "2026-12-01T00:00:00Z"]);
    expect(await usageAt("2026-11-30T00:00:00Z")).toEqual([1, 2, "2026-12-01T00:00:00Z"]);
    expect(await usageAt("2026-11-30T23:59:59.999Z")).toEqual([2, 3, "2026-12-01T00:00:00Z"]);
    expect(await usageAt("2026-12-01T00:00:00Z")).toEqual([1, 1, "2027-01-01T00:00:00Z"]);
    app.clock.set(startMs);
  });
});
