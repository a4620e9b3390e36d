/** The API as the route suites test it: one row at least behind every route, within and beyond the depth of each tier. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ArchiveName, openArchives } from "@assay/archives";
import {
  BAR_SYMBOLS,
  DAY_MS,
  INTERVAL_MS,
  INTERVALS,
  overlayCatalog,
  SURFACE_METALS,
  startOfUtcDay,
  TIER_NAMES,
  type TierCatalog,
  type TierName,
} from "@assay/contract";
import { revokeKey } from "@assay/db";
import {
  FRIDAY_MS,
  makeBars,
  makeDealerTick,
  makeKeys,
  makeRates,
  makeSettlement,
  makeSurfaces,
  makeTick,
  type TestKey,
} from "@assay/testkit";
import type { SuiteHarness } from "@assay/testkit/suite";
import { alertSamples } from "./alert-samples.ts";
import { referenceOf } from "./bars-app.ts";
import { freshAddress, startTestApp, type TestApp } from "./start-test-app.ts";

/** Days ago on which reference rates were published. */
const REFERENCE_DAYS = [400, 60, ...Array.from({ length: 20 }, (_, days) => days)];

const GOLD = "XAU-USD-SPOT";
/** Platinum and palladium have days for their ratios alone. */
const DAILY = [...BAR_SYMBOLS, "XPT-USD-SPOT", "XPD-USD-SPOT"];
/** The newest closed bar of each interval: what shows one figure has one. */
const latestBars = (symbol: string) =>
  INTERVALS.filter((interval) => interval !== "1d").flatMap((interval) => {
    const length = INTERVAL_MS[interval];
    return makeBars(interval, Math.floor(FRIDAY_MS / length) * length - length, 1, { symbol });
  });

const fill = async (app: TestApp): Promise<void> => {
  const dayMs = startOfUtcDay(FRIDAY_MS);
  await app.publish({
    ticks: [
      makeTick(1, { computedAtMs: FRIDAY_MS - 16 * 60_000 }),
      makeTick(2, { computedAtMs: FRIDAY_MS, price: "4005.10" }),
      makeTick(1, { instrument: "XAG-USD-SPOT", price: "48.250" }),
      makeTick(1, { instrument: "HG-USD-SPOT", price: "4.6150" }),
    ],
    fx: [
      makeRates({ observedAtMs: FRIDAY_MS - 16 * 60_000 }),
      makeRates(),
      ...REFERENCE_DAYS.map((days) => referenceOf(days, { USD: "1.1570" })),
    ],
    bars: [
      ...makeBars("1d", dayMs - DAY_MS, 20),
      // One within the depth of each tier.
      ...[60, 400].flatMap((days) => makeBars("1d", dayMs - days * DAY_MS, 1)),
      ...DAILY.filter((symbol) => symbol !== GOLD).flatMap((symbol) => makeBars("1d", dayMs - DAY_MS, 20, { symbol })),
      ...makeBars("1m", FRIDAY_MS - 2 * 60_000, 60),
      ...BAR_SYMBOLS.flatMap(latestBars),
    ],
    settlements: [makeSettlement(), makeSettlement({ symbol: "SI", futuresContract: "SIZ26", price: "48.500" })],
  });
  await app.publishDealers(makeDealerTick(1));
  for (const metal of SURFACE_METALS) await app.publishSurfaces(makeSurfaces(metal));
};

/** Keys made at a time. */
const LOT = 100;

const harnessOf = (app: TestApp): SuiteHarness => {
  const minters = new Map<string, TestKey>();
  const stock = new Map<TierName, TestKey[]>();
  return {
    baseUrl: app.url,
    catalog: app.catalog,
    now: app.clock,
    mint: async (tier) => {
      const left = stock.get(tier) ?? [];
      stock.set(tier, left);
      // Used once already: a first use is stored in the background, and a list of keys would change between two requests.
      if (left.length === 0) left.push(...(await makeKeys(app.store, tier, app.clock(), LOT)));
      const minted = left.pop();
      if (!minted) throw new Error("no key was made");
      minters.set(`Bearer ${minted.key}`, minted);
      return minted;
    },
    revoke: async ({ keyId }) => {
      await revokeKey(app.store, { id: keyId, atMs: app.clock() });
    },
    retire: async ({ keyId }) => {
      await revokeKey(app.store, { id: keyId, atMs: app.clock() + DAY_MS });
    },
    freshAddress: () => ({ "X-Forwarded-For": freshAddress() }),
    samples: {
      // Another key of the caller's organisation, so that the caller can continue.
      "account.revokeKey": async ({ headers }) => {
        const minter = minters.get(headers.authorization ?? "");
        return { key_id: minter ? (await app.key(minter.tier, minter)).keyId : "none" };
      },
      ...alertSamples(app, ({ headers }) => minters.get(headers.authorization ?? "")?.orgId),
    },
  };
};

/** The tier that asks most of the questions; no route needs it. */
const WIDEST: TierName = "realtime_pro";
/** Few requests a minute, because each route is asked until it refuses. */
const SCARCE = Object.fromEntries(TIER_NAMES.map((tier) => [tier, { rate_limit_per_minute: tier === WIDEST ? 120 : 8 }]));

/** A running API, and how the suites reach it. */
export interface SuiteApp {
  readonly app: TestApp;
  readonly harness: SuiteHarness;
  close(): Promise<void>;
}

/**
 * Starts it.
 * @param catalog the tiers and limits it runs with
 */
export const startSuiteApp = async (catalog: TierCatalog = overlayCatalog(SCARCE)): Promise<SuiteApp> => {
  const folder = await mkdtemp(join(tmpdir(), "assay-routes-"));
  const archives = openArchives({ kind: "file", directory: folder });
  const archived: ArchiveName = { symbol: "XAU-USD-SPOT", interval: "1d", year: 2026, format: "parquet" };
  await archives.put(archived, Buffer.from("PAR1"), { rows: 0, sha256: "" });
  const app = await startTestApp({ marketHours: false, archives, ...(catalog ? { catalog } : {}) });
  await fill(app);
  return {
    app,
    harness: harnessOf(app),
    close: async () => {
      await app.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
