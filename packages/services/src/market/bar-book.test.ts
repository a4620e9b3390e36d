import { BAR_SYMBOLS, type BarSymbol, DAY_MS, HOUR_MS, INTERVAL_MS, INTERVALS, type Interval, MINUTE_MS } from "@assay/contract";
import { encodeBar, readBars, readEncodedBars, type Store, upsertBars } from "@assay/db";
import { openEmbeddedStore } from "@assay/db/testing";
import { aggregateBars, type BarRow, bucketStart } from "@assay/pricing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closedBar } from "../testing/closed-bar.ts";
import { Growth, type TimedPrice } from "../testing/growth.ts";
import { slowStore } from "../testing/slow-store.ts";
import { BarBook, type EncodedPage } from "./bar-book.ts";

const DELAY_MS = 15 * MINUTE_MS;
/** 2026-11-20T22:30:00Z, so that the day ends within two hours. */
const START_MS = Date.UTC(2026, 10, 20, 22, 30);
const ALL = { fromMs: 0, toMs: START_MS + 10 * DAY_MS, limit: 10_000 };
const LIVE = Number.POSITIVE_INFINITY;

let store: Store;
beforeAll(async () => {
  store = await openEmbeddedStore();
});
afterAll(() => store.close());

let used = 0;
/** A series not used by another test; the store accepts any name. */
const newSymbol = (): BarSymbol => {
  used += 1;
  return `TEST-${used}` as BarSymbol; // read back by the store and the book alone
};

const text = (page: EncodedPage): string =>
  [page.forming ?? "", Buffer.from(page.closed).toString("latin1")].filter((part) => part !== "").join(",");

const encoded = (bars: readonly BarRow[]): string => bars.map(encodeBar).join(",");

const stored = async (symbol: BarSymbol, interval: Interval, window: typeof ALL): Promise<string> =>
  encoded(await readBars(store, { symbol, interval, ...window }));

/** Prices at rising instants, some close together, some hours apart. */
const beats = fc
  .array(
    fc.record({
      gapMs: fc.oneof(
        { weight: 5, arbitrary: fc.integer({ min: 1_000, max: 90_000 }) },
        { weight: 1, arbitrary: fc.integer({ min: 1, max: 300 * MINUTE_MS }) },
      ),
      cents: fc.integer({ min: 1, max: 900_000 }),
    }),
    { minLength: 1, maxLength: 16 },
  )
  .map((steps): TimedPrice[] => {
    let atMs = START_MS;
    return steps.map(({ gapMs, cents }) => {
      atMs += gapMs;
      return { atMs, price: (cents / 100).toFixed(2) };
    });
  });

test("a page says where its newest bar comes from, whatever the series ends with", async () => {
  const symbol = newSymbol();
  const day = (place: number, sourceId: string): BarRow => closedBar(symbol, "1d", Date.UTC(2026, 10, place), { sourceId });
  await upsertBars(store, [day(2, "simulated"), day(3, "import:lbma"), day(4, "import:lbma"), day(5, "composed")]);
  const book = new BarBook(store);
  const sourceOf = async (first: number, last: number): Promise<string | null> =>
    (
      await book.page({
        ...ALL,
        symbol,
        interval: "1d",
        fromMs: Date.UTC(2026, 10, first),
        toMs: Date.UTC(2026, 10, last),
        asOfMs: LIVE,
      })
    ).sourceId;
  expect(await Promise.all([sourceOf(2, 2), sourceOf(2, 3), sourceOf(4, 4), sourceOf(2, 30), sourceOf(20, 30)])).toEqual([
    ...["simulated", "import:lbma", "import:lbma", "composed", "composed"],
  ]);
  book.apply([day(6, "import:desk")]);
  expect([await sourceOf(2, 5), await sourceOf(2, 6)]).toEqual(["composed", "import:desk"]);
  book.apply([day(6, "composed")]);
  expect(await sourceOf(2, 6)).toBe("composed");
});

describe("the book and the store", () => {
  test("hold the same bytes, whenever a series was first requested and however it grew", async () => {
    await fc.assert(
      fc.asyncProperty(
        beats,
        fc.array(
          fc.record({
            at: fc.nat(15),
            interval: fc.constantFrom(...INTERVALS),
            limit: fc.integer({ min: 1, max: 6 }),
            backMs: fc.nat(6 * HOUR_MS),
          }),
          { maxLength: 12 },
        ),
        async (walk, questions) => {
          const symbol = newSymbol();
          const growth = new Growth(symbol);
          const book = new BarBook(store);
          for (const [index, beat] of walk.entries()) {
            const bars = growth.take(beat);
            await upsertBars(store, bars);
            book.apply(bars);
            for (const { interval, limit, backMs } of questions.filter(({ at }) => at === index)) {
              const window = { fromMs: beat.atMs - backMs, toMs: beat.atMs, limit };
              const page = await book.page({ symbol, interval, ...window, asOfMs: LIVE });
              expect(text(page)).toBe(await stored(symbol, interval, window));
            }
          }
          for (const interval of INTERVALS) {
            const page = await book.page({ symbol, interval, ...ALL, asOfMs: LIVE });
            const { bytes } = await readEncodedBars(store, symbol, interval);
            expect(text(page), interval).toBe(Buffer.from(bytes).toString("latin1"));
            const fresh = await new BarBook(store).page({ symbol, interval, ...ALL, asOfMs: LIVE });
            expect(Buffer.from(fresh.closed).equals(Buffer.from(page.closed)), interval).toBe(true);
          }
        },
      ),
      { numRuns: process.env.TEST_DEPTH === "deep" ? 50 : 8 },
    );
  });

  test("agree on count, the oldest start and whether there is more", async () => {
    const symbol = newSymbol();
    await upsertBars(
      store,
      [0, 1, 2, 3, 4].map((day) => closedBar(symbol, "1d", START_MS - (START_MS % DAY_MS) - day * DAY_MS)),
    );
    const book = new BarBook(store);
    const dayMs = START_MS - (START_MS % DAY_MS);
    const ask = (change: Partial<typeof ALL>) => book.page({ symbol, interval: "1d", ...ALL, ...change, asOfMs: LIVE });
    expect(await ask({ limit: 2 })).toMatchObject({ count: 2, lastStartMs: dayMs - DAY_MS, hasMore: true });
    expect(await ask({ limit: 5 })).toMatchObject({ count: 5, lastStartMs: dayMs - 4 * DAY_MS, hasMore: false });
    expect(await ask({ limit: 2, fromMs: dayMs - DAY_MS })).toMatchObject({ count: 2, hasMore: false });
    expect(await ask({ fromMs: dayMs + 1, toMs: dayMs + 2 })).toMatchObject({ count: 0, lastStartMs: null, hasMore: false });
    expect(await ask({ toMs: dayMs - 4 * DAY_MS - 1 })).toMatchObject({ count: 0, lastStartMs: null, hasMore: false });
  });
});

describe("a delayed view", () => {
  test("is the market as its closed minutes had it fifteen minutes ago", async () => {
    await fc.assert(
      fc.asyncProperty(beats, fc.nat(20 * MINUTE_MS), async (walk, sinceMs) => {
        const symbol = newSymbol();
        const growth = new Growth(symbol);
        const book = new BarBook(store);
        const nowMs = (walk.at(-1)?.atMs ?? START_MS) + sinceMs;
        for (const beat of walk) {
          const bars = growth.take(beat);
          await upsertBars(store, bars);
          book.apply(bars);
        }
        const late = growth.closeAll(nowMs);
        await upsertBars(store, late);
        book.apply(late);

        const asOfMs = nowMs - DELAY_MS;
        // Minutes over by then, built from the ticks alone.
        const seen = new Growth(symbol);
        const known = walk.filter(({ atMs }) => atMs < bucketStart(asOfMs, "1m")).flatMap((beat) => seen.take(beat));
        const minutes = [...known, ...seen.closeAll(asOfMs)].filter((each) => each.interval === "1m" && each.isClosed);
        const unique = [...new Map(minutes.map((minute) => [minute.barStartMs, minute])).values()];
        for (const interval of ["5m", "1h", "4h", "1d"] as const) {
          const expected = aggregateBars(unique, interval).map((each) => ({
            ...each,
            isClosed: each.barStartMs + INTERVAL_MS[interval] <= asOfMs,
          }));
          const page = await book.page({ symbol, interval, ...ALL, asOfMs });
          expect(text(page), interval).toBe(encoded(expected.toReversed()));
        }
      }),
      { numRuns: process.env.TEST_DEPTH === "deep" ? 80 : 10 },
    );
  });

  test("still shows yesterday as forming until 00:15, then as closed", async () => {
    const symbol = newSymbol();
    const growth = new Growth(symbol);
    const book = new BarBook(store);
    const midnightMs = Date.UTC(2026, 10, 21);
    for (let minute = 30; minute >= -20; minute -= 1) {
      book.apply(growth.take({ atMs: midnightMs - minute * MINUTE_MS, price: `${4000 - minute}.00` }));
    }
    await upsertBars(store, [closedBar(symbol, "1d", midnightMs - DAY_MS, { close: "3999" })]);
    const at = async (nowMs: number) => {
      const page = await book.page({ symbol, interval: "1d", ...ALL, asOfMs: nowMs - DELAY_MS });
      return { count: page.count, newest: JSON.parse(`[${text(page)}]`)[0] };
    };
    expect(await at(midnightMs + 14 * MINUTE_MS)).toMatchObject({
      count: 1,
      newest: { bar_start: "2026-11-20T00:00:00Z", is_closed: false, close: "3998.00" },
    });
    expect(await at(midnightMs + 15 * MINUTE_MS)).toMatchObject({
      count: 1,
      newest: { bar_start: "2026-11-20T00:00:00Z", is_closed: true },
    });
    expect(await at(midnightMs + 17 * MINUTE_MS)).toMatchObject({
      count: 2,
      newest: { bar_start: "2026-11-21T00:00:00Z", is_closed: false, close: "4001.00" },
    });
  });

  test("survives a restart within its own minute", async () => {
    const symbol: BarSymbol = "GLD";
    const growth = new Growth(symbol);
    const book = new BarBook(store);
    for (let minute = 0; minute < 40; minute += 1) {
      const bars = growth.take({ atMs: START_MS + minute * MINUTE_MS, price: `${4000 + minute}.00` });
      await upsertBars(store, bars);
      book.apply(bars);
    }
    const nowMs = START_MS + 40 * MINUTE_MS;
    const restarted = new BarBook(store);
    await restarted.load([symbol], nowMs);
    for (const interval of ["1h", "1d"] as const) {
      const query = { symbol, interval, ...ALL, asOfMs: nowMs - DELAY_MS };
      expect(text(await restarted.page(query))).toBe(text(await book.page(query)));
    }
    expect(restarted.recent.newestMinuteMs(symbol)).toBe(START_MS + 39 * MINUTE_MS);
    expect(restarted.recent.daily(symbol, nowMs, true).today).toEqual(book.recent.daily(symbol, nowMs, true).today);
  });
});

describe("bars that arrive while a series is being read", () => {
  const startMs = Date.UTC(2026, 10, 20);

  test("are in it, newer ones and corrections alike", async () => {
    const symbol = newSymbol();
    await upsertBars(store, [closedBar(symbol, "1d", startMs - DAY_MS), closedBar(symbol, "1d", startMs)]);
    const { store: slow, open } = slowStore(store);
    const book = new BarBook(slow);
    const asked = book.page({ symbol, interval: "1d", ...ALL, asOfMs: LIVE });
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    const changed = [
      closedBar(symbol, "1d", startMs - DAY_MS, { close: "3900" }),
      closedBar(symbol, "1d", startMs, { close: "3901" }),
      closedBar(symbol, "1d", startMs + DAY_MS),
    ];
    await upsertBars(store, changed);
    book.apply(changed);
    open();
    expect(text(await asked)).toBe(await stored(symbol, "1d", ALL));
    expect(text(await book.page({ symbol, interval: "1d", ...ALL, asOfMs: LIVE }))).toBe(await stored(symbol, "1d", ALL));
  });

  test("are in it when the whole series is replaced meanwhile", async () => {
    const symbol = newSymbol();
    await upsertBars(store, [closedBar(symbol, "1d", startMs)]);
    const { store: slow, open } = slowStore(store);
    const book = new BarBook(slow);
    const asked = book.page({ symbol, interval: "1d", ...ALL, asOfMs: LIVE });
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    await upsertBars(store, [closedBar(symbol, "1d", startMs, { close: "3900" }), closedBar(symbol, "1d", startMs - 9 * DAY_MS)]);
    const reloaded = book.reload(symbol, startMs);
    open();
    await reloaded;
    expect(text(await asked)).toBe(await stored(symbol, "1d", ALL));
    expect(text(await book.page({ symbol, interval: "1d", ...ALL, asOfMs: LIVE }))).toBe(await stored(symbol, "1d", ALL));
  });
});

describe("a series that events cannot maintain", () => {
  const startMs = Date.UTC(2026, 10, 20);

  test("has no forming bar once that was removed without a replacement", async () => {
    const symbol = newSymbol();
    await upsertBars(store, [closedBar(symbol, "1d", startMs - DAY_MS)]);
    const book = new BarBook(store);
    await book.load([symbol], startMs);
    book.apply([closedBar(symbol, "1d", startMs, { high: "43920", isClosed: false })]);
    await book.reload(symbol, startMs + HOUR_MS);
    expect(book.recent.daily(symbol, startMs + HOUR_MS, true).today).toBeNull();
    expect(text(await book.page({ symbol, interval: "1d", ...ALL, asOfMs: LIVE }))).toBe(await stored(symbol, "1d", ALL));
  });

  const ask = (book: BarBook, symbol: BarSymbol) => book.page({ symbol, interval: "1d", ...ALL, asOfMs: LIVE });

  test("is reloaded when an older bar is corrected", async () => {
    const symbol = newSymbol();
    const old = closedBar(symbol, "1d", startMs - DAY_MS);
    await upsertBars(store, [old, closedBar(symbol, "1d", startMs)]);
    const book = new BarBook(store);
    await ask(book, symbol);
    const corrected = { ...old, close: "1.5" };
    await upsertBars(store, [corrected]);
    book.apply([corrected]);
    expect(text(await ask(book, symbol))).toBe(await stored(symbol, "1d", ALL));
  });

  test("is reloaded after it was dropped", async () => {
    const symbol = newSymbol();
    await upsertBars(store, [closedBar(symbol, "1d", startMs)]);
    const book = new BarBook(store);
    await ask(book, symbol);
    await upsertBars(store, [closedBar(symbol, "1d", startMs + DAY_MS)]);
    expect((await ask(book, symbol)).count, "nobody told the book").toBe(1);
    book.forget();
    expect(text(await ask(book, symbol))).toBe(await stored(symbol, "1d", ALL));
  });

  test("is requested again after the store was down", async () => {
    const symbol = newSymbol();
    await upsertBars(store, [closedBar(symbol, "1d", startMs)]);
    let broken = true;
    const book = new BarBook({
      ...store,
      readRow: (query) => (broken ? Promise.reject(new Error("gone")) : store.readRow(query)),
    });
    await expect(ask(book, symbol)).rejects.toThrow("gone");
    broken = false;
    expect((await ask(book, symbol)).count).toBe(1);
  });

  test("is read once for concurrent requests", async () => {
    const symbol = newSymbol();
    let reads = 0;
    const book = new BarBook({
      ...store,
      readRow: (query) => {
        reads += 1;
        return store.readRow(query);
      },
    });
    await ask(book, symbol);
    const onceReads = reads;
    book.forget();
    reads = 0;
    await Promise.all(Array.from({ length: 50 }, () => ask(book, symbol)));
    expect(reads).toBe(onceReads);
  });
});

describe("a forming bar", () => {
  test("belongs to a page only within the window, and counts as one of its bars", async () => {
    const symbol = newSymbol();
    const dayMs = Date.UTC(2026, 10, 20);
    const bars = [closedBar(symbol, "1d", dayMs - DAY_MS), closedBar(symbol, "1d", dayMs, { isClosed: false })];
    await upsertBars(store, bars);
    const book = new BarBook(store);
    book.apply(bars);
    const ask = (change: Partial<typeof ALL>) => book.page({ symbol, interval: "1d", ...ALL, ...change, asOfMs: LIVE });
    expect(await ask({})).toMatchObject({ count: 2, hasMore: false });
    expect(await ask({ limit: 1 })).toMatchObject({ count: 1, lastStartMs: dayMs, hasMore: true });
    expect((await ask({ limit: 1 })).forming).not.toBeNull();
    expect((await ask({ toMs: dayMs - 1 })).forming).toBeNull();
    expect(await ask({ fromMs: dayMs })).toMatchObject({ count: 1, hasMore: false });
    expect((await ask({ fromMs: dayMs + 1 })).count).toBe(0);
  });

  test("is shown beside an earlier one that was left forming, as stored, and that one as closed once it is", async () => {
    const symbol = newSymbol();
    const dayMs = Date.UTC(2026, 10, 20);
    const left = closedBar(symbol, "1d", dayMs - DAY_MS, { isClosed: false });
    await upsertBars(store, [closedBar(symbol, "1d", dayMs - 2 * DAY_MS), left, { ...left, barStartMs: dayMs }]);
    const book = new BarBook(store);
    await book.load([symbol], dayMs);
    const ask = async () => text(await book.page({ symbol, interval: "1d", ...ALL, asOfMs: LIVE }));
    expect(await ask()).toBe(await stored(symbol, "1d", ALL));
    await upsertBars(store, [{ ...left, isClosed: true }]);
    book.apply([{ ...left, isClosed: true }]);
    expect(await ask()).toBe(await stored(symbol, "1d", ALL));
  });

  test("goes when it is closed, and is never shown beside its closed version", async () => {
    const symbol = newSymbol();
    const dayMs = Date.UTC(2026, 10, 20);
    const book = new BarBook(store);
    book.apply([closedBar(symbol, "1d", dayMs, { isClosed: false })]);
    await upsertBars(store, [closedBar(symbol, "1d", dayMs)]);
    const page = await book.page({ symbol, interval: "1d", ...ALL, asOfMs: LIVE });
    expect(text(page)).toBe(await stored(symbol, "1d", ALL));
    expect(page.count).toBe(1);
  });
});

test("every series of the contract is kept apart", async () => {
  const book = new BarBook(store);
  const startMs = Date.UTC(2020, 0, 1);
  const bars = BAR_SYMBOLS.map((symbol, index) => closedBar(symbol, "1d", startMs, { close: `${100 + index}` }));
  await upsertBars(store, bars);
  for (const [index, symbol] of BAR_SYMBOLS.entries()) {
    const page = await book.page({ symbol, interval: "1d", fromMs: startMs, toMs: startMs, limit: 5, asOfMs: LIVE });
    expect(text(page)).toBe(encoded([bars[index] ?? closedBar(symbol, "1d", 0)]));
  }
});

describe("a series far deeper than callers reach", () => {
  const DEEP_DAYS = 50;
  const NOW_MS = Date.UTC(2026, 10, 20, 14);
  const minutesOf = (symbol: BarSymbol): BarRow[] =>
    Array.from({ length: DEEP_DAYS * 96 }, (_, index) => closedBar(symbol, "15m", NOW_MS - (index + 1) * 15 * MINUTE_MS));

  test("is held no deeper than the depth of intraday bars and two days, and read to its first bar at one day", async () => {
    const symbol = newSymbol();
    const days = Array.from({ length: 2_000 }, (_, index) =>
      closedBar(symbol, "1d", bucketStart(NOW_MS, "1d") - (index + 1) * DAY_MS),
    );
    await upsertBars(store, [...minutesOf(symbol), ...days]);
    const book = new BarBook(store);
    const floorMs = bucketStart(NOW_MS - 30 * DAY_MS, "1d");
    const asked = { symbol, fromMs: floorMs, toMs: NOW_MS, limit: 10_000, asOfMs: LIVE };
    const page = await book.page({ ...asked, interval: "15m" });
    expect(text(page)).toBe(await stored(symbol, "15m", asked));
    expect(page.count).toBe((NOW_MS - floorMs) / (15 * MINUTE_MS));
    expect(book.heldOf(symbol, "15m")).toBe(32 * 96 + 1);
    await book.page({ ...asked, interval: "1d" });
    expect(book.heldOf(symbol, "1d")).toBe(2_000);
  });

  test("does not grow without end while the process runs, and answers as the store does throughout", async () => {
    const symbol = newSymbol();
    await upsertBars(store, minutesOf(symbol));
    const book = new BarBook(store);
    const reach = (nowMs: number) => ({
      ...({ symbol, interval: "15m", limit: 10_000, asOfMs: LIVE } as const),
      fromMs: bucketStart(nowMs - 30 * DAY_MS, "1d"),
      toMs: nowMs,
    });
    await book.page(reach(NOW_MS));
    let most = 0;
    for (let day = 0; day < 10; day += 1) {
      const bars = Array.from({ length: 96 }, (_, index) =>
        closedBar(symbol, "15m", NOW_MS + day * DAY_MS + index * 15 * MINUTE_MS),
      );
      await upsertBars(store, bars);
      book.apply(bars);
      most = Math.max(most, book.heldOf(symbol, "15m"));
      const nowMs = NOW_MS + (day + 1) * DAY_MS;
      if (day % 3 === 0) expect(text(await book.page(reach(nowMs)))).toBe(await stored(symbol, "15m", reach(nowMs)));
    }
    expect(most).toBeLessThanOrEqual(33 * 96 + 2);
  });
});
