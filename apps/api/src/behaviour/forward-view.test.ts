/** The forward view over the wire: horizons, ages, the 15-minute delay, and missing data. */
import { type AssayContract, MINUTE_MS, type OutputOf } from "@assay/contract";
import type { SettlementRow } from "@assay/pricing";
import { FRIDAY_MS, makeSettlement, makeTick } from "@assay/testkit";
import { afterEach, describe, expect, test } from "vitest";
import { type Reply, startTestApp, type TestApp } from "../testing/start-test-app.ts";

type View = OutputOf<AssayContract["forwardView"]["get"]> & { readonly error: string };
const LATE_MS = 15 * MINUTE_MS;
const EXPIRIES = ["2026-12-29", "2027-02-24", "2027-04-28", "2027-06-28", "2027-08-27", "2027-10-27"];

let app: TestApp | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

/** A market with a price that changed ten minutes ago, and settlements. */
const open = async (settlements: readonly SettlementRow[]): Promise<TestApp> => {
  app = await startTestApp();
  await app.publish({
    ticks: [
      makeTick(1, { computedAtMs: FRIDAY_MS - 20 * MINUTE_MS, price: "4000.00" }),
      makeTick(2, { computedAtMs: FRIDAY_MS - 10 * MINUTE_MS, price: "4010.00" }),
      makeTick(1, { computedAtMs: FRIDAY_MS - 20 * MINUTE_MS, price: "48.125", instrument: "XAG-USD-SPOT" }),
    ],
    settlements,
  });
  return app;
};
const view = (served: TestApp, asset: string, key?: string): Promise<Reply<View>> =>
  served.ask<View>(`/v1/forward-view/${asset}`, { key });

describe("the forward view", () => {
  test("has every main contract up to a year out, with what is known of it, and states what is missing", async () => {
    const served = await open([
      makeSettlement(),
      makeSettlement({ futuresContract: "GCG27", price: "4048.9", source: "cme-files", volume: null, openInterest: null }),
      makeSettlement({
        futuresContract: "GCJ27",
        settlementDate: "2026-11-18",
        price: "4085",
        observedAtMs: Date.UTC(2026, 10, 18, 22),
      }),
      makeSettlement({ futuresContract: "GCX26", price: "4005" }),
    ]);
    const { key } = await served.key("pro");
    const { json } = await view(served, "xau", key);
    expect(json).toMatchObject({ asset: "XAU", spot_usd: "4010.00", computed_at: "2026-11-20T13:50:00Z" });
    expect(json.horizons.map(({ expiry }) => expiry)).toEqual(EXPIRIES);
    expect(json.horizons[0]).toEqual({
      expiry: "2026-12-29",
      futures: {
        contract: "GCZ26",
        settle_usd: "4012.50",
        settle_source: "alpha",
        settle_age_seconds: 16 * 3_600,
        open_interest: 328_666,
        volume: 151_459,
      },
      errors: [],
    });
    expect(json.horizons[1]?.futures).toMatchObject({
      contract: "GCG27",
      settle_usd: "4048.90",
      volume: null,
      open_interest: null,
    });
    expect(json.horizons[2]).toMatchObject({
      futures: { contract: "GCJ27", settle_age_seconds: 40 * 3_600 },
      errors: ["the settlement of 2026-11-19 is overdue; this one is of 2026-11-18"],
    });
    expect(json.horizons[3]).toEqual({ expiry: "2027-06-28", futures: null, errors: ["no settlement is known"] });
    expect(json.errors).toEqual([
      "GCJ27: the settlement of 2026-11-19 is overdue; this one is of 2026-11-18",
      ...["GCM27", "GCQ27", "GCV27"].map((name) => `${name}: no settlement is known`),
    ]);
    expect(json.sources).toEqual([
      { id: "alpha", publisher: "alpha", url: "", retrieved_at: "2026-11-19T22:01:00Z", type: "futures" },
      {
        id: "cme-files",
        publisher: "CME Group",
        url: "https://www.cmegroup.com/markets/metals.html",
        retrieved_at: "2026-11-19T22:01:00Z",
        type: "futures",
      },
    ]);
  });

  test("is fifteen minutes late without a key and on the free tier: the spot price, the settlements and their ages", async () => {
    const observedAtMs = FRIDAY_MS - 10 * MINUTE_MS;
    const served = await open([
      makeSettlement(),
      makeSettlement({ settlementDate: "2026-11-20", price: "4020.00", observedAtMs }),
      makeSettlement({ price: "4013.00", observedAtMs }),
    ]);
    const { key: free } = await served.key("free");
    const { key: paid } = await served.key("basic");
    for (const key of [undefined, free]) {
      const { json } = await view(served, "XAU", key);
      expect(json).toMatchObject({ spot_usd: "4000.00", computed_at: "2026-11-20T13:40:00Z" });
      expect(json.horizons[0]?.futures).toMatchObject({
        settle_usd: "4012.50",
        settle_age_seconds: 16 * 3_600 - LATE_MS / 1_000,
      });
    }
    const { json } = await view(served, "XAU", paid);
    expect(json).toMatchObject({ spot_usd: "4010.00" });
    expect(json.horizons[0]?.futures).toMatchObject({ settle_usd: "4020.00", settle_age_seconds: 600 });
    served.clock.set(observedAtMs + LATE_MS);
    expect((await view(served, "XAU")).json.horizons[0]?.futures).toMatchObject({ settle_usd: "4020.00", settle_age_seconds: 0 });
  });

  test("ages while its feed is silent, and says so once a settlement is overdue", async () => {
    const served = await open([makeSettlement({ settlementDate: "2026-11-20", observedAtMs: FRIDAY_MS - MINUTE_MS })]);
    const { key } = await served.key("pro");
    const at = async (instant: string) => {
      served.clock.set(Date.parse(instant));
      const [horizon] = (await view(served, "XAU", key)).json.horizons;
      return [horizon?.futures?.settle_age_seconds, horizon?.errors.length];
    };
    expect(await at("2026-11-20T14:00:00Z")).toEqual([60, 0]);
    expect(await at("2026-11-23T14:00:00Z")).toEqual([3 * 86_400 + 60, 0]);
    expect(await at("2026-11-24T14:00:00Z")).toEqual([4 * 86_400 + 60, 1]);
  });

  test("leaves out a contract that has ended, and begins with the next", async () => {
    const served = await open([makeSettlement(), makeSettlement({ futuresContract: "GCG27", price: "4048.9" })]);
    const { key } = await served.key("pro");
    served.clock.set(Date.parse("2026-12-29T20:00:00Z"));
    expect((await view(served, "XAU", key)).json.horizons[0]?.expiry).toBe("2026-12-29");
    served.clock.set(Date.parse("2026-12-30T00:00:00Z"));
    const { json } = await view(served, "XAU", key);
    expect(json.horizons.map(({ expiry }) => expiry).slice(0, 1)).toEqual(["2027-02-24"]);
    expect(json.horizons.at(-1)?.expiry).toBe("2027-12-29");
  });

  test("answers from memory while the store is down", async () => {
    const served = await open([makeSettlement()]);
    served.store.break();
    expect((await view(served, "XAU")).status).toBe(200);
  });
});

describe("refused is", () => {
  test("an unknown asset, a missing spot price, and a market without settlements", async () => {
    const served = await open([makeSettlement({ symbol: "HG", futuresContract: "HGZ26", price: "4.5605" })]);
    const { key } = await served.key("pro");
    const refusal = async (asset: string) => {
      const { status, json, headers } = await view(served, asset, key);
      return [status, json.error, headers.has("retry-after")];
    };
    for (const asset of ["XPT", "gold", "XAU-USD-SPOT"]) expect(await refusal(asset)).toEqual([400, "bad_request", false]);
    expect(await refusal("x".repeat(65))).toEqual([422, "validation_error", false]);
    expect(await refusal("HG")).toEqual([503, "spot_unavailable", true]);
    expect(await refusal("XAU")).toEqual([503, "no_horizons_available", true]);
  });
});
