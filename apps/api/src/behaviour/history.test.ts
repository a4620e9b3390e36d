import { DAY_MS } from "@assay/contract";
import { upsertBars } from "@assay/db";
import { FRIDAY_MS, makeBar, makeBars, makeTick, type TestKey } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { day, TODAY_MS } from "../testing/bars-app.ts";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";

let app: TestApp;
let free: TestKey;
let physical: TestKey;
let pro: TestKey;

beforeAll(async () => {
  app = await startTestApp({
    historySunset: "2027-06-30",
    before: (store) =>
      upsertBars(store, [
        ...makeBars("1d", TODAY_MS - DAY_MS, 800),
        ...makeBars("1h", FRIDAY_MS - 3_600_000, 24 * 35),
        ...makeBars("1d", TODAY_MS - DAY_MS, 3, { symbol: "GLD", volume: "8123400" }),
        makeBar({ interval: "1d", barStartMs: TODAY_MS, isClosed: false }),
      ]),
  });
  [free, physical, pro] = await Promise.all([app.key("free"), app.key("physical"), app.key("pro")]);
});
afterAll(() => app.close());

const history = (query: Record<string, string>, key: TestKey | null = pro) =>
  app.ask("/v1/prices/history", { query: { symbol: "XAU-USD-SPOT", ...query }, key: key?.key });
const dates = (json: { series: { date: string }[] }): string[] => json.series.map((entry) => entry.date);

describe("a series", () => {
  test("is oldest first and holds the newest of the window", async () => {
    const { json } = await history({ from: day(200), to: day(0), limit: "3" });
    expect(dates(json)).toEqual([day(2), day(1), day(0)]);
    expect(json).toMatchObject({
      symbol: "XAU-USD-SPOT",
      interval: "1d",
      from: day(200),
      to: day(0),
      meta: { tier: "pro", count: 3 },
    });
    expect(json.meta.ohlc_note).toContain("composed");
  });

  test("has no volume, even where the bars have it", async () => {
    const { json } = await history({ symbol: "GLD", from: day(3), to: day(0) });
    expect(json.series).toHaveLength(3);
    for (const entry of json.series) expect(entry).toMatchObject({ volume: null, is_stale: false, is_closed: true });
  });

  test("is dated by day, or by instant for hours", async () => {
    const { json } = await history({ from: day(1), to: day(1), interval: "1h" });
    expect(json.series).toHaveLength(24);
    expect(json.series[0].date).toBe(`${day(1)}T00:00:00Z`);
  });

  test("is the same beside others that are asked for at once", async () => {
    const queries = ["800", "700", "600", "1", "500"].flatMap((limit) => [
      { from: day(800), to: day(0), limit },
      { from: day(800), to: day(0), limit, format: "csv" },
      { from: day(29), to: day(0), limit, interval: "1h" },
    ]);
    const alone: string[] = [];
    for (const query of queries) alone.push((await history(query)).text);
    expect((await Promise.all(queries.map((query) => history(query)))).map(({ text }) => text)).toEqual(alone);
  });

  test("marks its last entry as forming, and as stale while the price is", async () => {
    type Entry = { readonly is_closed: boolean; readonly is_stale: boolean };
    const marks = async () => {
      const { json } = await history({ from: day(1), to: day(0) });
      return json.series.map((entry: Entry) => [entry.is_closed, entry.is_stale]);
    };
    await app.publish({ ticks: [makeTick(1, { freshUntilMs: FRIDAY_MS })] });
    const nowMs = app.clock();
    app.clock.set(FRIDAY_MS);
    expect(await marks()).toEqual([
      [true, false],
      [false, false],
    ]);
    app.clock.set(FRIDAY_MS + 1);
    expect(await marks()).toEqual([
      [true, false],
      [false, true],
    ]);
    app.clock.set(nowMs);
  });

  test("agrees with the bars that replace it", async () => {
    const bars = (await app.ask(`/v1/bars?symbol=XAU&from=${day(20)}&to=${day(1)}`, { key: pro.key })).json.bars;
    const { series } = (await history({ from: day(20), to: day(1) })).json;
    expect(series.map(({ open, high, low, close }: Record<string, string>) => [open, high, low, close])).toEqual(
      bars.toReversed().map(({ open, high, low, close }: Record<string, string>) => [open, high, low, close]),
    );
  });
});

describe("depth", () => {
  test("cuts a window to what the tier sees, and says from when", async () => {
    const served = async (key: TestKey | null, from = "1996-01-01") => {
      const { status, json } = await history({ from, to: day(1), limit: "10000" }, key);
      return [status, json.from, json.series.length];
    };
    expect(await served(null)).toEqual([200, "2026-10-21", 30]);
    expect(await served(free)).toEqual([200, "2026-10-21", 30]);
    expect(await served(physical)).toEqual([200, "2025-11-20", 365]);
    expect(await served(pro)).toEqual([200, "1996-01-01", 800]);
    expect(await served(pro, "1990-06-15")).toEqual([200, "1996-01-01", 800]);
    const before = await history({ from: "1990-01-01", to: "1995-12-31", limit: "10000" });
    expect([before.status, before.json.from, before.json.to, before.json.series]).toEqual([200, "1995-12-31", "1995-12-31", []]);
  });

  test("of hours is 30 days on every tier, and no tier reaches further", async () => {
    const { status, json } = await history({ from: day(60), to: day(40), interval: "1h" });
    expect([status, json.error]).toEqual([400, "bad_request"]);
    expect(json.message).toContain("30 days");
    expect((await history({ from: day(60), to: day(0), interval: "1h" })).json.from).toBe("2026-10-21");
  });
});

describe("refusals", () => {
  test.each([
    [{ from: "yesterday" }, "from"],
    [{ from: "2026-02-30" }, "from"],
    [{ to: "2026-11-31" }, "to"],
    [{ from: "2026-11-01T00:00:00Z" }, "from"],
    [{ from: day(0), to: day(1) }, "from"],
    [{ from: "" }, "from"],
    [{ symbol: "garbage" }, "symbol"],
  ])("%j is out of range: bad_request, naming it", async (query, name) => {
    const { status, json } = await history({ from: day(5), to: day(0), ...query });
    expect([status, json.error]).toEqual([400, "bad_request"]);
    expect(json.message).toContain(name);
  });
});

describe("the headers of a deprecated route", () => {
  test("are sent on success and on plan_gated, and not on other refusals", async () => {
    const read = async (query: Record<string, string>, key: TestKey | null) => {
      const { headers } = await history({ from: day(1), to: day(0), ...query }, key);
      return ["deprecation", "link", "sunset"].map((name) => headers.get(name));
    };
    const all = ["true", '</v1/bars>; rel="successor-version"', "2027-06-30"];
    expect(await read({}, pro)).toEqual(all);
    expect(await read({ symbol: "GLD" }, free)).toEqual(all);
    expect(await read({ limit: "0" }, pro)).toEqual([null, null, null]);
  });

  test("state no end date while none is set", async () => {
    const other = await startTestApp({ store: app.store });
    const { headers } = await other.ask(`/v1/prices/history?symbol=XAU&from=${day(1)}&to=${day(0)}`);
    expect([headers.get("deprecation"), headers.get("sunset")]).toEqual(["true", null]);
    await other.close();
  });
});
