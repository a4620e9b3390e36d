import { randomUUID } from "node:crypto";
import { createOrganisation, findKeyByHash, insertKey, listKeys, revokeKey, rotateKey, type Store } from "@assay/db";
import { openEmbeddedStore } from "@assay/db/testing";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newKey } from "../account/new-key.ts";
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
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
      const orgId = randomUUID();
      await createOrganisation(store, { id: orgId, name: "Org", tier: "free", createdAtMs: START_MS });
      const first = newKey(orgId, "first", START_MS);
      await insertKey(store, first.row);
      const keys: Known[] = [{ id: first.row.id, keyHash: first.row.keyHash, life: { revokedAtMs: null } }];
      let atMs = START_MS;
      for (const { kind, key, afterMs } of steps) {
        atMs += afterMs;
        const chosen = keys[key % keys.length];
        if (!chosen || kind === "time") continue;
        const expected = transition(chosen.life, { kind: kind === "mint" ? "mint" : "delete", atMs });
        if (kind === "mint") {
          const { row } = newKey(orgId, "next", atMs);
          const result = await rotateKey(store, {
            callerKeyId: chosen.id,
            newKey: row,
            graceUntilMs: atMs + GRACE_MS,
            mostKeys: 100,
          });
          expect(result.kind).toBe(expected.allowed ? "minted" : "caller_revoked");
          if (result.kind === "minted") {
            expect(result.previousKeyRevokesAtMs).toBe(expected.life.revokedAtMs);
            keys.push({ id: row.id, keyHash: row.keyHash, life: { revokedAtMs: null } });
          }
        } else {
          const ended = await revokeKey(store, { id: chosen.id, orgId, atMs });
          expect(ended?.revokedAtMs).toBe(expected.life.revokedAtMs);
        }
        chosen.life = expected.life;
      }
      for (const { keyHash, life } of keys) expect((await findKeyByHash(store, keyHash))?.revokedAtMs).toBe(life.revokedAtMs);
      const listed = (await listKeys(store, { orgId, liveAtMs: atMs })).map(({ id }) => id);
      const alive = keys.filter(({ life }) => keyState(life, atMs) !== "revoked").map(({ id }) => id);
      expect(listed.toSorted()).toEqual(alive.toSorted());
    }),
    { numRuns: 40 },
  );
});
