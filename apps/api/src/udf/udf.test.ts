/** TradingView's data feed over a real socket, in the forms the protocol publishes. */
import { DAY_MS, MINUTE_MS } from "@assay/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startBarsApp, TODAY_MS } from "../testing/bars-app.ts";
import { freshAddress, type TestApp } from "../testing/start-test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startBarsApp();
});
afterAll(() => app.close());

const seconds = (ms: number): number => Math.floor(ms / 1_000);
const daysAgo = (days: number): number => seconds(TODAY_MS - days * DAY_MS);
const ask = (path: string, query: Record<string, string | number> = {}, key?: string) => app.ask(`/udf/${path}`, { query, key });
const history = (query: Record<string, string | number>, key?: string) =>
  ask("history", { symbol: "XAU-USD-SPOT", resolution: "1D", ...query }, key);

describe("the configuration", () => {
  test("says what the feed can do", async () => {
    const { status, json, headers } = await ask("config");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/json");
    expect(json).toMatchObject({
      supports_search: true,
      supports_group_request: false,
      supports_marks: false,
      supports_timescale_marks: false,
      supports_time: true,
      supported_resolutions: ["1", "5", "15", "30", "60", "120", "240", "1D"],
    });
  });

  test("gives the service's time in Unix seconds", async () => {
    expect((await ask("time")).text).toBe(String(seconds(app.clock())));
  });
});

describe("symbols", () => {
  test("may be asked for with what charts add, and only in USD", async () => {
    const query = { symbol: "XAU", currencyCode: "USD", unitId: "", adjustment: "splits" };
    expect((await ask("symbols", query)).status).toBe(200);
    expect((await history({ ...query, from: daysAgo(3), to: daysAgo(0) })).json.s).toBe("ok");
    expect((await ask("symbols", { ...query, currencyCode: "EUR" })).status).toBe(422);
  });

  test.each(["XAU-USD-SPOT", "xau/usd", "XAU", "Assay:XAU-USD-SPOT"])("%s is the gold spot series", async (symbol) => {
    expect((await ask("symbols", { symbol })).json).toMatchObject({
      name: "XAU-USD-SPOT",
      ticker: "XAU-USD-SPOT",
      timezone: "Etc/UTC",
      session: "24x7",
      minmov: 1,
      pricescale: 100,
      has_intraday: true,
      has_daily: true,
      supported_resolutions: expect.arrayContaining(["1", "1D"]),
    });
  });

  test("that are unknown are an error in the protocol's form", async () => {
    const { status, json } = await ask("symbols", { symbol: "AAPL" });
    expect(status).toBe(404);
    expect(json).toMatchObject({ s: "error", errmsg: "There is no such symbol.", error: "not_found" });
  });

  test("are found by every word of a query, by type, and not more than requested", async () => {
    const found = async (query: Record<string, string | number>) =>
      ((await ask("search", query)).json as { symbol: string }[]).map(({ symbol }) => symbol);
    expect(await found({ query: "gold", type: "", exchange: "", limit: 30 })).toEqual(["XAU-USD-SPOT", "GC", "GLD"]);
    expect(await found({ query: "Gold FUTURES" })).toEqual(["GC"]);
    expect(await found({ query: "", type: "futures" })).toEqual(["GC", "SI", "HG"]);
    expect(await found({ query: "", limit: 2 })).toEqual(["XAU-USD-SPOT", "XAG-USD-SPOT"]);
    expect(await found({ query: "platinum" })).toEqual([]);
    expect((await ask("search", { query: "gld" })).json).toEqual([
      { symbol: "GLD", full_name: "GLD", ticker: "GLD", description: expect.any(String), exchange: "Assay", type: "fund" },
    ]);
  });
});

/** The bars of the API in a window, oldest first. */
const barsOf = async (interval: string, fromS: number, toS: number, key?: string) => {
  const window = { from: new Date(fromS * 1_000).toISOString(), to: new Date(toS * 1_000 - 1).toISOString() };
  const { json } = await app.ask("/v1/bars", { query: { symbol: "XAU", interval, limit: 10_000, ...window }, key });
  return (json.bars as { bar_start: string; open: string; high: string; low: string; close: string }[]).toReversed();
};

/** A column as text, as no parser of JSON numbers would keep it. */
const columnIn = (text: string, name: string): string[] =>
  (new RegExp(`"${name}":\\[([^\\]]*)\\]`).exec(text)?.[1] ?? "").split(",");

describe("history", () => {
  test("has the bars of the API in columns, oldest first, to the last published digit", async () => {
    const { key } = await app.key("pro");
    const [from, to] = [daysAgo(40), daysAgo(10)];
    const { status, json, text } = await history({ from, to }, key);
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual(["s", "t", "o", "h", "l", "c"]);
    expect(json.s).toBe("ok");
    const bars = await barsOf("1d", from, to, key);
    expect(bars.length).toBe(30);
    expect(json.t).toEqual(bars.map(({ bar_start }) => Date.parse(bar_start) / 1_000));
    for (const [column, field] of [
      ["o", "open"],
      ["h", "high"],
      ["l", "low"],
      ["c", "close"],
    ] as const) {
      expect(columnIn(text, column)).toEqual(bars.map((bar) => bar[field]));
    }
  });

  test("begins at `from` and ends before `to`", async () => {
    const { key } = await app.key("pro");
    expect((await history({ from: daysAgo(5), to: daysAgo(3) }, key)).json.t).toEqual([daysAgo(5), daysAgo(4)]);
  });

  test("has `countback` bars before `to`, whatever `from` is", async () => {
    const { key } = await app.key("pro");
    const { json } = await history({ from: daysAgo(2), to: daysAgo(1), countback: 7 }, key);
    expect(json.t).toEqual([8, 7, 6, 5, 4, 3, 2].map(daysAgo));
    const far = await history({ from: daysAgo(2), to: daysAgo(1), countback: 400 }, key);
    expect(far.json.t).toHaveLength(400);
  });

  test.each([
    ["1", MINUTE_MS],
    ["60", 60 * MINUTE_MS],
    ["D", DAY_MS],
  ])("of resolution %s has bars of that width", async (resolution, widthMs) => {
    const { key } = await app.key("pro");
    const { json } = await history({ resolution, from: 0, to: seconds(app.clock()), countback: 3 }, key);
    expect(json.t).toHaveLength(3);
    expect(json.t[1] - json.t[0]).toBe(widthMs / 1_000);
  });

  test("has a column of volumes where there are any", async () => {
    const { key } = await app.key("pro");
    const { json, text } = await history({ symbol: "GC", from: daysAgo(5), to: daysAgo(0) }, key);
    expect(json.s).toBe("ok");
    expect(columnIn(text, "v")).toEqual(json.t.map(() => "123456.5"));
  });

  test("of an empty window names the newest bar before it, and nothing when there is none", async () => {
    const { key } = await app.key("pro");
    const gap = seconds(Date.UTC(2000, 0, 1));
    const { json } = await history({ from: gap, to: gap + 86_400 * 10 }, key);
    expect(json).toEqual({ s: "no_data", nextTime: seconds(Date.UTC(1996, 0, 2)) });
    const before = seconds(Date.UTC(1990, 0, 1));
    expect((await history({ from: before, to: before + 86_400 }, key)).json).toEqual({ s: "no_data" });
    expect((await history({ from: before, to: before + 86_400, countback: 10 }, key)).json).toEqual({ s: "no_data" });
  });

  test("may be asked for from before 1970, and has no data where nothing can be", async () => {
    const { key } = await app.key("pro");
    const window = { from: -2_208_988_800, to: daysAgo(0), countback: 2 };
    expect((await history(window, key)).json.t).toEqual([daysAgo(2), daysAgo(1)]);
    const { status, json } = await history({ ...window, to: -1_000_000_000 }, key);
    expect([status, json]).toEqual([200, { s: "no_data" }]);
    expect((await history({ from: -2_208_988_800, to: -1 })).json).toEqual({ s: "no_data" });
  });

  test("is not refused for scrolling beyond the tier's depth: it ends there", async () => {
    const { key } = await app.key("free");
    const { json } = await history({ from: daysAgo(300), to: daysAgo(1), countback: 200 }, key);
    expect(json.t[0]).toBe(daysAgo(30));
    expect((await history({ from: daysAgo(300), to: daysAgo(200) }, key)).json).toEqual({ s: "no_data" });
  });

  test("without a key is that of the API without one: daily, delayed, and gated alike", async () => {
    const to = seconds(app.clock());
    const { json } = await history({ from: daysAgo(10), to });
    expect(json.t).toEqual((await barsOf("1d", daysAgo(10), to)).map(({ bar_start }) => Date.parse(bar_start) / 1_000));
    const intraday = await history({ resolution: "1", from: to - 600, to });
    expect(intraday.status).toBe(403);
    expect(intraday.json).toMatchObject({ s: "error", errmsg: "Your tier does not include this.", required_tier: "pro" });
    const silver = await history({ symbol: "XAG-USD-SPOT", from: daysAgo(10), to });
    expect(silver.json).toMatchObject({ s: "error", error: "plan_gated" });
  });

  test("counts like the API's bars", async () => {
    const { key } = await app.key("pro");
    await history({ from: daysAgo(5), to: daysAgo(3) }, key);
    await ask("config", {}, key);
    await ask("time", {}, key);
    expect((await app.ask("/v1/account/usage", { key })).json.calls_today).toBe(1);
    const refused = await history({ from: daysAgo(5), to: daysAgo(3) }, "no-such-key");
    expect(refused.json).toMatchObject({ s: "error", error: "invalid_api_key" });
  });

  test.each(["history", "config", "time", "symbols", "search"])("of %s with a key in the address is refused", async (path) => {
    const { key } = await app.key("pro");
    const { status, json, text } = await ask(path, { symbol: "XAU", resolution: "1D", to: daysAgo(0), api_key: key });
    expect(status).toBe(401);
    expect(json).toMatchObject({ error: "invalid_api_key", errmsg: expect.stringContaining("Authorization: Bearer") });
    expect(text).not.toContain(key);
  });

  test.each([
    [{ symbol: "AAPL" }, "symbol is unknown"],
    [{ resolution: "3" }, "resolution must be one of 1, 5, 15, 30, 60, 120, 240, 1D"],
    [{ to: "tomorrow" }, "to must be Unix seconds"],
    [{ from: "1e3" }, "from must be Unix seconds"],
    [{ countback: "1.5" }, "countback must be a whole number in digits"],
    [{ currencyCode: "EUR" }, "currencyCode must be USD: there are no bars in other currencies"],
  ])("with %o is an error that names the parameter", async (wrong, errmsg) => {
    const { status, json } = await history({ from: daysAgo(5), to: daysAgo(3), ...wrong });
    expect(status).toBe(422);
    expect(json).toMatchObject({ s: "error", errmsg, error: "validation_error" });
  });

  test("takes each parameter once, and requires them", async () => {
    const repeated = await app.ask("/udf/history?symbol=XAU&symbol=GC&resolution=1D&to=1763596800");
    expect(repeated.json.errmsg).toBe("symbol must be given once");
    expect((await app.ask("/udf/history")).json.errmsg).toBe("symbol is required");
  });
});

describe("over HTTP", () => {
  test("only GET and HEAD are methods, and unknown paths are not found", async () => {
    for (const path of ["config", "history"]) {
      const { status, headers, json } = await app.ask(`/udf/${path}`, { method: "POST" });
      expect([status, headers.get("allow"), json.s]).toEqual([405, "GET, HEAD", "error"]);
    }
    expect((await app.ask("/udf/config", { method: "HEAD" })).text).toBe("");
    expect((await app.ask("/udf/marks")).status).toBe(404);
  });

  test("every answer has its request's id, is not stored, and has no CORS header", async () => {
    for (const path of ["/udf/config", "/udf/history", "/udf/symbols?symbol=none", "/udf/time"]) {
      const { headers } = await app.ask(path, { headers: { "X-Request-Id": "mine" } });
      expect(headers.get("x-request-id")).toBe("mine");
      expect(headers.get("cache-control")).toBe("no-store");
      expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });

  test("a request without bars is counted as a light request of its address", async () => {
    const from = freshAddress();
    for (let sent = 0; sent < 60; sent += 1) expect((await app.ask("/udf/time", { from })).status).toBe(200);
    const { status, json } = await app.ask("/udf/config", { from });
    expect(status).toBe(429);
    expect(json).toMatchObject({ s: "error", error: "rate_limit_exceeded" });
  });
});
