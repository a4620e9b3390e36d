import { describe, expect, test } from "vitest";
import { type Bar, type Bars, getSpot, listBars, type WireBar, type WireBars } from "../../testing/operations.ts";
import { type Served, serve, serveBars } from "../../testing/serve.ts";
import { Client } from "../client.ts";
import { AssayError, UnreadableAnswerError } from "../errors.ts";
import { listPages } from "./list-pages.ts";
import type { PagePromise } from "./page-promise.ts";

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 10, 1);
const DAYS = Array.from({ length: 7 }, (_, index) => START_MS + index * DAY_MS);
const WINDOW = { symbol: "XAU/USD", from: "2026-11-01", to: "2026-11-30", limit: 3 };

const clientOf = ({ url }: Served): Client => new Client({ baseUrl: url, apiKey: null, maxRetries: 0, logLevel: "off" });
const list = (served: Served, params: object = {}): PagePromise<Bars, WireBars, Bar, WireBar> =>
  listPages<Bars, WireBars, Bar, WireBar>(clientOf(served), listBars, { ...WINDOW, ...params });
const daysOf = (bars: readonly Bar[]): number[] => bars.map(({ barStart }) => barStart.getUTCDate());

describe("a list", () => {
  test("awaited is one page", async () => {
    const served = await serveBars(() => DAYS);
    const { bars, nextCursor } = await list(served);
    expect([daysOf(bars), typeof nextCursor, served.asked.length]).toEqual([[7, 6, 5], "string", 1]);
    const { data, rateLimit, response } = await list(served).withResponse();
    expect([daysOf(data.bars), rateLimit, response.status]).toEqual([[7, 6, 5], null, 200]);
  });

  test("iterated is every row of every page, each page requested once", async () => {
    const served = await serveBars(() => DAYS);
    const bars: Bar[] = [];
    for await (const bar of list(served)) bars.push(bar);
    expect([daysOf(bars), served.asked.length]).toEqual([[7, 6, 5, 4, 3, 2, 1], 3]);
    expect(bars[0]?.close?.toString()).toBe("4003.20");
  });

  test("requests the next page only when its rows are needed, and no more once the loop ends", async () => {
    const served = await serveBars(() => DAYS);
    const askedAt: number[] = [];
    for await (const bar of list(served)) {
      askedAt.push(served.asked.length);
      if (bar.barStart.getUTCDate() === 4) break;
    }
    expect(askedAt).toEqual([1, 1, 1, 2]);
    expect(served.asked).toHaveLength(2);
  });

  test("gives its pages, and restarts each time it is iterated without requesting the first page again", async () => {
    const served = await serveBars(() => DAYS);
    const bars = list(served);
    const lengths: number[] = [];
    for await (const page of bars.pages()) lengths.push(page.bars.length);
    expect([lengths, served.asked.length]).toEqual([[3, 3, 1], 3]);
    expect((await bars.toArray()).length).toBe(7);
    expect(served.asked).toHaveLength(5);
  });

  test.each([
    [0, [], 1],
    [2, [7, 6], 1],
    [3, [7, 6, 5], 1],
    [4, [7, 6, 5, 4], 2],
    [99, [7, 6, 5, 4, 3, 2, 1], 3],
  ])("as an array of at most %i rows requests no more pages than needed", async (limit, days, requests) => {
    const served = await serveBars(() => DAYS);
    const bars = list(served);
    await bars;
    expect([daysOf(await bars.toArray({ limit })), served.asked.length]).toEqual([days, requests]);
  });

  test.each([-1, 1.5, Number.NaN])("refuses an array of %d rows", async (limit) => {
    await expect(list(await serveBars(() => DAYS)).toArray({ limit })).rejects.toThrow(RangeError);
  });

  test("in raw mode is the wire's, iterable alike", async () => {
    const served = await serveBars(() => DAYS);
    const bars = list(served);
    const raw = bars.raw();
    expect((await raw).bars[0]).toEqual({ bar_start: "2026-11-07T00:00:00.000Z", close: "4003.20", is_closed: false });
    expect((await raw.toArray()).map(({ bar_start }) => bar_start.slice(8, 10))).toEqual([
      "07",
      "06",
      "05",
      "04",
      "03",
      "02",
      "01",
    ]);
    expect((await bars).bars[0]?.barStart).toEqual(new Date("2026-11-07T00:00:00Z"));
    expect(served.asked).toHaveLength(3);
  });

  test("of closed rows leaves the forming one out, decoded and raw, in both orders", async () => {
    const served = await serveBars(() => DAYS);
    expect(daysOf(await list(served, { closedOnly: true }).toArray())).toEqual([6, 5, 4, 3, 2, 1]);
    expect(daysOf(await list(served, { closedOnly: true, order: "asc" }).toArray())).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await list(served, { closedOnly: true }).raw().toArray()).toHaveLength(6);
    expect(served.asked.every(({ url }) => !/closed/i.test(url))).toBe(true);
  });

  test.each([
    ["desc", [7, 6, 5], [4, 3, 2, 1]],
    ["asc", [1, 2, 3], [4, 5, 6, 7]],
  ])("that is %s is walked in that order, and continues from a cursor", async (order, first, rest) => {
    const served = await serveBars(() => DAYS);
    const { bars, nextCursor } = await list(served, { order });
    expect(daysOf(bars)).toEqual(first);
    expect(daysOf(await list(served, { order, cursor: nextCursor }).toArray())).toEqual(rest);
    expect(daysOf(await list(served, { order }).toArray())).toEqual([...first, ...rest]);
  });

  test("that fails after its first page throws from the loop", async () => {
    const served = await serve((_, index) =>
      index === 0
        ? { body: { bars: [{ bar_start: "2026-11-01T00:00:00Z" }], next_cursor: "c" } }
        : { status: 500, body: "Internal Server Error" },
    );
    const seen: Bar[] = [];
    const walk = async (): Promise<void> => {
      for await (const bar of list(served)) seen.push(bar);
    };
    await expect(walk()).rejects.toMatchObject({ status: 500 });
    expect(seen).toHaveLength(1);
  });

  test("whose cursor makes no progress ends with an error rather than never", async () => {
    const served = await serve(() => ({ body: { bars: [], next_cursor: "same" } }));
    await expect(list(served).toArray()).rejects.toThrow(AssayError);
    expect(served.asked).toHaveLength(2);
  });

  test.each([
    [{ bars: null }, "The answer has no bars"],
    [[], "The answer is not a page"],
  ])("answered with %j is an unreadable answer", async (body, message) => {
    const served = await serve(() => ({ body }));
    await expect(list(served)).rejects.toThrow(UnreadableAnswerError);
    await expect(list(served)).rejects.toThrow(message);
  });

  test.each([
    [{ closedOnly: 1 }, "closedOnly must be true or false"],
    [{ direction: "up" }, 'bars.list has no parameter "direction"'],
  ])("with %j is refused before anything is sent", async (params, message) => {
    const served = await serveBars(() => DAYS);
    await expect(list(served, params)).rejects.toThrow(new TypeError(message));
    expect(served.asked).toEqual([]);
  });

  test("without cursors is iterable, and has no closedOnly", async () => {
    const served = await serve(() => ({ body: { symbols: [{ symbol: "XAU" }, { symbol: "XAG" }] } }));
    const prices = { ...listBars, paging: { items: "symbols" }, result: { fields: "" } };
    expect(await listPages(clientOf(served), prices).toArray()).toEqual([{ symbol: "XAU" }, { symbol: "XAG" }]);
    await expect(listPages(clientOf(served), prices, { closedOnly: true })).rejects.toThrow("its rows are all final");
    expect(served.asked).toHaveLength(1);
  });

  test("that is never awaited fails silently, and an operation without pages is not a list", async () => {
    const served = await serve(() => ({ status: 500 }));
    list(served);
    list(served).raw();
    await list(served).catch(() => undefined);
    expect(() => listPages(clientOf(served), getSpot)).toThrow("spot.get has no pages");
  });
});
