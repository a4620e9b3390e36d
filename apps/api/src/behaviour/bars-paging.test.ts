import { type Bar, DAY_MS, MINUTE_MS, TIER_NAMES, type TierName } from "@assay/contract";
import { FRIDAY_MS, makeBar, type TestKey } from "@assay/testkit";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { day, listBars, type Page, startBarsApp } from "../testing/bars-app.ts";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";

let app: TestApp;
const keys = {} as Record<TierName, TestKey>; // one per tier, set before the first test

beforeAll(async () => {
  app = await startBarsApp();
  for (const tier of TIER_NAMES) keys[tier] = await app.key(tier);
});
afterAll(() => app.close());

const list = (query: Record<string, string | number>, key: TestKey = keys.realtime_pro) => listBars(app, query, key.key);

const walk = async (query: Record<string, string | number>, between: () => Promise<void> = async () => {}): Promise<Bar[]> => {
  const bars: Bar[] = [];
  let cursor: string | null = null;
  do {
    const { status, json, text } = await list({ ...query, ...(cursor === null ? {} : { cursor }) });
    expect(status, text).toBe(200);
    expect(json.meta.count).toBe(json.bars.length);
    bars.push(...json.bars);
    cursor = json.next_cursor;
    if (cursor !== null) expect(json.bars.length, "a page before the last is full").toBe(Number(query.limit ?? 100));
    await between();
  } while (cursor !== null);
  return bars;
};

describe("a walk", () => {
  test("joins to the whole window, whatever the size of its pages", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 0, max: 70 }),
        fc.integer({ min: 0, max: 5 }),
        async (limit, length, back) => {
          const window = { from: day(back + length), to: day(back) };
          const whole = (await list({ ...window, limit: 10_000 }, await app.key("realtime_pro"))).json.bars;
          expect(await walk({ ...window, limit })).toEqual(whole);
        },
      ),
      { numRuns: 12 },
    );
  });

  test("neither skips nor repeats a bar while bars close and open under it", async () => {
    const startMs = FRIDAY_MS - 100 * MINUTE_MS;
    const window = {
      interval: "1m",
      from: new Date(startMs).toISOString(),
      to: new Date(FRIDAY_MS + DAY_MS).toISOString(),
      limit: 7,
    };
    const before = (await list({ ...window, limit: 10_000 })).json.bars.map((bar) => bar.bar_start);
    let minute = FRIDAY_MS;
    const seen = await walk(window, async () => {
      const closed = makeBar({ barStartMs: minute });
      minute += MINUTE_MS;
      await app.publish({ bars: [closed, makeBar({ barStartMs: minute, isClosed: false })] });
    });
    const starts = seen.map((bar) => bar.bar_start);
    expect(new Set(starts).size).toBe(starts.length);
    expect(starts).toEqual(starts.toSorted().toReversed());
    expect(starts, "everything that was there when it began").toEqual(before);
  });

  test("continues in another process of the service", async () => {
    const { json } = await list({ from: day(9), to: day(0), limit: 4 });
    const other = await startTestApp({ store: app.store, live: app.live, clock: app.clock });
    const next = await other.ask<Page>(
      `/v1/bars?symbol=XAU-USD-SPOT&from=${day(9)}&to=${day(0)}&limit=4&cursor=${json.next_cursor}`,
      { key: keys.pro.key },
    );
    expect(next.json.bars.map((bar) => bar.bar_start.slice(0, 10))).toEqual([day(4), day(5), day(6), day(7)]);
    await other.close();
  });

  test("may change its page size on the way", async () => {
    const { json } = await list({ from: day(9), to: day(0), limit: 3 });
    const rest = await list({ from: day(9), to: day(0), limit: 100, cursor: json.next_cursor ?? "" });
    expect(rest.json.bars).toHaveLength(7);
    expect(rest.json.next_cursor).toBeNull();
  });
});

describe("a cursor", () => {
  const window = { from: day(9), to: day(0), limit: 3 };

  test("that was tampered with is refused", async () => {
    const cursor = (await list(window)).json.next_cursor ?? "";
    for (const position of [0, 8, 20, cursor.length - 1]) {
      const changed = `${cursor.slice(0, position)}${cursor[position] === "A" ? "B" : "A"}${cursor.slice(position + 1)}`;
      const { status, json, text } = await list({ ...window, cursor: changed });
      expect([status, json.error]).toEqual([422, "validation_error"]);
      expect(text).toContain('"path":["query","cursor"]');
    }
    for (const cursor of ["null", "0", "../../etc", "A".repeat(512)])
      expect((await list({ ...window, cursor })).status, cursor).toBe(422);
  });

  test("of another query is refused: another series, interval or window", async () => {
    const cursor = (await list(window)).json.next_cursor ?? "";
    for (const other of [{ symbol: "XAG/USD" }, { interval: "1h" }, { from: day(8) }, { to: day(1) }]) {
      expect((await list({ ...window, ...other, cursor })).status, JSON.stringify(other)).toBe(422);
    }
    expect((await list({ ...window, symbol: "gold", cursor })).status, "the same series by another name").toBe(200);
  });

  test("gives no way around a tier's depth or gates", async () => {
    const deep = { from: day(400), to: day(0), limit: 3 };
    const cursor = (await list(deep)).json.next_cursor ?? "";
    expect((await list({ ...deep, cursor }, keys.free)).json.error).toBe("range_too_deep");
  });
});
