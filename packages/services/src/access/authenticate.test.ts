import { DEFAULT_CATALOG, SECOND_MS } from "@assay/contract";
import {
  createOrganisation,
  insertKey,
  revokeKey,
  type Store,
  StoreUnavailableError,
  setTier,
  suspendOrganisation,
} from "@assay/db";
import { openEmbeddedStore } from "@assay/db/testing";
import { openMemoryLive, silentLog } from "@assay/live";
import { machineRandom } from "@assay/ports";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newKey } from "../account/keys.ts";
import { attempt } from "../call.ts";
import type { Caller } from "../context.ts";
import { leakedFail } from "../testing/verb-context.ts";
import { generateKey, hashKey } from "./api-key.ts";
import { Authenticator, type KeyFails } from "./authenticate.ts";

const START_MS = Date.UTC(2026, 10, 20, 14);

let real: Store;
let nowMs = START_MS;
let isDown = false;
let questions = 0;
/** Called while the store is queried. */
let meanwhile = () => {};
let authenticator: Authenticator;
let orgs = 0;

/** A store with a switch, that counts its queries. */
const watched = (): Store => ({
  ...real,
  run: async (work, timeoutMs) => {
    questions += 1;
    if (isDown) throw new StoreUnavailableError("the database does not answer");
    const read = await real.run(work, timeoutMs);
    meanwhile();
    return read;
  },
});

beforeAll(async () => {
  real = await openEmbeddedStore();
});
afterAll(() => real.close());
beforeEach(() => {
  nowMs = START_MS;
  isDown = false;
  questions = 0;
  meanwhile = () => {};
  authenticator = new Authenticator({
    store: watched(),
    live: openMemoryLive({ clock: () => nowMs }),
    clock: () => nowMs,
    log: silentLog,
    catalog: DEFAULT_CATALOG,
    keyGraceMs: 60 * SECOND_MS,
  });
});

const mint = async (expiresAtMs: number | null = null): Promise<{ key: string; id: string; orgId: string }> => {
  orgs += 1;
  const orgId = `org-${orgs}`;
  await createOrganisation(real, { id: orgId, name: orgId, tier: "pro", createdAtMs: START_MS });
  const { plaintext, row } = newKey({ orgId, name: "default", expiresAtMs }, START_MS, machineRandom);
  await insertKey(real, row);
  return { key: plaintext, id: row.id, orgId };
};

const fail = leakedFail();
const fails: KeyFails = { fail, failCounted: (code, detail) => fail(code, detail) };

const ask = async (key: string, ip = "10.0.0.1", isChanging = false): Promise<Caller> =>
  (await authenticator.authenticate(key, ip, fails, isChanging)) ?? fail("invalid_api_key");

const codeOf = async (key: string, ip?: string, isChanging = false): Promise<string> =>
  attempt<string>(
    async () => {
      await ask(key, ip, isChanging);
      return "ok";
    },
    ({ code }) => code,
  );

describe("a key", () => {
  test("is who it belongs to", async () => {
    const { key, id, orgId } = await mint();
    expect(await ask(key)).toMatchObject({ tier: "pro", key: { id, orgId, revokedAtMs: null }, ip: "10.0.0.1" });
  });

  test("is looked up once in five seconds, without waiting in between", async () => {
    const { key } = await mint();
    await ask(key);
    nowMs += 5 * SECOND_MS - 1;
    expect(authenticator.authenticate(key, "10.0.0.1", fails)).not.toBeInstanceOf(Promise);
    expect(questions).toBe(1);
    nowMs += 1;
    await ask(key);
    expect(questions).toBe(2);
  });

  test("is looked up once for all who present it at the same moment", async () => {
    const { key } = await mint();
    await Promise.all(Array.from({ length: 100 }, () => ask(key)));
    expect(questions).toBe(1);
  });

  test("of the wrong form is never looked up", async () => {
    const { key } = await mint();
    for (const bad of ["", "x", key.slice(0, -1), `${key}0`, key.toLowerCase(), key.replace("live", "test")]) {
      expect(await codeOf(bad), bad).toBe("invalid_api_key");
    }
    expect(questions).toBe(0);
  });

  test("of a suspended organisation is refused within five seconds, and at once when the event arrives, and works once it is resumed", async () => {
    const { key, orgId } = await mint();
    await ask(key);
    await suspendOrganisation(real, orgId, nowMs);
    nowMs += 5 * SECOND_MS;
    expect(await codeOf(key)).toBe("invalid_api_key");
    await suspendOrganisation(real, orgId, null);
    authenticator.keyChanged(hashKey(key), null);
    expect(await codeOf(key)).toBe("ok");
    await suspendOrganisation(real, orgId, nowMs);
    authenticator.keyChanged(hashKey(key), null);
    expect(await codeOf(key)).toBe("invalid_api_key");
    isDown = true;
    nowMs += 10 * SECOND_MS;
    expect(await codeOf(key)).toBe("invalid_api_key");
  });

  test("that is deleted by another process ends within five seconds, and at once when the event arrives", async () => {
    const first = await mint();
    await ask(first.key);
    await revokeKey(real, { id: first.id, atMs: nowMs });
    nowMs += 5 * SECOND_MS;
    expect(await codeOf(first.key)).toBe("invalid_api_key");

    const second = await mint();
    await ask(second.key);
    authenticator.keyChanged(hashKey(second.key), nowMs);
    expect(await codeOf(second.key)).toBe("invalid_api_key");
  });

  test("in grace authenticates until the very millisecond of its end", async () => {
    const { key } = await mint();
    await ask(key);
    authenticator.keyChanged(hashKey(key), nowMs + 2 * SECOND_MS);
    nowMs += 2 * SECOND_MS - 1;
    expect(await codeOf(key)).toBe("ok");
    nowMs += 1;
    expect(await codeOf(key)).toBe("invalid_api_key");
  });

  test("with an end authenticates until its very millisecond, without being looked up again", async () => {
    const { key } = await mint(START_MS + 2 * SECOND_MS);
    expect(await ask(key)).toMatchObject({ key: { revokedAtMs: null, expiresAtMs: START_MS + 2 * SECOND_MS } });
    nowMs += 2 * SECOND_MS - 1;
    expect(await codeOf(key)).toBe("ok");
    nowMs += 1;
    expect(await codeOf(key)).toBe("invalid_api_key");
    expect(questions).toBe(1);
  });

  test("has its organisation's new tier at once when it is announced, and within five seconds when it is not", async () => {
    const [heard, unheard] = [await mint(), await mint()];
    for (const { key } of [heard, unheard]) expect(await ask(key)).toMatchObject({ tier: "pro" });
    for (const { orgId } of [heard, unheard]) await setTier(real, orgId, "free");
    authenticator.keyChanged(hashKey(heard.key), null);
    expect(await ask(heard.key)).toMatchObject({ tier: "free", reach: { intraday: false } });
    expect(await ask(unheard.key)).toMatchObject({ tier: "pro" });
    nowMs += 5 * SECOND_MS;
    expect(await ask(unheard.key)).toMatchObject({ tier: "free" });
  });

  test("whose tier changes while it is looked up has the new one from the next request on", async () => {
    const { key, orgId } = await mint();
    meanwhile = () => authenticator.keyChanged(hashKey(key), null);
    expect(await ask(key)).toMatchObject({ tier: "pro" });
    meanwhile = () => {};
    await setTier(real, orgId, "basic");
    expect(await ask(key)).toMatchObject({ tier: "basic" });
  });

  test("that ends while it is looked up ends, although the row was read before", async () => {
    const { key } = await mint();
    meanwhile = () => authenticator.keyChanged(hashKey(key), nowMs);
    expect(await codeOf(key)).toBe("invalid_api_key");
    expect(await codeOf(key)).toBe("invalid_api_key");
  });

  test("keeps the earlier of two ends, in whatever order they arrive", async () => {
    const { key, id } = await mint();
    await ask(key);
    // An end is stored before it is announced.
    await revokeKey(real, { id, atMs: nowMs + SECOND_MS });
    authenticator.keyChanged(hashKey(key), nowMs + SECOND_MS);
    authenticator.keyChanged(hashKey(key), nowMs + 60 * SECOND_MS);
    authenticator.keyChanged(hashKey(key), null);
    nowMs += SECOND_MS;
    expect(await codeOf(key)).toBe("invalid_api_key");
  });
});

describe("while the store is down", () => {
  test("keys seen within their grace authenticate, counted from when they were last seen", async () => {
    const { key } = await mint();
    await ask(key);
    nowMs += 4 * SECOND_MS;
    await ask(key);
    isDown = true;
    nowMs += 60 * SECOND_MS - 1;
    expect(await codeOf(key)).toBe("ok");
    nowMs += 1;
    expect(await codeOf(key)).toBe("auth_unavailable");
  });

  test("use does not make a key's time longer", async () => {
    const { key } = await mint();
    await ask(key);
    isDown = true;
    for (let second = 1; second < 60; second += 1) {
      nowMs = START_MS + second * SECOND_MS;
      expect(await codeOf(key)).toBe("ok");
    }
    // For five seconds after its look-up a key counts as seen.
    nowMs = START_MS + 65 * SECOND_MS;
    expect(await codeOf(key)).toBe("auth_unavailable");
  });

  test("other keys get 503, and are never reported as unknown", async () => {
    const { key } = await mint();
    isDown = true;
    expect(await codeOf(key)).toBe("auth_unavailable");
  });

  test("a key whose end is announced ends all the same", async () => {
    const { key } = await mint();
    await ask(key);
    isDown = true;
    nowMs += 10 * SECOND_MS;
    authenticator.keyChanged(hashKey(key), nowMs);
    expect(await codeOf(key)).toBe("invalid_api_key");
  });

  test("no key changes anything on trust, also while another request asks about it, or just after: it may have been revoked", async () => {
    const { key, id } = await mint();
    await ask(key);
    const changing = () => codeOf(key, undefined, true);
    await revokeKey(real, { id, atMs: nowMs });
    isDown = true;
    nowMs += 10 * SECOND_MS;
    expect(await Promise.all([codeOf(key), changing()])).toEqual(["ok", "auth_unavailable"]);
    expect(await changing()).toBe("auth_unavailable");
    isDown = false;
    expect(await codeOf(key)).toBe("ok");
    expect(await changing()).toBe("invalid_api_key");
  });

  test("the store is queried about trusted keys once a second, so that they need not wait", async () => {
    const { key } = await mint();
    await ask(key);
    isDown = true;
    nowMs += 10 * SECOND_MS;
    questions = 0;
    for (let request = 0; request < 100; request += 1) expect(await codeOf(key)).toBe("ok");
    expect(questions).toBe(1);
    nowMs += SECOND_MS;
    await ask(key);
    expect(questions).toBe(2);
  });

  test("all keys work again as soon as it answers", async () => {
    const [known, other] = [await mint(), await mint()];
    await ask(known.key);
    isDown = true;
    nowMs += 70 * SECOND_MS;
    expect(await codeOf(known.key)).toBe("auth_unavailable");
    isDown = false;
    expect(await codeOf(other.key)).toBe("ok");
    expect(await codeOf(known.key)).toBe("ok");
  });
});

describe("guessed keys", () => {
  const guesses = (count: number): string[] => Array.from({ length: count }, () => generateKey(machineRandom));
  const tally = (codes: readonly string[]): Record<string, number> =>
    Object.fromEntries([...new Set(codes)].map((code) => [code, codes.filter((each) => each === code).length]));

  test("reach the store twenty times a minute and address, one after the other or all at once", async () => {
    const codes: string[] = [];
    for (const guess of guesses(30)) codes.push(await codeOf(guess, "10.0.0.2"));
    expect(tally(codes)).toEqual({ invalid_api_key: 20, rate_limit_exceeded: 10 });
    expect(questions).toBe(20);
    questions = 0;
    const atOnce = await Promise.all(guesses(500).map((guess) => codeOf(guess, "10.0.0.3")));
    expect(tally(atOnce)).toEqual({ invalid_api_key: 20, rate_limit_exceeded: 480 });
    expect(questions).toBe(20);
  });

  test("lock out no key in use, and no other address", async () => {
    const [used, other] = [await mint(), await mint()];
    await ask(used.key);
    for (const guess of guesses(21)) await codeOf(guess);
    nowMs += 10 * SECOND_MS;
    expect(await codeOf(used.key)).toBe("ok");
    expect(await codeOf(other.key, "10.0.0.2")).toBe("ok");
  });

  test("lock out no key that the store held at the start of the process", async () => {
    const [held, ended] = [await mint(), await mint()];
    await revokeKey(real, { id: ended.id, atMs: nowMs });
    await authenticator.expectKeys();
    for (const guess of guesses(21)) await codeOf(guess);
    expect(await codeOf(held.key)).toBe("ok");
    expect(await codeOf(ended.key)).toBe("rate_limit_exceeded");
    expect(await codeOf((await mint()).key)).toBe("rate_limit_exceeded");
  });

  test("that are one and the same are looked up once in five seconds, and lock no one out", async () => {
    const [bad = ""] = guesses(1);
    const codes = await Promise.all(Array.from({ length: 100 }, () => codeOf(bad)));
    for (let again = 0; again < 100; again += 1) codes.push(await codeOf(bad));
    expect(tally(codes)).toEqual({ invalid_api_key: 200 });
    expect(questions).toBe(1);
    nowMs += 5 * SECOND_MS;
    expect(await codeOf(bad)).toBe("invalid_api_key");
    expect(questions).toBe(2);
    expect(await codeOf((await mint()).key)).toBe("ok");
  });

  test("do not include new keys: many that come from one address at once are all accepted", async () => {
    const keys = [];
    for (let count = 0; count < 50; count += 1) keys.push((await mint()).key);
    questions = 0;
    expect(tally(await Promise.all(keys.map((key) => codeOf(key))))).toEqual({ ok: 50 });
    expect(questions).toBe(50);
  });
});

describe("a key that was unknown", () => {
  const unborn = async () => {
    orgs += 1;
    const orgId = `org-${orgs}`;
    await createOrganisation(real, { id: orgId, name: orgId, tier: "pro", createdAtMs: START_MS });
    return newKey({ orgId, name: "default", expiresAtMs: null }, START_MS, machineRandom);
  };

  test("works at once when it is announced, and within five seconds when it is not", async () => {
    const [heard, unheard] = [await unborn(), await unborn()];
    for (const { plaintext } of [heard, unheard]) expect(await codeOf(plaintext)).toBe("invalid_api_key");
    for (const { row } of [heard, unheard]) await insertKey(real, row);
    authenticator.keyChanged(heard.row.keyHash, null);
    expect(await codeOf(heard.plaintext)).toBe("ok");
    expect(await codeOf(unheard.plaintext)).toBe("invalid_api_key");
    nowMs += 5 * SECOND_MS;
    expect(await codeOf(unheard.plaintext)).toBe("ok");
  });

  test("works at once when it is announced, however many keys its address has guessed", async () => {
    const { plaintext, row } = await unborn();
    await insertKey(real, row);
    for (let guess = 0; guess < 21; guess += 1) await codeOf(generateKey(machineRandom));
    expect(await codeOf(plaintext)).toBe("rate_limit_exceeded");
    authenticator.keyChanged(row.keyHash, null);
    expect(await codeOf(plaintext)).toBe("ok");
  });

  test("works when it is stored and announced while it is looked up", async () => {
    const { plaintext, row } = await unborn();
    const store = watched();
    let reads = 0;
    const racing: Store = {
      ...store,
      run: async (work, timeoutMs) => {
        const read = await store.run(work, timeoutMs);
        reads += 1;
        if (reads > 1) return read;
        await insertKey(real, row);
        racer.keyChanged(row.keyHash, null);
        return read;
      },
    };
    const clock = () => nowMs;
    const racer = new Authenticator({
      store: racing,
      live: openMemoryLive({ clock }),
      clock,
      log: silentLog,
      catalog: DEFAULT_CATALOG,
      keyGraceMs: 60 * SECOND_MS,
    });
    expect(await racer.authenticate(plaintext, "10.0.0.1", fails)).toMatchObject({ tier: "pro" });
  });
});

test("uses are handed over once, each key with its last", async () => {
  const { key, id } = await mint();
  await ask(key);
  nowMs += SECOND_MS;
  await ask(key);
  expect(authenticator.takeUsed()).toEqual(new Map([[id, nowMs]]));
  expect(authenticator.takeUsed().size).toBe(0);
});
