/** Writing and reading probability surfaces, on every engine. */
import { DAY_MS } from "@assay/contract";
import type { HorizonSurface } from "@assay/pricing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { StaleTokenError } from "../errors.ts";
import { prune } from "../records/maintenance.ts";
import { claimFence } from "../statements/fence.ts";
import { rowsOf, type Store } from "../store.ts";
import { emptyTables, testEngines } from "../testing/engines.ts";
import { NOON_MS } from "../testing/rows.ts";
import { readSurfaces, writeSurfaces } from "./surfaces.ts";

const WRITER = { token: 7, holder: "writer-a" };
const dayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

/** A surface that ends some days after noon. */
const surface = (days: number, change: Partial<HorizonSurface> = {}): HorizonSurface => ({
  metal: "xau",
  horizon: dayOf(NOON_MS + days * DAY_MS),
  expiresAtMs: NOON_MS + days * DAY_MS,
  spotUsd: "4003.20",
  forwardUsd: "4010.123456",
  percentiles: { p10: "3712.40", p25: "3861.90", p50: "4015.30", p75: "4171.80", p90: "4330.60" },
  points: [{ strike: "4000.00", probAbove: 0.541234, rawProbAbove: null, sources: ["kalshi"], extrapolated: false }],
  venues: [{ venue: "kalshi", type: "prediction_market", retrievedAtMs: NOON_MS, marketsUsed: 11, volumeUsd: null }],
  confidence: "medium",
  thinLiquidity: false,
  method: "isotonic_ladder",
  flags: ["prediction_markets_only"],
  computedAtMs: NOON_MS,
  retrievedAtMs: NOON_MS,
  ...change,
});

describe.each(testEngines)("surfaces on $name", (engine) => {
  let store: Store;
  beforeAll(async () => {
    store = await engine.open();
  });
  beforeEach(async () => {
    await emptyTables(store);
  });
  afterAll(() => store.close());

  const write = (surfaces: HorizonSurface[], nowMs = NOON_MS) => writeSurfaces(store, WRITER, surfaces, nowMs);

  test("come back as they were, by date, of one metal", async () => {
    await write([surface(30), surface(7), surface(7, { metal: "xag" })]);
    expect(await readSurfaces(store, "xau", NOON_MS)).toEqual([surface(7), surface(30)]);
    expect(await readSurfaces(store, "xag", NOON_MS)).toEqual([surface(7, { metal: "xag" })]);
  });

  test("replace older ones of their horizon and never newer ones; horizons not included stay", async () => {
    await write([surface(7), surface(30)]);
    const newer = surface(7, { computedAtMs: NOON_MS + 60_000, spotUsd: "4005.00" });
    await write([newer]);
    await write([surface(7, { computedAtMs: NOON_MS + 30_000 })]);
    expect(await readSurfaces(store, "xau", NOON_MS)).toEqual([newer, surface(30)]);
  });

  test("are gone once their last market has ended, except for a day that later markets took over", async () => {
    const morning = surface(1);
    const evening = surface(1, { expiresAtMs: morning.expiresAtMs + 3_600_000, computedAtMs: NOON_MS + DAY_MS });
    await write([morning, surface(30)]);
    expect(await readSurfaces(store, "xau", morning.expiresAtMs)).toEqual([surface(30)]);
    await write([evening], morning.expiresAtMs);
    expect(await readSurfaces(store, "xau", morning.expiresAtMs)).toEqual([evening, surface(30)]);
    await write([], evening.expiresAtMs);
    expect(await readSurfaces(store, "xau", 0)).toEqual([surface(30)]);
  });

  // A server vacuums on its own.
  if (engine.name === "PGlite")
    test("of a chain with hundreds of strikes take the space of those they replace, minute after minute", async () => {
      const sized = async (): Promise<number> => {
        const [row] = await store.run((db) =>
          rowsOf<{ bytes: number }>(db, sql`select pg_total_relation_size('surfaces')::float8 as bytes`),
        );
        return row?.bytes ?? 0;
      };
      const minute = async (number: number): Promise<void> => {
        const points = Array.from({ length: 400 }, (_, index) => {
          const prob = Number(Math.abs(Math.sin(number * 1_000 + index)).toFixed(6));
          return {
            strike: `${3_000 + index * 5}.00`,
            probAbove: prob,
            rawProbAbove: prob,
            sources: ["cboe"],
            extrapolated: false,
          };
        });
        await write([7, 14, 30].map((days) => surface(days, { points, computedAtMs: NOON_MS + number * 60_000 })));
        await prune(store, NOON_MS);
      };
      for (let number = 1; number <= 5; number += 1) await minute(number);
      const before = await sized();
      for (let number = 6; number <= 20; number += 1) await minute(number);
      expect(await sized()).toBeLessThan(1.5 * before);
    });

  test("are refused from a writer that a newer one has replaced; nothing is stored or deleted", async () => {
    await write([surface(1)]);
    await claimFence(store, 8, "writer-b");
    await expect(write([surface(7)], NOON_MS + 2 * DAY_MS)).rejects.toThrow(StaleTokenError);
    expect(await readSurfaces(store, "xau", 0)).toEqual([surface(1)]);
  });
});
