/** Ratios over the wire: days, pages, refusals, and updates. */
import { type AssayContract, DAY_MS, type OutputOf } from "@assay/contract";
import { upsertBars } from "@assay/db";
import { makeBar } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { day, TODAY_MS } from "../testing/bars-app.ts";
import { type Reply, startTestApp, type TestApp } from "../testing/start-test-app.ts";

type Page = OutputOf<AssayContract["ratios"]["list"]> & { readonly error: string; readonly message: string };
type Latest = OutputOf<AssayContract["ratios"]["latest"]> & { readonly error: string };

const dailyBar = (symbol: string, back: number, close: string, isClosed = true) =>
  makeBar({
    symbol: symbol as "GLD",
    interval: "1d",
    barStartMs: TODAY_MS - back * DAY_MS,
    close,
    high: "9999",
    low: "0.01",
    isClosed,
  }); // platinum and palladium have bars too

/** Days, counted back, on which each leg has no bar. */
const WITHOUT_SILVER = 3;
const WITHOUT_GOLD = 5;

let app: TestApp;
let pro = "";

beforeAll(async () => {
  app = await startTestApp({
    before: (store) =>
      upsertBars(store, [
        ...Array.from({ length: 30 }, (_, index) => index + 1).flatMap((back) => [
          ...(back === WITHOUT_GOLD ? [] : [dailyBar("XAU-USD-SPOT", back, `${4000 + back}.10`)]),
          ...(back === WITHOUT_SILVER ? [] : [dailyBar("XAG-USD-SPOT", back, `48.${String(back).padStart(2, "0")}`)]),
        ]),
        dailyBar("XAU-USD-SPOT", 0, "4100", false),
        dailyBar("XAG-USD-SPOT", 0, "50"),
        dailyBar("XPT-USD-SPOT", 1, "1600.5"),
        dailyBar("GLD", 2, "371.20"),
      ]),
  });
  pro = (await app.key("pro")).key;
});
afterAll(() => app.close());

const list = (query: Record<string, string | number>): Promise<Reply<Page>> =>
  app.ask<Page>("/v1/ratios", { query: { pair: "gold-silver", from: day(30), to: day(0), ...query }, key: pro });
const latest = (pair: string) => app.ask<Latest>(`/v1/ratios/latest?pair=${pair}`, { key: pro });

describe("a page of ratios", () => {
  test("holds the settled days both series have, newest first, without filling gaps", async () => {
    const { json } = await list({ limit: 5 });
    expect(json).toMatchObject({
      pair: "gold-silver",
      numerator: "XAU-USD-SPOT",
      denominator: "XAG-USD-SPOT",
      interval: "1d",
      meta: { tier: "pro", count: 5 },
    });
    expect(json.points).toEqual([
      { date: day(1), ratio: "83.3389", numerator_close: "4001.10", denominator_close: "48.0100" },
      { date: day(2), ratio: "83.3424", numerator_close: "4002.10", denominator_close: "48.0200" },
      { date: day(4), ratio: "83.3493", numerator_close: "4004.10", denominator_close: "48.0400" },
      { date: day(6), ratio: "83.3562", numerator_close: "4006.10", denominator_close: "48.0600" },
      { date: day(7), ratio: "83.3597", numerator_close: "4007.10", denominator_close: "48.0700" },
    ]);
  });

  test("keeps to its window, inclusive at both ends", async () => {
    const { json } = await list({ from: day(7), to: day(4) });
    expect(json.points.map(({ date }) => date)).toEqual([day(4), day(6), day(7)]);
    expect(json.next_cursor).toBeNull();
  });

  test("may be empty", async () => {
    const { status, json } = await list({ from: "1999-01-01", to: "1999-12-31" });
    expect([status, json.points, json.next_cursor, json.meta.count]).toEqual([200, [], null, 0]);
    expect((await list({ pair: "gold-palladium" })).json.points).toEqual([]);
  });
});

describe("the latest ratio", () => {
  test("is the newest day both series have, for every pair that has one", async () => {
    expect((await latest("gold-silver")).json).toMatchObject({ point: { date: day(1) }, meta: { count: 1 } });
    expect((await latest("GOLD-PLATINUM")).json).toMatchObject({
      pair: "gold-platinum",
      denominator: "XPT-USD-SPOT",
      point: { date: day(1), ratio: "2.4999", denominator_close: "1600.50" },
    });
    expect((await latest("gld-xau")).json).toMatchObject({ numerator: "GLD", point: { date: day(2), ratio: "0.0928" } });
    expect((await latest("silver-platinum")).json.point?.ratio).toBe("0.0300");
  });

  test("is null when no day is shared", async () => {
    const { status, json } = await latest("gold-palladium");
    expect([status, json.point, json.meta.count]).toEqual([200, null, 0]);
  });
});

describe("refused is", () => {
  test.each([
    [{ pair: "gold-iron" }, 400, "unknown_pair"],
    [{ from: "2026-02-30" }, 400, "bad_request"],
    [{ to: "yesterday" }, 400, "bad_request"],
    [{ from: day(1), to: day(2) }, 400, "bad_request"],
  ])("%j with %i %s", async (query, status, code) => {
    const { status: answered, json } = await list(query);
    expect([answered, json.error]).toEqual([status, code]);
  });

  test("an unknown pair of the latest", async () => {
    expect((await latest("gold-iron")).json.error).toBe("unknown_pair");
  });
});

describe("ratios follow their bars", () => {
  test("when a close settles, is corrected, or its series is replaced", async () => {
    const app = await startTestApp({ before: (store) => upsertBars(store, [dailyBar("XAU-USD-SPOT", 2, "4000")]) });
    try {
      const { key } = await app.key("pro");
      const points = async () => {
        const { json } = await app.ask<Page>(`/v1/ratios?pair=gold-silver&from=${day(9)}&to=${day(0)}`, { key });
        return json.points.map(({ date, ratio }) => [date, ratio]);
      };
      expect(await points()).toEqual([]);
      await app.publish({ bars: [dailyBar("XAG-USD-SPOT", 2, "50")] });
      expect(await points()).toEqual([[day(2), "80.0000"]]);
      await app.publish({ bars: [dailyBar("XAG-USD-SPOT", 1, "40", false), dailyBar("XAU-USD-SPOT", 1, "4100", false)] });
      expect(await points()).toEqual([[day(2), "80.0000"]]);
      await app.publish({ bars: [dailyBar("XAG-USD-SPOT", 1, "40"), dailyBar("XAU-USD-SPOT", 1, "4100")] });
      expect(await points()).toEqual([
        [day(1), "102.5000"],
        [day(2), "80.0000"],
      ]);
      await app.publish({ bars: [dailyBar("XAU-USD-SPOT", 2, "4040")] });
      expect((await points())[1]).toEqual([day(2), "80.8000"]);
      await upsertBars(app.store, [dailyBar("XAG-USD-SPOT", 2, "40.40"), dailyBar("XAU-USD-SPOT", 3, "4000")]);
      await app.live.bus.publish({ kind: "bars-replaced", symbol: "XAG-USD-SPOT" });
      expect((await points())[1]).toEqual([day(2), "100.0000"]);
    } finally {
      await app.close();
    }
  });

  test("and leave out a day that is not over", async () => {
    // Today's bar of silver was reported closed, gold's is forming: together they make no ratio.
    expect((await list({ from: day(0), to: day(0) })).json.points).toEqual([]);
  });
});

describe("an outage of the store", () => {
  test("is 503 for a pair nobody has requested, and does not affect one in memory", async () => {
    const app = await startTestApp({
      before: (store) => upsertBars(store, [dailyBar("XAU-USD-SPOT", 2, "4000"), dailyBar("XAG-USD-SPOT", 2, "50")]),
    });
    try {
      const { key } = await app.key("pro");
      const ask = (pair: string) => app.ask(`/v1/ratios/latest?pair=${pair}`, { key });
      expect((await ask("gold-silver")).status).toBe(200);
      app.store.break();
      expect((await ask("gold-silver")).json.point.ratio).toBe("80.0000");
      const { status, headers, json } = await ask("gold-platinum");
      expect([status, json.error, headers.has("retry-after")]).toEqual([503, "service_unavailable", true]);
      app.store.recover();
      expect((await ask("gold-platinum")).status).toBe(200);
    } finally {
      await app.close();
    }
  });
});
