import { DAY_MS, INTERVAL_MS, TIER_NAMES, type TierName } from "@assay/contract";
import { readEncodedBars } from "@assay/db";
import { FRIDAY_MS, type TestKey } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { day, listBars, startBarsApp } from "../testing/bars-app.ts";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";

let app: TestApp;
const keys = {} as Record<TierName, TestKey>; // one per tier, set before the first test

beforeAll(async () => {
  app = await startBarsApp();
  for (const tier of TIER_NAMES) keys[tier] = await app.key(tier);
});
afterAll(() => app.close());

const list = (query: Record<string, string | number>, key: TestKey = keys.realtime_pro) => listBars(app, query, key.key);

describe("a page", () => {
  test("is newest first and names its series and interval", async () => {
    const { json } = await list({ from: day(3), to: day(0) });
    expect(json.bars.map((bar) => bar.bar_start.slice(0, 10))).toEqual([day(0), day(1), day(2), day(3)]);
    expect(json.bars.map((bar) => bar.is_closed)).toEqual([false, true, true, true]);
    expect(json).toMatchObject({
      symbol: "XAU-USD-SPOT",
      interval: "1d",
      next_cursor: null,
      meta: { tier: "realtime_pro", count: 4, source_id: "composed" },
    });
  });

  test("oldest first ends with the bar that is forming, once there is room for it", async () => {
    for (const limit of [2, 3, 4, 5]) {
      const days: string[] = [];
      const open: boolean[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const place: Record<string, string> = cursor === "" ? {} : { cursor };
        const { json } = await list({ from: day(3), to: day(0), order: "asc", limit, ...place });
        expect(json.meta.count).toBe(json.bars.length);
        days.push(...json.bars.map((bar) => bar.bar_start.slice(0, 10)));
        open.push(...json.bars.map((bar) => !bar.is_closed));
        cursor = json.next_cursor;
      }
      expect([days, open], `pages of ${limit}`).toEqual([
        [day(3), day(2), day(1), day(0)],
        [false, false, false, true],
      ]);
    }
  });

  test("holds 100 bars unless asked, and at most 10 000", async () => {
    expect((await list({ from: "1990-01-01", to: day(0) })).json.bars).toHaveLength(100);
    expect((await list({ from: "1990-01-01", to: day(0), limit: 10_000 })).json.bars).toHaveLength(502);
  });

  test("is byte for byte what the store encodes", async () => {
    for (const interval of ["1d", "1h", "1m"] as const) {
      const from = new Date(FRIDAY_MS - 29 * DAY_MS).toISOString();
      const { text } = await list({ interval, from: interval === "1d" ? "1990-01-01" : from, to: day(0), limit: 10_000 });
      const inside = text.slice(text.indexOf('"bars":[') + 8, text.indexOf('],"next_cursor"'));
      const sinceMs = interval === "1d" ? 0 : Date.parse(from);
      const { bytes } = await readEncodedBars(app.store, "XAU-USD-SPOT", interval, sinceMs);
      expect(inside, interval).toBe(Buffer.from(bytes).toString("latin1"));
    }
  });

  test("of an empty window is empty, and exhausted", async () => {
    const { status, json } = await list({ from: "2030-01-01", to: "2030-12-31" });
    expect([status, json.bars, json.next_cursor, json.meta.count]).toEqual([200, [], null, 0]);
    expect((await list({ symbol: "SI", from: day(5), to: day(0) })).json).toMatchObject({
      bars: [],
      meta: { count: 0, source_id: null },
    });
  });

  test("carries volume where there is one, and null for spot", async () => {
    expect((await list({ symbol: "gc", from: day(1), to: day(0) })).json.bars[0]?.volume).toBe("123456.5");
    expect((await list({ from: day(1), to: day(1) })).json.bars[0]?.volume).toBeNull();
  });

  test("names its series in canonical form, however it was asked for", async () => {
    for (const symbol of ["XAU/USD", "xau/usd", "XAU-USD", "xau-usd-spot", "gold", "XAU"]) {
      expect((await list({ symbol, from: day(1), to: day(0) })).json.symbol, symbol).toBe("XAU-USD-SPOT");
    }
    for (const [symbol, canonical] of [
      ["XAG/USD", "XAG-USD-SPOT"],
      ["XAU-USD-FUTURES", "GC"],
      ["HG", "HG"],
      ["HG/USD", "HG-USD-SPOT"],
      ["gld", "GLD"],
    ]) {
      expect((await list({ symbol: symbol ?? "", from: day(1), to: day(0) })).json.symbol, symbol).toBe(canonical);
    }
  });

  test("of an unknown series is refused with the names of the known ones", async () => {
    for (const symbol of ["XAU-EUR-SPOT", "XPT", "garbage", "XAU//USD", "BTC/USD"]) {
      const { status, json, text } = await list({ symbol, from: day(1), to: day(0) });
      expect([status, json.error], symbol).toEqual([422, "validation_error"]);
      expect(text).toContain("GLD");
    }
  });
});

describe("from and to", () => {
  const starts = async (from: string, to: string, interval = "1d") =>
    (await list({ from, to, interval })).json.bars.map((bar) => bar.bar_start);

  test("are both inclusive, dates as whole UTC days", async () => {
    expect(await starts(day(2), day(1))).toHaveLength(2);
    expect(await starts(`${day(2)}T00:00:00Z`, `${day(1)}T00:00:00Z`)).toHaveLength(2);
    expect(await starts(`${day(2)}T00:00:00.001Z`, `${day(1)}T00:00:00Z`)).toHaveLength(1);
    expect(await starts(`${day(2)}T00:00:00.0000001Z`, `${day(1)}T00:00:00Z`)).toHaveLength(1);
    expect(await starts(`${day(1)}T00:00:00.0000001Z`, `${day(1)}T00:00:00.0000001Z`)).toEqual([]);
    expect(await starts(day(1), `${day(1)}T00:59:59.9999999Z`, "1h")).toEqual([`${day(1)}T00:00:00Z`]);
    expect(await starts(day(1), day(1), "1h")).toHaveLength(24);
  });

  test("that cannot be parsed, do not exist or are reversed are refused as validation_error, naming the parameter", async () => {
    const cases: [string, string, string][] = [
      ["yesterday", day(0), "from"],
      ["2026-02-30", day(0), "from"],
      [day(1), "2026-13-01", "to"],
      [day(1), "20261120", "to"],
      [day(0), day(1), "from"],
    ];
    for (const [from, to, name] of cases) {
      const { status, json, text } = await list({ from, to });
      expect([status, json.error], `${from} ${to}`).toEqual([422, "validation_error"]);
      expect(text).toContain(`"path":["query","${name}"]`);
    }
    // What a + is read as when it is not encoded.
    expect((await list({ from: `${day(1)}T00:00:00 00:00`, to: day(0) })).text).toContain("%2B");
  });
});

describe("gates", () => {
  test("are checked after the form of the input and before depth", async () => {
    expect((await list({ from: "garbage", to: day(0), interval: "5s" }, keys.free)).status).toBe(422);
    expect((await list({ from: day(400), to: day(0), interval: "1m" }, keys.free)).status).toBe(403);
  });
});

describe("depth", () => {
  test("is that of the caller, whoever's cursor it is", async () => {
    const deep = { from: day(400), to: day(0), limit: 3 };
    const cursor = (await list(deep)).json.next_cursor ?? "";
    expect((await list({ ...deep, cursor }, keys.free)).json.error).toBe("range_too_deep");
  });

  test("does not limit the latest bar", async () => {
    app.clock.advance(60 * DAY_MS);
    const { status, json } = await app.ask("/v1/bars/latest?symbol=XAU-USD-SPOT");
    expect(status).toBe(200);
    expect(json.bar.bar_start.slice(0, 10)).toBe(day(0) === json.bar.bar_start.slice(0, 10) ? day(0) : day(1));
    app.clock.advance(-60 * DAY_MS);
  });
});

describe("the latest bar", () => {
  test("is the forming one, or the newest closed one, or null", async () => {
    const latest = async (query: string) => (await app.ask(`/v1/bars/latest?${query}`, { key: keys.pro.key })).json;
    expect(await latest("symbol=XAU")).toMatchObject({
      symbol: "XAU-USD-SPOT",
      interval: "1d",
      bar: { is_closed: false },
      meta: { count: 1, tier: "pro" },
    });
    expect(await latest("symbol=GC")).toMatchObject({ symbol: "GC", bar: { bar_start: `${day(1)}T00:00:00Z`, is_closed: true } });
    expect(await latest("symbol=SI&interval=4h")).toEqual({
      symbol: "SI",
      interval: "4h",
      bar: null,
      meta: { tier: "pro", count: 0, source_id: null },
    });
  });

  test("is the first bar of the page route", async () => {
    for (const interval of ["1d", "1m", "1h"] as const) {
      const { bar } = (await app.ask(`/v1/bars/latest?symbol=XAU&interval=${interval}`, { key: keys.pro.key })).json;
      const to = new Date(Date.parse(bar.bar_start) + INTERVAL_MS[interval]).toISOString();
      expect((await list({ interval, from: bar.bar_start, to, limit: 1 })).json.bars[0]).toEqual(bar);
    }
  });
});

test.each([
  ["bars", ["/v1/bars", "/v1/bars/latest?symbol=XAU"], "/v1/prices/history?symbol=XAU&from=2026-11-01&to=2026-11-20"],
  ["ratios", ["/v1/ratios", "/v1/ratios/latest?pair=gold-silver"], "/v1/bars/latest?symbol=XAU"],
] as const)("%s that are switched off are disabled for everyone, and nothing else is", async (feature, paths, other) => {
  const without = await startTestApp({ store: app.store, disabled: new Set([feature]) });
  for (const path of paths) {
    for (const key of [undefined, keys.pro.key, "bad"]) {
      const { status, json } = await without.ask(path, { key });
      expect([status, json.error], path).toEqual([404, "disabled"]);
    }
  }
  expect((await without.ask(other)).status).toBe(200);
  await without.close();
});
