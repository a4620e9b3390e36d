/** The probability surface of a running service on the simulated market. */
import { contract } from "@assay/contract";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { askRoute, read } from "./harness/call.ts";
import { eventually } from "./harness/eventually.ts";
import type { TierKeys } from "./harness/files.ts";
import type { Service } from "./harness/service.ts";
import { sharedService } from "./harness/shared-service.ts";
import { holdToInvariants } from "./harness/surface.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 300_000 });

describe("the surface of a fresh simulated market", () => {
  let service: Service;
  let keys: TierKeys;
  beforeAll(async () => {
    ({ service, keys } = await sharedService());
  });

  it.each(["xau", "xag"])("of %s is there at once, for every horizon of its index, and is a distribution", async (metal) => {
    const index = await read(service.url, contract.surface.expiries, { metal }, { key: keys.pro });
    expect(index.meta).toEqual({ tier: "pro", count: index.horizons.length });
    expect(index.horizons.length).toBeGreaterThanOrEqual(10);
    const days = index.horizons.map(({ horizon }) => horizon);
    expect(days).toEqual([...new Set(days)].toSorted());
    for (const entry of index.horizons) {
      const surface = await read(service.url, contract.surface.get, { metal, horizon: entry.horizon }, { key: keys.pro });
      holdToInvariants(surface);
      expect(surface.is_default_horizon).toBe(entry.horizon === index.default_horizon);
      expect(surface.venues.map(({ venue }) => venue)).toEqual(entry.venues);
      expect(entry.markets_count).toBe(surface.venues.reduce((sum, { markets_used }) => sum + markets_used, 0));
    }
    const standard = await read(service.url, contract.surface.get, { metal: metal.toUpperCase() }, { key: keys.pro });
    expect(standard.horizon).toBe(index.default_horizon);
    expect(Math.abs(index.horizons.find(({ horizon }) => horizon === standard.horizon)?.days_to_expiry ?? 0)).toBeLessThan(60);
  });

  it.each(["xau", "xag"])("of %s is renewed minute by minute", async (metal) => {
    // The one the service started with may be older.
    const index = () => read(service.url, contract.surface.expiries, { metal }, { key: keys.pro });
    const isRecent = ({ horizons }: Awaited<ReturnType<typeof index>>) =>
      horizons.length > 0 && horizons.every(({ snapshot_age_seconds }) => snapshot_age_seconds < 120);
    await eventually(`a surface of ${metal} of the last two minutes`, index, isRecent, { withinMs: 170_000, everyMs: 1_000 });
  });

  it("is for Pro and above, and so are signals", async () => {
    for (const [route, input] of [
      [contract.surface.get, { metal: "xau" }],
      [contract.surface.expiries, { metal: "xau" }],
      [contract.signals.arbitrage, { metal: "xau" }],
    ] as const) {
      expect((await askRoute(service.url, route, input)).json).toMatchObject({ error: "unauthenticated" });
      for (const key of [keys.free, keys.basic, keys.physical])
        expect(await askRoute(service.url, route, input, { key })).toMatchObject({ status: 403, json: { required_tier: "pro" } });
      expect((await askRoute(service.url, route, input, { key: keys.realtime_pro })).status).toBe(200);
    }
  });
});
