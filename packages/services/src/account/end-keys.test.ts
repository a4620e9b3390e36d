/** Ends of keys, as releases that know no `expires_at` read them. */
import { createOrganisation, insertKey, listKeys } from "@assay/db";
import { openEmbeddedStore } from "@assay/db/testing";
import { silentLog } from "@assay/live";
import { machineRandom } from "@assay/ports";
import { virtualTime } from "@assay/ports/virtual";
import { expect, onTestFinished, test } from "vitest";
import { noteEnds } from "./end-keys.ts";
import { newKey } from "./keys.ts";

const NOW_MS = Date.UTC(2026, 10, 20, 14);

test("a key that has ended is revoked in the store within a minute", async () => {
  const store = await openEmbeddedStore();
  onTestFinished(() => store.close());
  await createOrganisation(store, { id: "org", name: "Org", tier: "free", createdAtMs: NOW_MS });
  await insertKey(store, newKey({ orgId: "org", name: "trial", expiresAtMs: NOW_MS + 60_000 }, NOW_MS, machineRandom).row);
  const clock = virtualTime(NOW_MS);
  const ends = noteEnds({ store, log: silentLog, clock });
  await clock.advance(60_000);
  await ends.stop();
  expect(await listKeys(store)).toMatchObject([{ revokedAtMs: NOW_MS + 60_000 }]);
});
