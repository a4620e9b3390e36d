import { DAY_MS, MINUTE_MS } from "@assay/contract";
import { FRIDAY_MS, makeBar } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { day, listBars, startBarsApp, TODAY_MS } from "../testing/bars-app.ts";
import type { TestApp } from "../testing/start-test-app.ts";

let app: TestApp;
let pro: string;
let free: string;

beforeAll(async () => {
  app = await startBarsApp();
  pro = (await app.key("pro")).key;
  free = (await app.key("free")).key;
});
afterAll(() => app.close());

const newestClose = async (key: string, query: Record<string, string | number> = { from: day(3), to: day(0) }) => {
  const { json } = await listBars(app, query, key);
  return [json.bars[0]?.close, json.bars[0]?.is_closed, json.meta.tier];
};

describe("a page requested before", () => {
  test("shows each change of the forming bar", async () => {
    for (const close of ["4111.11", "4222.22"]) {
      await app.publish({ bars: [makeBar({ interval: "1d", barStartMs: TODAY_MS, isClosed: false, close, high: "4300.00" })] });
      expect(await newestClose(pro)).toEqual([close, false, "pro"]);
      expect(await newestClose(pro)).toEqual([close, false, "pro"]);
    }
  });

  test("shows a bar that closes", async () => {
    const query = { interval: "1m", from: new Date(FRIDAY_MS - MINUTE_MS).toISOString(), to: new Date(FRIDAY_MS).toISOString() };
    expect((await newestClose(pro, query))[1]).toBe(false);
    await app.publish({ bars: [makeBar({ interval: "1m", barStartMs: FRIDAY_MS, close: "4007.70", high: "4010.00" })] });
    expect(await newestClose(pro, query)).toEqual(["4007.70", true, "pro"]);
  });

  test("differs by tier, limit, window and cursor", async () => {
    const wide = { from: day(20), to: day(0) };
    const first = await listBars(app, { ...wide, limit: 2 }, pro);
    const again = await listBars(app, { ...wide, limit: 2 }, pro);
    expect(again.text).toBe(first.text);
    expect((await listBars(app, { ...wide, limit: 3 }, pro)).json.bars).toHaveLength(3);
    const next = await listBars(app, { ...wide, limit: 2, cursor: first.json.next_cursor ?? "" }, pro);
    expect(next.json.bars[0]?.bar_start.slice(0, 10)).toBe(day(2));
    expect((await listBars(app, { from: day(5), to: day(4), limit: 2 }, pro)).json.bars[0]?.bar_start.slice(0, 10)).toBe(day(4));
    expect((await listBars(app, { ...wide, limit: 2 }, free)).json.meta.tier).toBe("free");
  });

  test("hides from delayed callers what they must not see", async () => {
    const close = "4333.33";
    await app.publish({ bars: [makeBar({ interval: "1d", barStartMs: TODAY_MS, isClosed: false, close, high: "4400.00" })] });
    expect(await newestClose(pro)).toEqual([close, false, "pro"]);
    expect((await newestClose(free))[0]).not.toBe(close);
  });
});

test("a walk neither skips nor repeats a bar while bars close and open under it", async () => {
  const span = { from: new Date(FRIDAY_MS - 100 * MINUTE_MS).toISOString(), to: new Date(FRIDAY_MS + DAY_MS).toISOString() };
  const page = async (more: Record<string, string | number>) =>
    (await listBars(app, { interval: "1m", ...span, ...more }, pro)).json;
  let minute = FRIDAY_MS + MINUTE_MS;
  await app.publish({ bars: [makeBar({ barStartMs: minute, isClosed: false })] });
  const before = (await page({ limit: 10_000 })).bars.map((bar) => bar.bar_start);
  const walked: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { bars, next_cursor } = await page({ limit: 7, ...(cursor === "" ? {} : { cursor }) });
    walked.push(...bars.map((bar) => bar.bar_start));
    if (next_cursor !== null) expect(bars, "a page before the last is full").toHaveLength(7);
    cursor = next_cursor;
    const closed = makeBar({ barStartMs: minute });
    minute += MINUTE_MS;
    await app.publish({ bars: [closed, makeBar({ barStartMs: minute, isClosed: false })] });
  }
  expect(walked, "everything that was there when it began").toEqual(before);
});
