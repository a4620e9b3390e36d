/** A history that is still being filled in: pages that may lack bars say so, and the status counts what is missing. */
import { DAY_MS, HOUR_MS } from "@assay/contract";
import { upsertBars, writeHistoryGaps } from "@assay/db";
import type { HistoryGap } from "@assay/pricing";
import { FRIDAY_MS, type TestKey } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { day, listBars, startBarsApp } from "../testing/bars-app.ts";
import type { TestApp } from "../testing/start-test-app.ts";

const SYMBOL = "XAU-USD-SPOT";
const midnightMs = Date.parse(`${day(0)}T00:00:00Z`);
const writer = { token: 1_000, holder: "writer" };
const intraday = (fromMs: number, untilMs: number): HistoryGap => ({ symbol: SYMBOL, bars: "intraday", fromMs, untilMs });

let app: TestApp;
let key: TestKey;
beforeAll(async () => {
  app = await startBarsApp();
  key = await app.key("pro");
});
afterAll(() => app.close());

const leave = async (...gaps: HistoryGap[]): Promise<void> => {
  await writeHistoryGaps(app.store, writer, SYMBOL, gaps);
  await app.live.bus.publish({ kind: "history-filled" });
};
const pending = async (): Promise<unknown> => (await app.ask("/v1/status")).json.history;
const metaOf = async (query: Record<string, string | number>) => (await listBars(app, query, key.key)).json.meta;
const wide = { interval: "1h", from: new Date(FRIDAY_MS - 20 * DAY_MS).toISOString(), to: day(0), limit: 10_000 };

describe("a gap in the history", () => {
  test("is stated by every page that may lack bars because of it, and by no other", async () => {
    expect(await metaOf(wide)).not.toHaveProperty("complete");
    expect(await pending()).toEqual({ complete: true, pending: 0 });

    await leave(intraday(midnightMs - 9 * DAY_MS, midnightMs - 5 * DAY_MS));
    await expect.poll(pending).toEqual({ complete: false, pending: 4 * (1440 + 288 + 96 + 48 + 24 + 12 + 6) });
    expect(await metaOf(wide)).toMatchObject({ complete: false });
    expect(await metaOf({ ...wide, from: day(4) }), "a window after the gap").not.toHaveProperty("complete");
    expect(await metaOf({ ...wide, from: day(15), to: day(11) }), "a window before it").not.toHaveProperty("complete");
    expect(await metaOf({ ...wide, limit: 3 }), "a page that ends after it").not.toHaveProperty("complete");
    expect(await metaOf({ ...wide, interval: "1d" }), "daily bars").not.toHaveProperty("complete");
    expect(await metaOf({ ...wide, symbol: "GC" }), "another series").not.toHaveProperty("complete");
  });

  test("closes with the bars that fill it, also on a page requested before", async () => {
    await leave(intraday(midnightMs - 9 * DAY_MS, midnightMs - 5 * DAY_MS));
    const before = (await listBars(app, wide, key.key)).json;
    expect(before.meta).toMatchObject({ complete: false });
    const barStartMs = midnightMs - 7 * DAY_MS + HOUR_MS / 2;
    const prices = { open: "1", high: "1", low: "1", close: "1", volume: null };
    await upsertBars(app.store, [
      { symbol: SYMBOL, interval: "30m", barStartMs, ...prices, isClosed: true, sourceId: "simulated" },
    ]);
    await leave();
    await expect.poll(pending).toEqual({ complete: true, pending: 0 });
    const after = (await listBars(app, { ...wide, interval: "30m" }, key.key)).json;
    expect(after.meta).not.toHaveProperty("complete");
    expect(after.bars.map((bar) => Date.parse(bar.bar_start))).toContain(barStartMs);
  });

  test("of daily bars is stated by daily pages", async () => {
    await leave({ ...intraday(0, midnightMs - 300 * DAY_MS), bars: "daily" });
    await expect.poll(() => metaOf({ from: "1996-01-01", to: day(0), limit: 10_000 })).toMatchObject({ complete: false });
    expect(await metaOf({ from: day(30), to: day(0) })).not.toHaveProperty("complete");
    await leave();
  });

  test("is stated by every list that is read from daily bars: ratios of either leg, the history, the public one", async () => {
    const window = `from=${day(20)}&to=${day(10)}`;
    const lists = [
      `/v1/ratios?pair=gold-silver&${window}`,
      `/v1/ratios?pair=gld-xau&${window}`,
      `/v1/prices/history?symbol=XAU&${window}`,
      "/v1/public/xau-history",
    ];
    const stated = async (): Promise<unknown[]> => {
      const answers = await Promise.all(lists.map((path) => app.ask(path, { key: key.key })));
      return answers.map(({ json }) => json.meta.complete);
    };
    const whole = lists.map(() => undefined);
    expect(await stated()).toEqual(whole);
    await leave({ ...intraday(midnightMs - 18 * DAY_MS, midnightMs - 12 * DAY_MS), bars: "daily" });
    await expect.poll(stated).toEqual(lists.map(() => false));
    for (const path of ["/v1/ratios?pair=gold-silver", "/v1/prices/history?symbol=XAU"]) {
      const { json } = await app.ask(`${path}&from=${day(9)}&to=${day(2)}`, { key: key.key });
      expect(json.meta, `${path}, a window after the gap`).not.toHaveProperty("complete");
    }
    await leave();
    await expect.poll(stated).toEqual(whole);
  });

  test("keeps the public history out of caches, and closes in it within the hour", async () => {
    const ask = async () => {
      const { headers, json } = await app.ask("/v1/public/xau-history");
      return { kept: headers.get("cache-control"), etag: headers.get("etag"), meta: json.meta };
    };
    const whole = await ask();
    expect(whole.kept).toMatch(/^public, max-age=\d+$/);
    await leave({ ...intraday(midnightMs - 18 * DAY_MS, midnightMs - 12 * DAY_MS), bars: "daily" });
    await expect.poll(ask).toMatchObject({ kept: "no-store", meta: { complete: false } });
    await leave();
    await expect.poll(ask).toEqual(whole);
  });
});
