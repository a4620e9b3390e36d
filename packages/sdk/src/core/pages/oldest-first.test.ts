import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { type Bar, type Bars, listBars, listRatios, type WireBar, type WireBars } from "../../testing/operations.ts";
import { type Served, serve, serveBars } from "../../testing/serve.ts";
import { Client } from "../client.ts";
import { ApiError } from "../errors.ts";
import { intervalMs, readWindow } from "./walk-pages.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START_MS = Date.UTC(2026, 10, 1);

let starts: number[] = [];
let served: Served;
beforeEach(async () => {
  starts = [];
});

const clientOf = ({ url }: Served): Client => new Client({ baseUrl: url, apiKey: null, maxRetries: 0, logLevel: "off" });
const bars = (params: object) => clientOf(served).page<Bars, WireBars, Bar, WireBar>(listBars, { symbol: "XAU/USD", ...params });
const days = async (params: object): Promise<number[]> =>
  (await bars(params).toArray()).map(({ barStart }) => barStart.getUTCDate());
const windows = (): string[] =>
  served.asked.map(({ url }) => {
    const query = new URL(url, "http://a").searchParams;
    return `${query.get("from")}..${query.get("to")}`;
  });

describe("oldest first", () => {
  test("pages through the window in steps of limit × interval and reverses each page", async () => {
    served = await serveBars(() => starts);
    starts = [0, 1, 2, 3, 4].map((day) => START_MS + day * DAY_MS);
    const list = bars({ from: "2026-11-01", to: "2026-11-05", limit: 2, order: "asc" });
    expect((await list).bars.map(({ barStart }) => barStart.getUTCDate())).toEqual([1, 2]);
    expect((await list.toArray()).map(({ barStart }) => barStart.getUTCDate())).toEqual([1, 2, 3, 4, 5]);
    expect(windows()).toEqual([
      "2026-11-01T00:00:00.000Z..2026-11-02T23:59:59.999Z",
      "2026-11-03T00:00:00.000Z..2026-11-04T23:59:59.999Z",
      "2026-11-05T00:00:00.000Z..2026-11-05T23:59:59.999Z",
    ]);
  });

  test("reads dates, instants, offsets and Dates as the service does", async () => {
    served = await serveBars(() => starts);
    starts = [0, 1, 2, 3, 4].map((day) => START_MS + day * DAY_MS);
    expect(await days({ from: new Date(START_MS + 1), to: new Date(START_MS + 3 * DAY_MS), order: "asc" })).toEqual([2, 3, 4]);
    expect(await days({ from: "2026-11-02T00:00", to: "2026-11-04T01:00:00+02:00", order: "asc" })).toEqual([2, 3]);
    expect(await days({ from: "2026-11-02T00:00:00Z", to: "2026-11-04", order: "asc", limit: 1 })).toEqual([2, 3, 4]);
  });

  test("takes longer and longer steps over a time without rows, and none too long where they begin", async () => {
    served = await serveBars(() => starts);
    starts = Array.from({ length: 40 }, (_, day) => START_MS + day * DAY_MS);
    const list = await bars({ from: "1996-01-01", to: "2100-01-01", limit: 10, order: "asc" }).toArray();
    expect(list.map(({ barStart }) => barStart.getTime())).toEqual(starts);
    expect(served.asked.length).toBeLessThan(35); // there are 3 800 windows of ten days
  });

  test("over an empty window gives one empty page", async () => {
    served = await serveBars(() => []);
    const pages: Bars[] = [];
    for await (const page of bars({ from: "2026-11-01", to: "2026-11-30", order: "asc" }).pages()) pages.push(page);
    expect(pages.map((page) => page.bars)).toEqual([[]]);
  });

  test("loses nothing of a step that holds more than a page", async () => {
    served = await serveBars(() => starts);
    starts = Array.from({ length: 10 }, (_, half) => START_MS + half * (DAY_MS / 2)); // denser than the interval says
    const list = await bars({ from: "2026-11-01", to: "2026-11-05", limit: 2, interval: "1d", order: "asc" }).toArray();
    expect(list.map(({ barStart }) => barStart.getTime())).toEqual(starts);
  });

  test("requests a daily list by whole days", async () => {
    served = await serve(({ url }) => {
      const query = new URL(url, "http://a").searchParams;
      return { body: { points: [{ date: query.get("to") }, { date: query.get("from") }], next_cursor: null } };
    });
    const list = clientOf(served).page(listRatios, {
      from: new Date(START_MS + HOUR_MS),
      to: "2026-11-05",
      limit: 2,
      order: "asc",
    });
    const points = (await list.toArray()) as { date: string }[];
    expect(points.map(({ date }) => date)).toEqual([
      "2026-11-01",
      "2026-11-02",
      "2026-11-03",
      "2026-11-04",
      "2026-11-05",
      "2026-11-05",
    ]);
    expect(windows()[0]).toBe("2026-11-01..2026-11-02");
  });

  test.each([
    { from: "2026-11-05", to: "2026-11-01" },
    { from: "yesterday", to: "2026-11-01" },
    { from: "2026-11-01", to: "2026-11-05", limit: 0 },
    { from: "2026-11-01", to: "2026-11-05", limit: 1.5 },
    { to: "2026-11-05" },
  ])("leaves it to the service to refuse %j", async (params) => {
    served = await serveBars(() => starts);
    await expect(bars({ ...params, order: "asc" })).rejects.toMatchObject({ constructor: ApiError, code: "validation_error" });
    expect(served.asked).toHaveLength(1);
  });

  test("is newest first reversed: nothing skipped, nothing twice, whatever the window, the gaps and the page size", async () => {
    served = await serveBars(() => starts);
    const interval = fc.constantFrom("1h", "4h", "1d");
    const end = fc.oneof(
      fc.integer({ min: 0, max: 20 * DAY_MS }).map((ms) => new Date(START_MS + ms)),
      fc.integer({ min: 0, max: 20 }).map((day) => new Date(START_MS + day * DAY_MS).toISOString().slice(0, 10)),
    );
    await fc.assert(
      fc.asyncProperty(
        interval,
        fc.uniqueArray(fc.integer({ min: 0, max: 120 }), { maxLength: 40 }),
        end,
        end,
        fc.integer({ min: 1, max: 12 }),
        fc.boolean(),
        async (step, slots, from, to, limit, closedOnly) => {
          starts = slots.sort((a, b) => a - b).map((slot) => START_MS + slot * (intervalMs(step) ?? 0));
          const window = readWindow(from, to, false);
          fc.pre(window !== null && window.fromMs <= window.toMs);
          const params = { from, to, limit, interval: step, closedOnly };
          const newest = await bars(params).toArray();
          const oldest = await bars({ ...params, order: "asc" }).toArray();
          expect(oldest).toEqual(newest.toReversed());
        },
      ),
      { numRuns: 60 },
    );
  });
});

test.each([
  ["1m", 60_000],
  ["15m", 900_000],
  ["4h", 4 * HOUR_MS],
  ["1d", DAY_MS],
  ["1w", 7 * DAY_MS],
  ["0d", null],
  ["d", null],
  [5, null],
])("an interval of %j is %j ms", (text, ms) => {
  expect(intervalMs(text)).toBe(ms);
});
