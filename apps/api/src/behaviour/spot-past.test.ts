/** The price that stood at a past instant: which row it is, the rate it is converted with, and who may ask for which. */
import { type AssayContract, DAY_MS, formatTimestamp, HOUR_MS, MINUTE_MS, type OutputOf } from "@assay/contract";
import { upsertBars, writeMoment } from "@assay/db";
import { FRIDAY_MS, fakeClock, makeBar, makeRates, makeSettlement, makeTick } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { day, referenceOf, TODAY_MS } from "../testing/bars-app.ts";
import { type Reply, startTestApp, type TestApp } from "../testing/start-test-app.ts";

type Row = OutputOf<AssayContract["spot"]["get"]> & {
  readonly error: string;
  readonly issues: { path: string[]; message: string }[];
};

const WRITER = { token: 1, holder: "test-writer" };
const bar = (interval: "1m" | "1h" | "1d", barStartMs: number, close: string) =>
  makeBar({ interval, barStartMs, close, high: "9999", low: "1" });

let app: TestApp;
let pro = "";
let basic = "";
beforeAll(async () => {
  app = await startTestApp({
    before: async (store) => {
      await upsertBars(store, [
        ...Array.from({ length: 50 }, (_, index) => bar("1d", TODAY_MS - (index + 1) * DAY_MS, `${4_000 + index + 1}.005`)),
        // Two minutes of yesterday at noon, and an hour whose minutes are missing.
        bar("1m", TODAY_MS - 12 * HOUR_MS, "3500.10"),
        bar("1m", TODAY_MS - 12 * HOUR_MS + MINUTE_MS, "3500.20"),
        bar("1h", TODAY_MS - 12 * HOUR_MS, "3500.60"),
        bar("1h", TODAY_MS - 8 * HOUR_MS, "3600"),
        makeBar({ symbol: "XAG-USD-SPOT", interval: "1d", barStartMs: TODAY_MS - DAY_MS, close: "48.25", high: "99", low: "1" }),
        makeBar({ interval: "1d", barStartMs: Date.UTC(2000, 0, 3), close: "288.50", high: "999", low: "1" }),
      ]);
      const rates = [0, 1, 2, 3, 20].map((back) => referenceOf(back, { USD: `1.2${back % 10}`, INR: "100" }));
      await writeMoment(store, WRITER, {
        ticks: [
          makeTick(1, { computedAtMs: FRIDAY_MS - 40 * MINUTE_MS, price: "4003.20", bid: "4003.00", ask: "4003.40" }),
          makeTick(2, { computedAtMs: FRIDAY_MS - 5 * MINUTE_MS, price: "4009.00" }),
        ],
        bars: [],
        fx: [...rates, makeRates()],
        settlements: [
          makeSettlement({ settlementDate: "2026-11-18", price: "4011.5", observedAtMs: TODAY_MS - DAY_MS - 2 * HOUR_MS }),
          makeSettlement(),
        ],
      });
    },
  });
  [pro, basic] = [(await app.key("pro")).key, (await app.key("basic")).key];
});
afterAll(() => app.close());

const ask = (symbol: string, at: string, { key = pro as string | null, more = "" } = {}): Promise<Reply<Row>> =>
  app.ask<Row>(`/v1/spot/${symbol}?at=${encodeURIComponent(at)}${more}`, { key: key ?? undefined });
const rowAt = async (at: number | string, key: string | null = pro): Promise<Row> =>
  (await ask("XAU-USD-SPOT", typeof at === "number" ? formatTimestamp(at) : at, { key })).json;
const NOON_MS = TODAY_MS - 12 * HOUR_MS;

describe("the price that stood", () => {
  test("is the newest published price that is not after the instant, with its bid and ask", async () => {
    expect(await rowAt(FRIDAY_MS - 40 * MINUTE_MS)).toEqual({
      symbol: "XAU",
      quote_currency: "USD",
      unit: "troy_ounce",
      contract_type: "spot",
      is_stale: false,
      price: "4003.20",
      bid: "4003.00",
      ask: "4003.40",
      computed_at: formatTimestamp(FRIDAY_MS - 40 * MINUTE_MS),
      as_of: formatTimestamp(FRIDAY_MS - 40 * MINUTE_MS),
      basis: "tick",
    });
    expect(await rowAt(FRIDAY_MS)).toMatchObject({
      price: "4009.00",
      basis: "tick",
      computed_at: formatTimestamp(FRIDAY_MS - 5 * MINUTE_MS),
    });
    // Sixty seconds later nothing had been published.
    expect(await rowAt(FRIDAY_MS - 38 * MINUTE_MS)).toMatchObject({
      price: "4003.20",
      is_stale: true,
      stale_reason: "feed_down",
    });
  });

  test("of an instant between two milliseconds is that of the one before it, not a day's", async () => {
    const found = await rowAt(formatTimestamp(NOON_MS + 2 * MINUTE_MS).replace("Z", ".123456+00:00"));
    expect(found).toMatchObject({ price: "3500.20", basis: "1m" });
  });

  test("of a day whose bar a delayed caller may not see yet is the price of its last visible moment, never an earlier day's close", async () => {
    const late = await startTestApp({
      clock: fakeClock(TODAY_MS + 5 * MINUTE_MS),
      before: async (store) => {
        await upsertBars(store, [bar("1d", TODAY_MS - 2 * DAY_MS, "3900"), bar("1d", TODAY_MS - DAY_MS, "4000")]);
        const ticks = [makeTick(1, { computedAtMs: TODAY_MS - 20 * MINUTE_MS, price: "4001.25" })];
        await writeMoment(store, WRITER, { ticks, bars: [], fx: [], settlements: [] });
      },
    });
    const { json } = await late.ask<Row>(`/v1/spot/XAU-USD-SPOT?at=${day(1)}`);
    await late.close();
    expect(json).toMatchObject({ price: "4001.25", basis: "tick", as_of: formatTimestamp(TODAY_MS - 10 * MINUTE_MS) });
  });

  test.each(["0000-06-01", "0001-01-01T00:00:00Z", "1899-12-31"])("is not known at %s", async (at) => {
    const { status, json } = await ask("XAU-USD-SPOT", at);
    expect([status, json.error]).toEqual([404, "not_found"]);
  });

  test("is otherwise the close of the newest bar that had ended, of the shortest interval kept for that time", async () => {
    const found = async (atMs: number) => {
      const { price, basis, computed_at } = await rowAt(atMs);
      return [price, basis, computed_at];
    };
    expect(await found(NOON_MS + 2 * MINUTE_MS)).toEqual(["3500.20", "1m", formatTimestamp(NOON_MS + 2 * MINUTE_MS)]);
    expect(await found(NOON_MS + 2 * MINUTE_MS - 1_000)).toEqual(["3500.10", "1m", formatTimestamp(NOON_MS + MINUTE_MS)]);
    expect(await found(NOON_MS)).toEqual(["4002.01", "1d", formatTimestamp(TODAY_MS - DAY_MS)]);
    expect(await found(TODAY_MS - 6 * HOUR_MS)).toEqual(["3600.00", "1h", formatTimestamp(TODAY_MS - 7 * HOUR_MS)]);
  });

  test("of a bare date is the close of that UTC day, which its daily bar has", async () => {
    expect(await rowAt(day(1))).toMatchObject({ price: "4001.01", basis: "1d", as_of: formatTimestamp(TODAY_MS) });
    const byDate = await rowAt(day(10));
    expect(byDate).toMatchObject({
      price: "4010.01",
      basis: "1d",
      as_of: `${day(9)}T00:00:00Z`,
      computed_at: `${day(9)}T00:00:00Z`,
    });
    expect(await rowAt(byDate.as_of ?? "")).toEqual(byDate);
  });

  test("of a day is the last price before midnight, as its bar and the next day's row have it, however early that day begins", async () => {
    const midnight = await startTestApp({
      clock: fakeClock(TODAY_MS + 20 * MINUTE_MS),
      before: async (store) => {
        const ticks = [
          makeTick(1, { computedAtMs: TODAY_MS - 1_000, price: "4001.25" }),
          makeTick(2, { computedAtMs: TODAY_MS, price: "4002.50" }),
        ];
        await writeMoment(store, WRITER, {
          ticks,
          bars: [bar("1d", TODAY_MS - DAY_MS, "4001.25")],
          fx: [referenceOf(1, { USD: "1.25" })],
        });
      },
    });
    const { key } = await midnight.key("pro");
    const priceOf = async (path: string) => (await midnight.ask(path, { key })).json;
    const past = await priceOf(`/v1/spot/XAU-USD-SPOT?at=${day(1)}`);
    const series = await priceOf(`/v1/series?symbol=XAU-USD-SPOT&from=${day(1)}&to=${day(1)}`);
    const bars = await priceOf("/v1/bars/latest?symbol=XAU-USD-SPOT&interval=1d");
    const now = await priceOf("/v1/spot/XAU-USD-SPOT?include=stats");
    const instant = await priceOf(`/v1/spot/XAU-USD-SPOT?at=${formatTimestamp(TODAY_MS)}`);
    await midnight.close();
    const figures = [past.price, series.points[0].price, (bars.bar ?? bars).close, now.prev_close_price];
    expect(figures).toEqual(["4001.25", "4001.25", "4001.25", "4001.25"]);
    expect(instant, "the instant itself is of the new day").toMatchObject({ price: "4002.50", basis: "tick" });
  });

  test("below Pro and beyond 30 days is that of a day", async () => {
    expect(await rowAt(NOON_MS + 2 * MINUTE_MS, basic)).toMatchObject({ price: "4002.01", basis: "1d" });
    expect(await rowAt(TODAY_MS - 40 * DAY_MS + HOUR_MS)).toMatchObject({ basis: "1d" });
  });

  test("of a futures contract is its settlement, as it was known then", async () => {
    const at = async (atMs: number) => (await ask("XAU-USD-FUTURES", formatTimestamp(atMs))).json;
    expect(await at(TODAY_MS - DAY_MS)).toMatchObject({ price: "4011.50", basis: "settlement", contract_type: "futures" });
    expect(await at(TODAY_MS - HOUR_MS)).toMatchObject({
      basis: "settlement",
      computed_at: formatTimestamp(Date.UTC(2026, 10, 19, 22)),
    });
  });

  test("is marked stale while the market was closed", async () => {
    const sunday = Date.UTC(2026, 10, 15, 12);
    expect(await rowAt(sunday)).toMatchObject({ is_stale: true, stale_reason: "market_closed" });
  });

  test("is not known before the first bar", async () => {
    const { status, json } = await ask("XAU-USD-SPOT", "2000-01-03T12:00:00Z");
    expect([status, json.error]).toEqual([404, "not_found"]);
    expect((await ask("XAU-USD-SPOT", "2000-01-03")).json.price).toBe("288.50");
  });
});

describe("a cross", () => {
  test("uses the rate of that day, and shows it", async () => {
    const { json } = await ask("XAU-EUR-SPOT", day(1));
    // 4001.005 / 1.21, rounded once
    expect(json).toMatchObject({
      price: "3306.62",
      basis: "1d",
      fx_rate: "0.826446280991735537",
      fx_date: day(1),
      is_stale: false,
    });
    expect((await ask("XAU-INR-SPOT", day(7))).json.fx_date).toBeUndefined();
  });

  test("of an instant uses the rate that had been published by it, of a date that of the date", async () => {
    // 16:00 in Frankfurt
    const published = TODAY_MS - 9 * HOUR_MS;
    const dayOfRate = async (at: string) => {
      const { fx_date, fx_role, fx_at } = (await ask("XAU-EUR-SPOT", at)).json;
      return [fx_date, fx_role, fx_at];
    };
    expect(await dayOfRate(formatTimestamp(published - 1_000))).toEqual([
      day(2),
      "reference",
      formatTimestamp(published - DAY_MS),
    ]);
    expect(await dayOfRate(formatTimestamp(published))).toEqual([day(1), "reference", formatTimestamp(published)]);
    expect(await dayOfRate(day(1))).toEqual([day(1), "reference", formatTimestamp(published)]);
  });

  test("has no price when the last rate is more than seven days old", async () => {
    const { status, json } = await ask("XAU-EUR-SPOT", day(12));
    expect(status).toBe(200);
    expect(json).toEqual({
      symbol: "XAU",
      quote_currency: "EUR",
      unit: "troy_ounce",
      contract_type: "spot",
      is_stale: true,
      stale_reason: "fx_fallback",
      as_of: `${day(11)}T00:00:00Z`,
    });
    expect((await ask("XAU-EUR-SPOT", day(13))).json).toMatchObject({ fx_date: day(20) });
    const text = await ask("XAU-EUR-SPOT", day(12), { more: "&format=text" });
    expect([text.status, JSON.parse(text.text).error]).toEqual([503, "spot_unavailable"]);
  });

  test("has prices per gram by karat, of that rate", async () => {
    const { json } = await ask("XAU-EUR-SPOT", day(1), { more: "&include=karat" });
    expect([json.price_gram_24k, json.price_gram_18k]).toEqual(["106.3102", "79.7326"]);
  });
});

describe("a caller", () => {
  test("with a delay never sees later than 15 minutes ago", async () => {
    const row = await rowAt(FRIDAY_MS - MINUTE_MS, null);
    expect(row).toMatchObject({ price: "4003.20", as_of: formatTimestamp(FRIDAY_MS - 15 * MINUTE_MS), basis: "tick" });
    expect(await rowAt(FRIDAY_MS - MINUTE_MS, basic)).toMatchObject({ price: "4009.00" });
  });

  test("sees as deep as its daily bars go", async () => {
    for (const at of [day(31), `${day(30)}T00:00:00Z`]) {
      const { status, json } = await ask("XAU-USD-SPOT", at, { key: null });
      expect([status, json.error], at).toEqual([400, "range_too_deep"]);
    }
    expect((await ask("XAU-USD-SPOT", day(30), { key: null })).status).toBe(200);
  });

  test("is refused metals of other tiers before anything else", async () => {
    expect((await ask("silver", day(1), { key: basic })).json.error).toBe("plan_gated");
    expect((await ask("silver", day(1))).json.price).toBe("48.2500");
    expect((await ask("XAG-EUR-SPOT", day(1))).status).toBe(404);
  });
});

describe("refuses", () => {
  test.each([
    ["the future", formatTimestamp(FRIDAY_MS + 1_000), "", "at", "must not be in the future"],
    ["today, which is not over", day(0), "", "at", "must be a day that is over, or an instant"],
    ["tomorrow", "2026-11-21", "", "at", "must not be in the future"],
    ["what is no instant", "yesterday", "", "at", "must be an ISO-8601 date or date-time, for example 2026-11-01T00:00:00Z"],
    ["sources", day(1), "&include=karat,sources", "include", "must not name sources or stats together with at"],
    ["stats", day(1), "&include=stats", "include", "must not name sources or stats together with at"],
    ["all groups", day(1), "&include=all", "include", "must not name sources or stats together with at"],
  ])("%s", async (_, at, more, name, message) => {
    const { status, json } = await ask("XAU-USD-SPOT", at, { more });
    expect([status, json.issues]).toEqual([422, [{ path: ["query", name], code: "invalid_value", message }]]);
  });
});
