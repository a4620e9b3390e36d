import { Refusal } from "@assay/contract";
import { createOrganisation, insertKey, openStore, revokeKey, type Store, StoreUnavailableError } from "@assay/db";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newKey } from "../account/new-key.ts";
import type { Caller } from "../context.ts";
import { hashKey } from "./api-key.ts";
import { Authenticator } from "./authenticate.ts";

const START_MS = Date.UTC(2026, 10, 20, 14);
const SECOND_MS = 1_000;
const silent = { error: () => {}, warn: () => {} };

let real: Store;
let nowMs = START_MS;
let isDown = false;
let questions = 0;
let authenticator: Authenticator;
let orgs = 0;

/** A store with a switch, that counts what it is asked. */
const watched = (): Store => ({
  ...real,
  run: async (work, timeoutMs) => {
    questions += 1;
    if (isDown) throw new StoreUnavailableError("the database does not answer");
    return real.run(work, timeoutMs);
  },
});

beforeAll(async () => {
  real = await openStore({ memory: true });
});
afterAll(() => real.close());
beforeEach(() => {
  nowMs = START_MS;
  isDown = false;
  questions = 0;
  authenticator = new Authenticator({ store: watched(), clock: () => nowMs, log: silent });
});

const mint = async (): Promise<{ key: string; id: string; orgId: string }> => {
  orgs += 1;
  const orgId = `org-${orgs}`;
  await createOrganisation(real, { id: orgId, name: orgId, tier: "pro", createdAtMs: START_MS });
  const { plaintext, row } = newKey(orgId, "default", START_MS);
  await insertKey(real, row);
  return { key: plaintext, id: row.id, orgId };
};

const ask = async (key: string): Promise<Caller> => authenticator.authenticate(key, "10.0.0.1");

const codeOf = async (key: string): Promise<string> => {
  try {
    await ask(key);
    return "ok";
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
};

describe("a key", () => {
  test("is who it belongs to", async () => {
    const { key, id, orgId } = await mint();
    expect(await ask(key)).toMatchObject({ tier: "pro", key: { id, orgId, revokedAtMs: null }, ip: "10.0.0.1" });
  });

  test("is looked up once in five seconds, and at once without waiting in between", async () => {
    const { key } = await mint();
    await ask(key);
    nowMs += 5 * SECOND_MS - 1;
    expect(authenticator.authenticate(key, "10.0.0.1")).not.toBeInstanceOf(Promise);
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

  test("of the wrong form costs no look-up", async () => {
    const { key } = await mint();
    for (const bad of ["", "x", key.slice(0, -1), `${key}0`, key.toLowerCase(), key.replace("live", "test")]) {
      expect(await codeOf(bad), bad).toBe("invalid_api_key");
    }
    expect(questions).toBe(0);
  });

  test("that is deleted by another process ends within five seconds, and at once when that is heard of", async () => {
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

  test("whose end is heard of while it is looked up ends, although the row was read before", async () => {
    const { key } = await mint();
    const asked = codeOf(key);
    authenticator.keyChanged(hashKey(key), nowMs);
    expect(await asked).toBe("invalid_api_key");
    expect(await codeOf(key)).toBe("invalid_api_key");
  });

  test("keeps the earlier of two ends, in whatever order they are heard", async () => {
    const { key } = await mint();
    await ask(key);
    authenticator.keyChanged(hashKey(key), nowMs + SECOND_MS);
    authenticator.keyChanged(hashKey(key), nowMs + 60 * SECOND_MS);
    authenticator.keyChanged(hashKey(key), null);
    nowMs += SECOND_MS;
    expect(await codeOf(key)).toBe("invalid_api_key");
  });
});

describe("while the store does not answer", () => {
  test("keys seen within the last 60 seconds authenticate, counted from when they were last seen", async () => {
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
    // For five seconds after it was looked up a key counts as seen.
    nowMs = START_MS + 65 * SECOND_MS;
    expect(await codeOf(key)).toBe("auth_unavailable");
  });

  test("other keys are told so, and never taken for nobody's", async () => {
    const { key } = await mint();
    isDown = true;
    expect(await codeOf(key)).toBe("auth_unavailable");
  });

  test("a key whose end is heard of ends all the same", async () => {
    const { key } = await mint();
    await ask(key);
    isDown = true;
    nowMs += 10 * SECOND_MS;
    authenticator.keyChanged(hashKey(key), nowMs);
    expect(await codeOf(key)).toBe("invalid_api_key");
  });

  test("the store is asked about trusted keys once a second, so that they need not wait", async () => {
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

  test("everybody is let in again as soon as it answers", async () => {
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

test("uses are handed over once, each key with its last", async () => {
  const { key, id } = await mint();
  await ask(key);
  nowMs += SECOND_MS;
  await ask(key);
  expect(authenticator.takeUsed()).toEqual(new Map([[id, nowMs]]));
  expect(authenticator.takeUsed().size).toBe(0);
});
