/** Runs the automatic suite on every route of the contract, and on every route outside `/v1`. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ArchiveName, openArchives } from "@assay/archives";
import { contract, DAY_MS, pages } from "@assay/contract";
import { revokeKey, touchKeys } from "@assay/db";
import {
  FRIDAY_MS,
  makeBars,
  makeDealerTick,
  makeRates,
  makeSettlement,
  makeSurfaces,
  makeTick,
  type TestKey,
} from "@assay/testkit";
import { routeSuite, type SuiteHarness } from "@assay/testkit/suite";
import { PAGE_DOORS } from "@assay/testkit/wire";
import { afterAll, beforeAll } from "vitest";
import { freshAddress, startTestApp, type TestApp } from "./testing/start-test-app.ts";

const minters = new Map<string, TestKey>();
let app: TestApp;
let archiveFolder: string;

beforeAll(async () => {
  archiveFolder = await mkdtemp(join(tmpdir(), "assay-routes-"));
  const archives = openArchives({ kind: "file", directory: archiveFolder });
  const archived: ArchiveName = { symbol: "XAU-USD-SPOT", interval: "1d", year: 2026, format: "parquet" };
  await archives.put(archived, Buffer.from("PAR1"), { rows: 0, sha256: "" });
  app = await startTestApp({ marketHours: false, archives });
  const dayMs = Math.floor(FRIDAY_MS / DAY_MS) * DAY_MS;
  await app.publish({
    ticks: [
      makeTick(1, { computedAtMs: FRIDAY_MS - 16 * 60_000 }),
      makeTick(2, { computedAtMs: FRIDAY_MS, price: "4005.10" }),
      makeTick(1, { instrument: "XAG-USD-SPOT", price: "48.250" }),
    ],
    fx: [makeRates({ observedAtMs: FRIDAY_MS - 16 * 60_000 }), makeRates()],
    bars: [
      ...makeBars("1d", dayMs - DAY_MS, 20),
      ...makeBars("1d", dayMs - DAY_MS, 20, { symbol: "XAG-USD-SPOT", close: "48.125" }),
      ...makeBars("1m", FRIDAY_MS - 60_000, 60),
    ],
    settlements: [makeSettlement(), makeSettlement({ symbol: "SI", futuresContract: "SIZ26", price: "48.500" })],
  });
  await app.publishDealers(makeDealerTick(1));
  await app.publishSurfaces(makeSurfaces());
});
afterAll(async () => {
  await app.close();
  await rm(archiveFolder, { recursive: true, force: true });
});

const harness = (): SuiteHarness => ({
  baseUrl: app.url,
  catalog: app.catalog,
  now: app.clock,
  mint: async (tier) => {
    const minted = await app.key(tier);
    // A first use is stored in the background: a list of keys would change between two requests.
    await touchKeys(app.store, [{ keyId: minted.keyId, usedAtMs: app.clock() }]);
    minters.set(minted.keyId, minted);
    return minted;
  },
  revoke: async ({ keyId }) => {
    await revokeKey(app.store, { id: keyId, atMs: app.clock() });
  },
  freshAddress: () => ({ "X-Forwarded-For": freshAddress() }),
  samples: {
    // Another key of the caller's organisation, so that the caller can continue.
    "account.revokeKey": async (caller) => {
      const minter = minters.get(caller?.keyId ?? "");
      return { key_id: minter ? (await app.key(minter.tier, minter)).keyId : "none" };
    },
  },
});

routeSuite(contract, harness);
routeSuite(pages, harness, PAGE_DOORS);
