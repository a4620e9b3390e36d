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

  test("accept every usual form of an instant", async () => {
    const one = [`${day(1)}T00:00:00Z`];
    for (const from of [
      `${day(1)}T00:00:00Z`,
      `${day(1)}T00:00:00+00:00`,
      `${day(1)}T02:00:00+02:00`,
      `${day(1)}T00:00:00.000Z`,
      `${day(1)}T00:00:00`,
      `${day(1)}T00:00Z`,
    ]) {
      expect(await starts(from, from), from).toEqual(one);
    }
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
  });

  test("with an unencoded plus are refused with a hint", async () => {
    const { status, text } = await app.ask(`/v1/bars?symbol=XAU&from=${day(1)}T00:00:00+00:00&to=${day(0)}`, {
      key: keys.pro.key,
    });
    expect(status).toBe(422);
    expect(text).toContain("%2B");
  });
});

describe("gates", () => {
  test("reserve other series and shorter intervals for Pro, and say so", async () => {
    for (const key of [keys.free, keys.basic, keys.physical]) {
      for (const query of [{ symbol: "XAG/USD" }, { symbol: "GLD" }, { symbol: "GC" }, { interval: "1m" }, { interval: "4h" }]) {
        const { status, json } = await list({ from: day(1), to: day(0), ...query }, key);
        expect([status, json.error, json.required_tier], JSON.stringify(query)).toEqual([403, "plan_gated", "pro"]);
      }
    }
    const anonymous = await app.ask(`/v1/bars?symbol=GLD&from=${day(1)}&to=${day(0)}`);
    expect([anonymous.status, anonymous.json.required_tier]).toEqual([403, "pro"]);
  });

  test("are checked after the form of the input and before depth", async () => {
    expect((await list({ from: "garbage", to: day(0), interval: "5s" }, keys.free)).status).toBe(422);
    expect((await list({ from: day(400), to: day(0), interval: "1m" }, keys.free)).status).toBe(403);
  });
});

describe("depth", () => {
  test.each([
    ["free", 30, "2026-10-21"],
    ["basic", 365, "2025-11-20"],
    ["physical", 365, "2025-11-20"],
  ] as const)("of %s is %i days: %s is served, the day before is range_too_deep", async (tier, days, first) => {
    const served = await list({ from: first, to: day(0), limit: 10_000 }, keys[tier]);
    expect([served.status, served.json.bars.length]).toEqual([200, days + 1]);
    const tooDeep = await list({ from: new Date(Date.parse(first) - 1).toISOString(), to: day(0) }, keys[tier]);
    expect([tooDeep.status, tooDeep.json.error]).toEqual([400, "range_too_deep"]);
  });

  test("of Pro reaches back to 1996 for days, and 30 days for shorter intervals on every tier", async () => {
    for (const key of [keys.pro, keys.realtime_pro]) {
      const { json } = await list({ from: "1996-01-01", to: "1996-12-31" }, key);
      expect(json.bars).toMatchObject([{ bar_start: "1996-01-02T00:00:00Z", close: "387.10" }]);
      expect(
        (await list({ interval: "1h", from: "2026-10-21", to: day(0), limit: 10_000 }, key)).json.bars.length,
      ).toBeGreaterThan(700);
      expect((await list({ interval: "1h", from: "2026-10-20T23:59:59Z", to: day(0) }, key)).json.error).toBe("range_too_deep");
    }
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

describe("bars that are switched off", () => {
  test("are disabled for everyone, and nothing else is", async () => {
    const other = await startTestApp({ store: app.store, disabled: new Set(["bars"]) });
    for (const path of ["/v1/bars", "/v1/bars/latest?symbol=XAU"]) {
      for (const key of [undefined, keys.pro.key, "bad"]) {
        const { status, json } = await other.ask(path, { key });
        expect([status, json.error]).toEqual([404, "disabled"]);
      }
    }
    expect((await other.ask("/v1/prices/history?symbol=XAU&from=2026-11-01&to=2026-11-20")).status).toBe(200);
    await other.close();
  });
});
