/** The surface and the signals over the wire: ages, horizons that expire, updates while running, and the state after a start. */
import { type AssayContract, HOUR_MS, type OutputOf } from "@assay/contract";
import { openTestStore } from "@assay/db/testing";
import { openMemoryLive, signalsKey } from "@assay/live";
import { FRIDAY_MS, fakeClock, makeSignals, makeSurfaces } from "@assay/testkit";
import { afterEach, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";

type Surface = OutputOf<AssayContract["surface"]["get"]> & { readonly error: string };
type Index = OutputOf<AssayContract["surface"]["expiries"]> & { readonly error: string };
type Signals = OutputOf<AssayContract["signals"]["arbitrage"]>;
/** The nearest of them expires on the same day. */
const SURFACES = makeSurfaces().slice(1);

let app: TestApp | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

const open = async (): Promise<{ served: TestApp; key: string }> => {
  app = await startTestApp();
  return { served: app, key: (await app.key("pro")).key };
};

describe("a surface", () => {
  test("is served as soon as it is stored, and not before", async () => {
    const { served, key } = await open();
    for (const path of ["/v1/surface/xau", "/v1/surface/xau/expiries", "/v1/surface/xau?horizon=2026-12-18"]) {
      expect(await served.ask(path, { key })).toMatchObject({ status: 404, json: { error: "not_found" } });
    }
    await served.publishSurfaces(SURFACES);
    const { json } = await served.ask<Surface>("/v1/surface/XAU", { key });
    expect(json).toMatchObject({ metal: "xau", horizon: "2026-12-18", is_default_horizon: true, snapshot_age_seconds: 0 });
    expect((await served.ask("/v1/surface/xag", { key })).json.error, "of the other metal there is still none").toBe("not_found");
  });

  test("remains while its newer snapshots fail to arrive, with its true age, until its day is over", async () => {
    const { served, key } = await open();
    await served.publishSurfaces(SURFACES);
    served.clock.advance(30 * HOUR_MS);
    const [first] = SURFACES;
    const old = await served.ask<Surface>(`/v1/surface/xau?horizon=${first?.horizon}`, { key });
    expect(old.json.snapshot_age_seconds).toBe(30 * 3_600);
    const before = (await served.ask<Index>("/v1/surface/xau/expiries", { key })).json;
    served.clock.advance((first?.expiresAtMs ?? 0) - served.clock());
    const after = (await served.ask<Index>("/v1/surface/xau/expiries", { key })).json;
    expect(after.horizons.map(({ horizon }) => horizon)).toEqual(before.horizons.map(({ horizon }) => horizon).slice(1));
    const over = await served.ask<Surface>(`/v1/surface/xau?horizon=${first?.horizon}`, { key });
    expect(over).toMatchObject({ status: 404, json: { error: "unknown_horizon" } });
  });

  test("keeps horizons that a newer one does not include, each with its own age", async () => {
    const { served, key } = await open();
    await served.publishSurfaces(SURFACES);
    served.clock.advance(HOUR_MS);
    const [first, ...rest] = makeSurfaces("xau", FRIDAY_MS + HOUR_MS).slice(1);
    await served.publishSurfaces(rest);
    const isRead = async (): Promise<boolean> => {
      const { json } = await served.ask<Index>("/v1/surface/xau/expiries", { key });
      return json.horizons.every(
        ({ horizon, snapshot_age_seconds }) => (snapshot_age_seconds === 3_600) === (horizon === first?.horizon),
      );
    };
    await expect.poll(isRead).toBe(true);
  });

  test("is loaded at start when it was stored before", async () => {
    const store = await openTestStore();
    const clock = fakeClock(FRIDAY_MS);
    const before = await startTestApp({ store, clock });
    await before.publishSurfaces(SURFACES);
    await before.close();
    clock.advance(HOUR_MS);
    app = await startTestApp({ store, clock });
    const { json } = await app.ask<Surface>("/v1/surface/xau", { key: (await app.key("pro")).key });
    expect(json).toMatchObject({ horizon: "2026-12-18", snapshot_age_seconds: 3_600 });
    await app.close();
    app = undefined;
    await store.close();
  });
});

describe("signals", () => {
  const read = async (served: TestApp, key: string): Promise<Signals["signals"]> =>
    (await served.ask<Signals>("/v1/signals/arbitrage?metal=xau", { key })).json.signals;

  test("are the last published ones, or none when there are none or their writer has fallen silent", async () => {
    const { served, key } = await open();
    expect(await read(served, key)).toEqual([]);
    const signals = makeSignals();
    await served.live.bus.publish({ kind: "signals", token: 1, metal: "xau", signals, atMs: FRIDAY_MS });
    await expect.poll(async () => (await read(served, key)).map(({ id }) => id)).toEqual(signals.map(({ id }) => id));
    served.clock.advance(120_001);
    expect(await read(served, key)).toEqual([]);
    await served.live.bus.publish({ kind: "signals", token: 1, metal: "xau", signals, atMs: served.clock() });
    await expect.poll(async () => (await read(served, key)).length).toBe(signals.length);
    await served.live.bus.publish({ kind: "signals", token: 1, metal: "xau", signals: [], atMs: served.clock() });
    await expect.poll(() => read(served, key)).toEqual([]);
  });

  test("are known to a process that starts between two changes", async () => {
    const clock = fakeClock(FRIDAY_MS);
    const live = openMemoryLive({ clock });
    const set = { metal: "xau", signals: makeSignals(), atMs: FRIDAY_MS } as const;
    await live.latest.put(signalsKey("xau"), JSON.stringify(set), { token: 1, atMs: FRIDAY_MS });
    app = await startTestApp({ live, clock });
    expect(await read(app, (await app.key("pro")).key)).toHaveLength(set.signals.length);
    await live.close();
  });
});
