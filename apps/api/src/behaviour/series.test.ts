/** Daily series over the wire: which days they have, pages, purities, refusals, the delay, and updates. */
import { type AssayContract, DAY_MS, type OutputOf } from "@assay/contract";
import { upsertBars, writeHistoryGaps, writeMoment } from "@assay/db";
import { FRIDAY_MS, fakeClock, makeBar } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { day, referenceOf, TODAY_MS } from "../testing/bars-app.ts";
import { type Reply, startTestApp, type TestApp } from "../testing/start-test-app.ts";

type Page = OutputOf<AssayContract["series"]["list"]> & {
  readonly error: string;
  readonly issues: { path: string[]; message: string }[];
};

const WRITER = { token: 1, holder: "test-writer" };
const gold = (back: number, close: string, isClosed = true) =>
  makeBar({ interval: "1d", barStartMs: TODAY_MS - back * DAY_MS, close, high: "9999", low: "1", isClosed });

/** Days ago on which gold has no bar, and on which no rate was published. */
const WITHOUT_GOLD = 4;
const WITHOUT_RATES = [2, 3, ...Array.from({ length: 11 }, (_, place) => 10 + place)];

let app: TestApp;
let pro = "";
beforeAll(async () => {
  app = await startTestApp({
    clock: fakeClock(FRIDAY_MS),
    before: async (store) => {
      const backs = Array.from({ length: 40 }, (_, index) => index + 1);
      await upsertBars(store, [
        ...backs.filter((back) => back !== WITHOUT_GOLD).map((back) => gold(back, `${4_000 + back}.5`)),
        gold(0, "4100", false),
        makeBar({ symbol: "XAG-USD-SPOT", interval: "1d", barStartMs: TODAY_MS - DAY_MS, close: "48.25", high: "99", low: "1" }),
        makeBar({ symbol: "HG-USD-SPOT", interval: "1d", barStartMs: TODAY_MS - DAY_MS, close: "5.1250", high: "99", low: "1" }),
      ]);
      const fx = [...backs.filter((back) => !WITHOUT_RATES.includes(back)), 41].map((back) =>
        referenceOf(back, { USD: "1.25", JPY: `${180 + back}`, ...(back > 20 ? { ISK: "150" } : {}) }),
      );
      await writeMoment(store, WRITER, { ticks: [], bars: [], fx });
    },
  });
  pro = (await app.key("pro")).key;
});
afterAll(() => app.close());

const list = (query: Record<string, string | number>, key: string | null = pro): Promise<Reply<Page>> =>
  app.ask<Page>("/v1/series", {
    query: { symbol: "XAU-EUR-SPOT", from: day(40), to: day(0), ...query },
    key: key ?? undefined,
  });
const daysIn = ({ json }: Reply<Page>): string[] => json.points.map(({ date }) => date);

describe("a series", () => {
  test("has the settled days that have a close, newest first, each with what its price is made of", async () => {
    const { json } = await list({ limit: 4 });
    expect(json).toMatchObject({
      symbol: "XAU-EUR-SPOT",
      quote_currency: "EUR",
      unit: "troy_ounce",
      fineness: "1000",
      interval: "1d",
    });
    expect(json.points).toEqual([
      { date: day(1), price: "3201.20", usd_close: "4001.50", fx_rate: "0.8", fx_date: day(1) },
      { date: day(2), price: "3202.00", usd_close: "4002.50", fx_rate: "0.8", fx_date: day(4) },
      { date: day(3), price: "3202.80", usd_close: "4003.50", fx_rate: "0.8", fx_date: day(4) },
      { date: day(5), price: "3204.40", usd_close: "4005.50", fx_rate: "0.8", fx_date: day(5) },
    ]);
    expect(json.meta).toEqual({ tier: "pro", count: 4 });
  });

  test("has a day only while the last rate is at most seven days old, and fills nothing forward", async () => {
    // The rates of 10 to 20 days ago are missing: that of day 21 serves up to day 14.
    const days = daysIn(await list({ from: day(22), to: day(8) }));
    expect(days).toEqual([8, 9, 14, 15, 16, 17, 18, 19, 20, 21, 22].map(day));
    expect(daysIn(await list({ symbol: "XAU/ISK", from: day(22), to: day(8) }))).toEqual(
      [14, 15, 16, 17, 18, 19, 20, 21, 22].map(day),
    );
    expect(daysIn(await list({ symbol: "XAU-THB-SPOT" }))).toEqual([]);
  });

  test("of a currency with a fixed peg follows it, and the dollar needs no rate", async () => {
    const lev = (await list({ symbol: "gold/bgn", to: day(1), limit: 1 })).json;
    // 4001.5 × 1.95583 / 1.25
    expect(lev.points).toEqual([{ date: day(1), price: "6261.00", usd_close: "4001.50", fx_rate: "1.564664", fx_date: day(1) }]);
    const dollar = (await list({ symbol: "XAU/USD", from: day(12), to: day(12) })).json;
    expect(dollar.points).toEqual([{ date: day(12), price: "4012.50", usd_close: "4012.50", fx_rate: "1", fx_date: day(12) }]);
  });

  test.each([
    [{ unit: "kg", fineness: 995 }, "102406.37", "995"],
    [{ unit: "oz" }, "3201.20", "1000"],
  ])("at %j costs %s", async (query, price, fineness) => {
    const { json } = await list({ ...query, from: day(1), to: day(1) });
    expect([json.points[0]?.price, json.fineness]).toEqual([price, fineness]);
  });

  test("of silver and copper in any currency is open to Pro, and copper counts from its pound", async () => {
    expect((await list({ symbol: "silver", from: day(1) })).json.points[0]?.price).toBe("48.2500");
    expect((await list({ symbol: "XAG/EUR", from: day(1) })).json.points[0]?.price).toBe("38.6000");
    expect((await list({ symbol: "HG/EUR", unit: "pound", from: day(1) })).json.points[0]?.price).toBe("4.1000");
    const { status, json } = await list({ symbol: "XAG-EUR-SPOT", from: day(20) }, (await app.key("basic")).key);
    expect([status, json.error]).toEqual([403, "plan_gated"]);
  });
});

describe("refuses", () => {
  test.each([
    [{ symbol: "XAU-EUR-FUTURES" }, "symbol"],
    [{ symbol: "XAU-XXX-SPOT" }, "symbol"],
    [{ symbol: "GLD" }, "symbol"],
    [{ symbol: "XPT-EUR-SPOT" }, "symbol"],
    [{ fineness: 100 }, "fineness"],
    [{ karat: 22, fineness: 916 }, "fineness"],
    [{ symbol: "XAG-EUR-SPOT", karat: 22 }, "karat"],
    [{ from: day(0), to: day(1) }, "from"],
    [{ from: "2026-02-30" }, "from"],
    [{ to: "2026-11-20T00:00:00Z" }, "to"],
  ])("%j", async (query, name) => {
    const { status, json } = await list(query);
    const named = new Set(json.issues.map(({ path }) => path.at(-1)));
    expect([status, json.error, [...named]]).toEqual([422, "validation_error", [name]]);
  });
});

describe("price files", () => {
  test("name the currency, and tell weights and purities apart", async () => {
    const textOf = async (query: Record<string, string | number>) => (await list({ from: day(1), to: day(1), ...query })).text;
    expect(await textOf({ format: "beancount" })).toBe(`${day(1)} price XAU 3201.20 EUR\n`);
    expect(await textOf({ format: "beancount", unit: "gram", karat: 18 })).toBe(`${day(1)} price XAU-GRAM-750 77.1907 EUR\n`);
    expect(await textOf({ format: "ledger" })).toBe(`P ${day(1)} XAU 3201.20 EUR\n`);
    expect(await textOf({ format: "ledger", unit: "gram" })).toBe(`P ${day(1)} "XAU-GRAM" 102.92 EUR\n`);
    expect(await textOf({ format: "csv" })).toBe(
      `date,price,usd_close,fx_rate,fx_date\r\n${day(1)},3201.20,4001.50,0.8,${day(1)}\r\n`,
    );
  });
});

describe("a day", () => {
  test("appears once it is over, for delayed callers 15 minutes later", async () => {
    const newest = async (key: string | null) => daysIn(await list({ from: day(1), to: "2026-11-23" }, key))[0];
    try {
      app.clock.set(TODAY_MS + DAY_MS);
      await app.publish({ bars: [gold(0, "4100.25")], fx: [referenceOf(0, { USD: "1.25", JPY: "180" })] });
      await expect.poll(() => newest(pro)).toBe(day(0));
      expect(await newest(null)).toBe(day(1));
      app.clock.set(TODAY_MS + DAY_MS + 15 * 60_000);
      expect(await newest(null)).toBe(day(0));
    } finally {
      app.clock.set(FRIDAY_MS);
    }
  });

  test("follows a corrected close, and a rate that was published late", async () => {
    const priceOf = async () => (await list({ from: day(2), to: day(2) })).json.points[0];
    expect(await priceOf()).toMatchObject({ price: "3202.00", fx_date: day(4) });
    await app.publish({ fx: [referenceOf(2, { USD: "1.00", JPY: "180" })] });
    await expect.poll(priceOf).toMatchObject({ price: "4002.50", fx_date: day(2) });
    await app.publish({ bars: [gold(2, "4222.22")] });
    await expect.poll(priceOf).toMatchObject({ price: "4222.22", usd_close: "4222.22" });
  });

  test("may be missing while closes or rates are filled in, and the answer says so", async () => {
    const metaOf = async (symbol: string) => (await list({ symbol })).json.meta;
    const gap = { symbol: "reference-rates", bars: "daily", fromMs: 0, untilMs: TODAY_MS } as const;
    await writeHistoryGaps(app.store, { token: 1_000, holder: "writer" }, gap.symbol, [gap]);
    await app.live.bus.publish({ kind: "history-filled" });
    await expect.poll(() => metaOf("XAU/EUR")).toMatchObject({ complete: false });
    expect(await metaOf("XAU/USD"), "needs no rate").not.toHaveProperty("complete");
  });
});
