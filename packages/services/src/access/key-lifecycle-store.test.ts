import { randomUUID } from "node:crypto";
import { shownSecond } from "@assay/contract";
import { createOrganisation, findKeyByHash, insertKey, listKeys, revokeKey, rotateKey, type Store } from "@assay/db";
import { openEmbeddedStore } from "@assay/db/testing";
import { machineRandom } from "@assay/ports";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newKey } from "../account/keys.ts";
import { GRACE_MS, type KeyLife, keyState, transition } from "./key-lifecycle.ts";

const START_MS = Date.UTC(2026, 10, 20, 14);

let store: Store;
beforeAll(async () => {
  store = await openEmbeddedStore();
});
afterAll(() => store.close());

interface Known {
  readonly id: string;
  readonly keyHash: string;
  life: KeyLife;
}

const step = fc.record({
  kind: fc.constantFrom("mint", "delete", "time"),
  key: fc.nat(20),
  afterMs: fc.oneof(fc.nat(60_000), fc.nat(GRACE_MS), fc.constant(GRACE_MS)),
});

test("the store goes through the same states as the machine, whatever happens to an organisation's keys", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), fc.option(fc.nat(3 * GRACE_MS)), async (steps, lastsMs) => {
      const orgId = randomUUID();
      await createOrganisation(store, { id: orgId, name: "Org", tier: "free", createdAtMs: START_MS });
      const expiresAtMs = lastsMs === null ? null : shownSecond(START_MS + 1_000 + lastsMs);
      const first = newKey({ orgId, name: "first", expiresAtMs }, START_MS, machineRandom);
      await insertKey(store, first.row);
      const keys: Known[] = [{ id: first.row.id, keyHash: first.row.keyHash, life: { revokedAtMs: null, expiresAtMs } }];
      let atMs = START_MS;
      for (const { kind, key, afterMs } of steps) {
        atMs += afterMs;
        const chosen = keys[key % keys.length];
        if (!chosen || kind === "time") continue;
        const expected = transition(chosen.life, { kind: kind === "mint" ? "mint" : "delete", atMs });
        if (kind === "mint") {
          // What the caller asks for does not matter: a key that replaces another ends when that one would have.
          const { row } = newKey({ orgId, name: "next", expiresAtMs: null }, atMs, machineRandom);
          const result = await rotateKey(store, {
            callerKeyId: chosen.id,
            newKey: row,
            graceUntilMs: shownSecond(atMs + GRACE_MS),
            mostKeys: 100,
          });
          const refusal = keyState(chosen.life, atMs) === "grace" ? "caller_in_grace" : "caller_revoked";
          expect(result.kind).toBe(expected.allowed ? "minted" : refusal);
          if (result.kind === "minted") {
            keys.push({ id: row.id, keyHash: row.keyHash, life: { revokedAtMs: null, expiresAtMs } });
          }
        } else {
          const ended = await revokeKey(store, { id: chosen.id, orgId, atMs });
          expect(ended?.revokedAtMs).toBe(expected.life.revokedAtMs);
        }
        chosen.life = expected.life;
      }
      for (const { keyHash, life } of keys) expect(await findKeyByHash(store, keyHash)).toMatchObject(life);
      const listed = (await listKeys(store, { orgId, liveAtMs: atMs })).map(({ id }) => id);
      const alive = keys.filter(({ life }) => keyState(life, atMs) !== "revoked").map(({ id }) => id);
      expect(listed.toSorted()).toEqual(alive.toSorted());
    }),
    { numRuns: 40 },
  );
});
