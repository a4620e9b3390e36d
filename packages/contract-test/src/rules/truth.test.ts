/** The rules of figures that are well formed and not true, on answers that a fake service could give. */
import { contract, DEFAULT_CATALOG, FORMAT_PARAMETER, type Route, streams } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { KEYLESS, keyed } from "../wire/caller.ts";
import type { Subject } from "./rule.ts";
import { RULES } from "./rule-book.ts";
import { lateTick, lostTick } from "./stream.ts";

const NOW = Date.UTC(2026, 10, 20, 14);
const MINUTE_MS = 60_000;

const judge = (
  title: string,
  route: Route,
  body: string,
  { format = "", query = "", kind = "application/json", caller = keyed("pro", "key") } = {},
) => {
  const asked = format === "" ? query : `?${FORMAT_PARAMETER}=${format}`;
  const url = `http://service${route.path}${asked}`;
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    json = undefined;
  }
  const subject: Subject = {
    route,
    catalog: DEFAULT_CATALOG,
    exchange: {
      sent: { method: route.method, url, headers: {}, body: undefined, caller },
      status: route.success.status,
      headers: new Headers({ "content-type": kind }),
      text: body,
      json,
      sentAtMs: NOW,
      readAtMs: NOW,
    },
    askedAtMs: NOW,
    readAtMs: NOW,
    freshForMs: new Map([["XAU", MINUTE_MS]]),
  };
  const rule = RULES.find((each) => each.title === title);
  if (!rule) throw new Error(`there is no rule ${title}`);
  return rule.judge(subject);
};

describe("freshness", () => {
  const ago = (ms: number): string => new Date(NOW - ms).toISOString();
  const row = (ms: number, more: object = {}) =>
    JSON.stringify({ symbol: "XAU", contract_type: "spot", is_stale: false, computed_at: ago(ms), ...more });
  const OLD = ["a price that is not called stale is 10800 seconds old"];
  const HOURS_MS = 180 * MINUTE_MS;

  test("refuses hours under is_stale: false in JSON, in a table, in a receipt and in a conversion", () => {
    expect(judge("freshness", contract.spot.get, row(MINUTE_MS))).toEqual([]);
    expect(judge("freshness", contract.spot.get, row(HOURS_MS))).toEqual(OLD);
    const table = `symbol,is_stale,computed_at,sources\r\nXAU,false,${ago(HOURS_MS)},\r\n`;
    expect(judge("freshness", contract.prices.list, table, { format: "csv", kind: "text/csv" })).toEqual(OLD);
    const claims = Buffer.from(`{"body":${row(HOURS_MS)}}`).toString("base64url");
    expect(judge("freshness", contract.spot.get, `e30.${claims}.e30`, { format: "jws", kind: "application/jose" })).toEqual(OLD);
    const converted = JSON.stringify({ from: "XAU", to: "EUR", timestamp: ago(HOURS_MS) });
    expect(judge("freshness", contract.convert.get, converted)).toEqual(OLD);
  });

  test("allows the tier's delay, and says nothing of what is called stale, of the past, of settlements and of currencies", () => {
    expect(judge("freshness", contract.spot.get, row(16 * MINUTE_MS), { caller: KEYLESS })).toEqual([]);
    expect(judge("freshness", contract.spot.get, row(18 * MINUTE_MS), { caller: KEYLESS })).toHaveLength(1);
    for (const more of [{ is_stale: true }, { as_of: ago(HOURS_MS) }, { contract_type: "futures" }, { symbol: "XAG" }])
      expect(judge("freshness", contract.spot.get, row(HOURS_MS, more))).toBeNull();
    const cross = JSON.stringify({ from: "USD", to: "EUR", timestamp: ago(HOURS_MS) });
    expect(judge("freshness", contract.convert.get, cross)).toBeNull();
  });

  test("refuses ticks of a stream that are late, except the one it begins with", () => {
    const tick = (ms: number, more: object = {}) => ({ computed_at: ago(ms), ...more });
    expect(lateTick([tick(HOURS_MS, { snapshot: true }), tick(30_000)], NOW)).toBeNull();
    expect(lateTick([tick(0, { snapshot: true }), tick(31_000)], NOW)).toBe("a tick is 31 seconds old");
  });

  test("lets a stream that is resumed send what was missed", () => {
    const text = `data: ${JSON.stringify({ type: "tick", seq: 1842, computed_at: ago(3 * MINUTE_MS) })}\n\n`;
    const of = (query: string) => judge("live ticks", streams.prices, text, { query, kind: "text/event-stream" });
    expect(of("?symbol=XAU-USD-SPOT")).toEqual(["a tick is 180 seconds old"]);
    expect(of("?symbol=XAU-USD-SPOT&lastEventId=XAU-USD-SPOT%3A1841")).toEqual([]);
  });
});

test("a stream has every number, but for those that a gap names", () => {
  const ticks = (...numbers: number[]) => numbers.map((seq) => ({ type: "tick", seq }));
  const gap = { type: "gap", from_seq: 3, to_seq: 5, reason: "expired" };
  expect(lostTick(ticks(1, 2, 3))).toBeNull();
  expect(lostTick(ticks(1, 3))).toBe("tick 3 comes after 1");
  expect(lostTick([...ticks(1, 2), gap, ...ticks(6)])).toBeNull();
  expect(lostTick([...ticks(1, 2), gap, ...ticks(7)])).toBe("tick 7 comes after 5");
  expect(lostTick([...ticks(9), { ...gap, from_seq: 1, to_seq: 9, reason: "reset" }, ...ticks(1)])).toBeNull();
});

test("rows are in the declared order, each day once", () => {
  const judged = (route: Route, name: string, ...days: string[]) =>
    judge("rows in order", route, JSON.stringify({ [name]: days.map((day) => ({ date: day, settlement_date: day })) }));
  expect(judged(contract.settlements.list, "settlements", "2026-11-19", "2026-11-18")).toEqual([]);
  expect(judged(contract.settlements.list, "settlements", "2026-11-18", "2026-11-19")).toHaveLength(1);
  expect(judged(contract.prices.history, "series", "2026-11-18", "2026-11-19")).toEqual([]);
  expect(judged(contract.ratios.list, "points", "2026-11-19", "2026-11-19")).toHaveLength(1);
  expect(judged(contract.spot.get, "price")).toBeNull();
});

describe("sources add up", () => {
  const primary = (price: string, more: object = {}) => ({ source: price, role: "primary", verdict: "believed", price, ...more });
  const judged = (price: string, ...sources: object[]) =>
    judge("sources add up", contract.spot.get, JSON.stringify({ symbol: "XAU", price, sources }));

  test("one, the middle of three, and the mean of two, as far as their rounding leaves it open", () => {
    expect(judged("4003.20", primary("4003.20"))).toEqual([]);
    expect(judged("4003.20", primary("4003.20"), primary("4000.00"), primary("4010.00"))).toEqual([]);
    // 4003.20 to 4003.21, according to what was rounded.
    expect(judged("4003.20", primary("4003.20"), primary("4003.21"))).toEqual([]);
    expect(judged("4003.21", primary("4003.20"), primary("4003.21"))).toEqual([]);
    for (const [price, ...sources] of [
      ["4003.21", "4003.20"],
      ["4003.22", "4003.20", "4003.21"],
      ["4003.19", "4003.20", "4003.21"],
      ["4003.21", "4003.20", "4003.20", "4010.00"],
    ] as const)
      expect(judged(price, ...sources.map((each) => primary(each)))).toHaveLength(1);
  });

  test("the council's alone where no primary is believed, and no other source", () => {
    const council = { source: "c", role: "council", price: "3990.00" };
    const silent = primary("1.00", { verdict: "silent" });
    const token = { source: "t", role: "reference", verdict: "standby", price: "4100.00" };
    expect(judged("3990.00", silent, { ...council, verdict: "believed" }, token)).toEqual([]);
    expect(judged("4003.20", primary("4003.20"), { ...council, verdict: "standby" }, token)).toEqual([]);
    expect(judged("3990.00", silent, { ...council, verdict: "standby" })).toEqual([
      "the price is 3990.00, and no source is believed",
    ]);
    expect(judged("3990.00", { source: "ecb", role: "reference", verdict: "believed" })).toBeNull();
  });

  test("what is refused names its rule, and nothing else does", () => {
    const refused = primary("5000.00", { verdict: "refused", rule: "jump" });
    expect(judged("4003.20", primary("4003.20"), refused)).toEqual([]);
    expect(judged("4003.20", primary("4003.20"), { ...refused, rule: undefined })).toEqual(["5000.00 is refused by no rule"]);
    expect(judged("4003.20", primary("4003.20", { rule: "jump" }))).toEqual(["4003.20 is believed by a rule"]);
  });
});

test("a price is price_usd × fx_rate, rounded once to the decimals of the figure itself", () => {
  const judged = (route: Route, said: object) => judge("price × rate", route, JSON.stringify(said));
  const row = { price: "3442.75", price_usd: "4003.195", fx_rate: "0.86", price_gram_24k: "110.6869" };
  expect(judged(contract.spot.get, row)).toEqual([]);
  expect(judged(contract.spot.get, { ...row, price: "3442.76" })).toEqual([
    "price is 3442.76, and 4003.195 × 0.86 makes 3442.75",
  ]);
  expect(judged(contract.carat.get, { ...row, price: undefined, price_gram_24k: "110.6868" })).toHaveLength(1);
  expect(judged(contract.prices.list, { symbols: [row, { price: "4.6151", price_usd: "4.61505" }] })).toEqual([]);
  expect(judged(contract.prices.list, { symbols: [{ price: "4.62", price_usd: "4.61505" }] })).toHaveLength(1);
  expect(judged(contract.spot.get, { price: "3442.75" })).toBeNull();
});

test("a count is that of the rows: of a list, of the list among several, and of one row or none", () => {
  const counted = (route: Route, body: object) => judge("count", route, JSON.stringify(body));
  expect(counted(contract.bars.list, { bars: [1, 2], next_cursor: null, meta: { count: 2 } })).toEqual([]);
  expect(counted(contract.bars.list, { bars: [1, 2], next_cursor: null, meta: { count: 3 } })).toEqual([
    "meta.count is 3, and there are 2 rows",
  ]);
  expect(counted(contract.physical.get, { quotes: [1], errors: [], meta: { count: 1 } })).toEqual([]);
  expect(counted(contract.physical.get, { quotes: [1], errors: [], meta: { count: 0 } })).toHaveLength(1);
  expect(counted(contract.bars.latest, { bar: null, meta: { count: 0 } })).toEqual([]);
  expect(counted(contract.bars.latest, { bar: {}, meta: { count: 0 } })).toHaveLength(1);
  expect(counted(contract.spot.get, { price: "1" })).toBeNull();
});

const figures = (row: object) => judge("figures are made of those beside them", contract.spot.get, JSON.stringify(row));

test("a ratio is the quotient, a change the difference and a result the product of what is shown beside it", () => {
  const ratio = { numerator_close: "4003.20", denominator_close: "48.0000" };
  expect(figures({ ratio: "83.4000", ...ratio })).toEqual([]);
  expect(figures({ ratio: "83.4001", ...ratio })).toEqual([
    "ratio is 83.4001, and numerator_close and denominator_close make 83.4",
  ]);
  const change = { settlement_price: "4012.50", prior_settlement: "4001.20" };
  // Made of figures before they were rounded.
  expect(figures({ change_value: "11.31", ...change })).toEqual([]);
  expect(figures({ change_value: "11.32", ...change })).toHaveLength(1);
  expect(figures({ change_value: null, ...change, prior_settlement: null })).toBeNull();
  expect(figures({ price: "4003.20", prev_close_price: "3994.65", ch: "8.55", chp: "0.21" })).toEqual([]);
  expect(figures({ price: "4003.20", prev_close_price: "3994.65", ch: "8.55", chp: "0.25" })).toHaveLength(1);
  expect(figures({ amount: "12.5", rate: "3.1415", result: "39.27" })).toEqual([]);
  expect(figures({ amount: "12.5", rate: "3.1415", result: "39.26" })).toHaveLength(1);
});

test.each([
  ["EUR", "1.25", "1.255"],
  ["JPY", "125", "125.5"],
  ["XAG", "1.123456", "1.1234567"],
])("a result in %s has its decimals", (to, right, wrong) => {
  const judged = (result: string) => judge("decimals of a result", contract.convert.get, JSON.stringify({ to, result }));
  expect(judged(right)).toEqual([]);
  expect(judged(wrong)).toHaveLength(1);
});

test("spot has no volume, not even zero; a fund has", () => {
  const judged = (symbol: string, volume: string | null) =>
    judge("volume", contract.bars.list, JSON.stringify({ symbol, bars: [{ volume }], meta: { count: 1 } }));
  expect(judged("XAU-USD-SPOT", null)).toEqual([]);
  expect(judged("XAU-USD-SPOT", "0")).toEqual(["the volume of spot is 0"]);
  expect(judged("GLD", "8123400")).toBeNull();
});

test("a price is dated no later than it is answered, a minute apart for clocks", () => {
  const judged = (ms: number) =>
    judge("not from the future", contract.spot.get, JSON.stringify({ computed_at: new Date(NOW + ms).toISOString() }));
  expect(judged(MINUTE_MS)).toEqual([]);
  expect(judged(2 * MINUTE_MS)).toEqual(["a figure is dated 120 seconds in the future"]);
});
