/** How complete days are: by the calendar, the caller's tier and delay, and what is still being filled in. */
import { DAY_MS, DELAY_MS, MINUTE_MS, startOfUtcDay } from "@assay/contract";
import { upsertBars, writeHistoryGaps } from "@assay/db";
import { type BarRow, marketStateAt, noCounts } from "@assay/pricing";
import { FRIDAY_MS, makeBar, makeBars } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";

const TODAY_MS = startOfUtcDay(FRIDAY_MS);
const WEDNESDAY_MS = TODAY_MS - 2 * DAY_MS;
const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The minutes of a time in which the market is open. */
const minutes = (fromMs: number, toMs: number): BarRow[] =>
  makeBars("1m", toMs - MINUTE_MS, (toMs - fromMs) / MINUTE_MS).filter(({ barStartMs }) => marketStateAt(barStartMs).open);

const accepted = (source: string, origin: string, count: number) => ({
  ...({ source, instrument: "XAU-USD-SPOT", span: "day", startsAtMs: WEDNESDAY_MS } as const),
  document: {
    info: { displayName: source, origin, license: "attribution", cadenceMs: 10_000 },
    counts: { ...noCounts(TODAY_MS), received: 5, accepted: count },
  },
});

let app: TestApp;
let keys: Record<"free" | "basic" | "pro", string>;
beforeAll(async () => {
  app = await startTestApp({
    before: (store) =>
      writeHistoryGaps(store, { token: 1, holder: "test-writer" }, "XAU-USD-SPOT", [
        { symbol: "XAU-USD-SPOT", bars: "intraday", fromMs: TODAY_MS - 3 * DAY_MS + 3_600_000, untilMs: TODAY_MS - 2 * DAY_MS },
      ]),
  });
  await app.publish({
    bars: [
      // A whole Wednesday, a Thursday with an hour missing, and today's minutes up to now.
      ...minutes(WEDNESDAY_MS, WEDNESDAY_MS + DAY_MS),
      ...minutes(WEDNESDAY_MS + DAY_MS + 3_600_000, TODAY_MS),
      ...minutes(TODAY_MS, FRIDAY_MS),
      makeBar({ interval: "1m", barStartMs: FRIDAY_MS, isClosed: false }),
      // One of the first Friday, so that minutes are kept since then.
      ...minutes(TODAY_MS - 7 * DAY_MS, TODAY_MS - 7 * DAY_MS + MINUTE_MS),
      ...makeBars("1d", TODAY_MS - DAY_MS, 3),
      ...makeBars("1d", TODAY_MS - 43 * DAY_MS, 1),
    ],
    records: [accepted("a", "x", 4), accepted("b", "x", 1), accepted("c", "y", 2), accepted("d", "z", 0)],
  });
  const [free, basic, pro] = await Promise.all([app.key("free"), app.key("basic"), app.key("pro")]);
  keys = { free: free.key, basic: basic.key, pro: pro.key };
});
afterAll(() => app.close());

const daysOf = async (fromMs: number, toMs: number, key?: string, symbol = "XAU/USD") =>
  (await app.ask(`/v1/quality?symbol=${symbol}&from=${day(fromMs)}&to=${day(toMs)}`, { key })).json.days;
const short = (days: { date: string; condition: string; bars: { interval: string; expected: number; present: number } }[]) =>
  days.map(({ date, condition, bars }) => `${date} ${condition} ${bars.present}/${bars.expected} ${bars.interval}`);

describe("the quality of days", () => {
  test("counts the minutes of each day against the calendar, newest first", async () => {
    expect(short(await daysOf(TODAY_MS - 6 * DAY_MS, TODAY_MS + DAY_MS, keys.pro))).toEqual([
      "2026-11-20 pending 840/840 1m",
      "2026-11-19 degraded 1320/1380 1m",
      "2026-11-18 available 1380/1380 1m",
      // Still being filled in.
      "2026-11-17 pending 0/1380 1m",
      "2026-11-16 missing 0/1380 1m",
      // A Sunday opens at 23:00 UTC, and a Saturday not at all.
      "2026-11-15 missing 0/60 1m",
      "2026-11-14 available 0/0 1m",
    ]);
  });

  test("counts daily bars for tiers without minutes, and for days before there were any", async () => {
    const expected = ["2026-11-19 available 1/1 1d", "2026-11-18 available 1/1 1d", "2026-11-17 pending 1/1 1d"];
    for (const key of [undefined, keys.free, keys.basic])
      expect(short(await daysOf(TODAY_MS - 3 * DAY_MS, TODAY_MS - DAY_MS, key)).slice(0, 2)).toEqual(expected.slice(0, 2));
    expect(short(await daysOf(TODAY_MS - 8 * DAY_MS, TODAY_MS - 8 * DAY_MS, keys.pro))).toEqual(["2026-11-12 missing 0/1 1d"]);
    expect(short(await daysOf(TODAY_MS - 43 * DAY_MS, TODAY_MS - 42 * DAY_MS, keys.pro))).toEqual([
      "2026-10-09 missing 0/1 1d",
      "2026-10-08 available 1/1 1d",
    ]);
  });

  test("names the origins with accepted readings, null where nothing was recorded, and the revision of the newest write", async () => {
    const [thursday, wednesday] = await daysOf(WEDNESDAY_MS, WEDNESDAY_MS + DAY_MS, keys.pro);
    expect([wednesday.origins, thursday.origins]).toEqual([2, null]);
    expect(wednesday.last_revision).toBe(1);
    await upsertBars(app.store, [makeBar({ interval: "1m", barStartMs: WEDNESDAY_MS, close: "4003.10" })]);
    const [later, corrected] = await daysOf(WEDNESDAY_MS, WEDNESDAY_MS + DAY_MS, keys.pro);
    expect([later.last_revision, corrected.last_revision]).toEqual([1, 2]);
    expect((await daysOf(TODAY_MS - 4 * DAY_MS, TODAY_MS - 4 * DAY_MS, keys.pro))[0].last_revision).toBeNull();
  });

  test("shows delayed callers a day as it was fifteen minutes ago, and no day that had not begun", async () => {
    app.clock.set(TODAY_MS + DAY_MS + DELAY_MS - 1);
    const tomorrow = TODAY_MS + DAY_MS;
    expect(short(await daysOf(TODAY_MS, tomorrow))).toEqual(["2026-11-20 pending 0/0 1d"]);
    app.clock.advance(1);
    expect(short(await daysOf(TODAY_MS, tomorrow))).toEqual(["2026-11-21 pending 0/0 1d", "2026-11-20 missing 0/1 1d"]);
    app.clock.set(FRIDAY_MS);
  });

  test.each([
    [{ from: "2026-02-30" }, "from"],
    [{ to: "20.11.2026" }, "to"],
    [{ from: "2026-11-21" }, "from"],
    [{ symbol: "unobtainium" }, "symbol"],
    [{ from: "2025-11-19" }, "from"],
  ])("refuses %j, and names %s", async (change: Record<string, string>, name) => {
    const query = { symbol: "XAU/USD", from: "2026-11-19", to: "2026-11-20", ...change };
    const { status, json } = await app.ask("/v1/quality", { query, key: keys.pro });
    expect([status, json.issues?.[0].path]).toEqual([422, ["query", name]]);
  });

  test("is CSV on request", async () => {
    const { text } = await app.ask("/v1/quality?symbol=XAU/USD&from=2026-11-18&to=2026-11-18&format=csv", { key: keys.basic });
    expect(text).toBe(
      "date,condition,origins,bars.interval,bars.expected,bars.present,last_revision\r\n2026-11-18,available,2,1d,1,1,1\r\n",
    );
  });
});
