/** The bars of a series agree, whatever writes them: ticks, imports in between, restarts, replays and lost answers. */
import { INTERVAL_MS, INTERVALS, type Interval, MINUTE_MS } from "@assay/contract";
import { encodeBar, type Store, StoreUnavailableError } from "@assay/db";
import { testEngines } from "@assay/db/testing";
import { openMemoryLive } from "@assay/live";
import { aggregateBars, type BarRow, barEnd, bucketStart, type DailySymbol, type Tick } from "@assay/pricing";
import { BarBook } from "@assay/services";
import { makeTick } from "@assay/testkit";
import { BarKeeper, COMPOSED, EventQueue, MomentWriter } from "@assay/writer/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openScratch, seriesOf, tryImport } from "./testing/trial.ts";

const SYMBOL = "XAU-USD-SPOT";
/** In the middle of a day, and at the end of one. */
const STARTS_MS = [Date.UTC(2026, 10, 20, 7, 56), Date.UTC(2026, 10, 20, 23, 56)] as const;

const scratch = openScratch();
afterAll(() => scratch.remove());

type Step =
  | { readonly kind: "ticks"; readonly prices: readonly number[]; readonly everyMs: number }
  | {
      readonly kind: "import";
      readonly interval: Interval;
      readonly back: number;
      readonly count: number;
      readonly level: number;
      readonly isReplacing?: boolean;
    }
  | { readonly kind: "write" }
  | { readonly kind: "lose" }
  | { readonly kind: "restart"; readonly downMs: number; readonly replayed: readonly number[] };

const price = fc.integer({ min: 390_000, max: 410_000 });
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant("ticks" as const),
        prices: fc.array(price, { minLength: 1, maxLength: 12 }),
        everyMs: fc.constantFrom(1_000, 20_000, 45_000, 60_000),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant("import" as const),
        interval: fc.constantFrom<Interval>("1m", "1m", ...INTERVALS),
        back: fc.integer({ min: 0, max: 5 }),
        count: fc.integer({ min: 1, max: 40 }),
        level: price,
        isReplacing: fc.boolean(),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("write" as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("lose" as const) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("restart" as const),
        downMs: fc.constantFrom(0, 30_000, 40 * MINUTE_MS, 200 * MINUTE_MS),
        replayed: fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 6 }),
      }),
    },
  ),
  { minLength: 4, maxLength: 14 },
);

/** A minute is imported while it forms, and the next one while the writer has its first tick but has not written it. */
const NEXT_MINUTE: readonly Step[] = [
  { kind: "import", interval: "1m", back: 0, count: 1, level: 390_000 },
  { kind: "ticks", prices: [390_000], everyMs: MINUTE_MS },
  { kind: "import", interval: "1m", back: 0, count: 1, level: 390_000 },
];
/** An hour is imported while it forms, and minutes of it and of the next once it is over. */
const NEXT_HOUR: readonly Step[] = [
  { kind: "import", interval: "1h", back: 0, count: 1, level: 390_000 },
  { kind: "ticks", prices: [390_000, 390_000, 390_000, 390_000, 390_000], everyMs: MINUTE_MS },
  { kind: "import", interval: "1m", back: 0, count: 10, level: 390_000 },
];
/** Minutes are replaced beside five that were imported as one bar: the quarter of an hour has both. */
const REPLACED_BESIDE: readonly Step[] = [
  { kind: "import", interval: "5m", back: 0, count: 1, level: 390_000 },
  { kind: "import", interval: "1m", back: 0, count: 1, level: 390_000 },
  { kind: "import", interval: "1m", back: 0, count: 8, level: 390_000, isReplacing: true },
];

const text = (cents: number): string => (cents / 100).toFixed(2);

describe.each(testEngines)("bars on $name", (engine) => {
  let store: Store;
  beforeAll(async () => {
    store = await engine.open();
  });
  afterAll(() => store.close());

  /** A writer, a process that serves, and an operator who imports, over one store. */
  const openWorld = async (startMs: number) => {
    await store.run((db) => db.execute("truncate bars, imports, ticks, archives"));
    await store.run((db) => db.execute("update writer_fence set token = 0, holder = ''"));
    let nowMs = startMs;
    let [seq, token, losing, files] = [0, 0, false, 0];
    const clock = (): number => nowMs;
    const live = openMemoryLive({ clock });
    const book = new BarBook(store);
    let rereading: Promise<void> = Promise.resolve();
    await live.bus.subscribe((event) => {
      if (event.kind === "moment") book.apply(event.bars);
      else if (event.kind === "bars-replaced" && event.symbol === SYMBOL)
        rereading = rereading.then(() => book.reload(SYMBOL, nowMs));
    });
    await book.load([SYMBOL], nowMs);
    const unreliable: Store = {
      ...store,
      run: async (work, timeoutMs) => {
        const answer = await store.run(work, timeoutMs);
        if (!losing) return answer;
        losing = false;
        throw new StoreUnavailableError("the answer got lost");
      },
    };
    /** Bars as files gave them, and whether they were closed. */
    const stated = new Map<string, BarRow>();
    const start = async () => {
      token += 1;
      const bars = new BarKeeper(COMPOSED);
      const writer = { token, holder: "writer", expiresAtMs: Number.POSITIVE_INFINITY };
      const eventQueue = new EventQueue(live.bus, {
        info: () => undefined,
        warn: () => undefined,
        fault: () => undefined,
        feed: () => undefined,
        archives: () => undefined,
      });
      const moments = new MomentWriter({ store: unreliable, writer, eventQueue, bars, clock });
      await moments.begin(nowMs);
      eventQueue.put({ kind: "bars-replaced", symbol: SYMBOL });
      await eventQueue.send();
      return { bars, moments };
    };
    let writer = await start();
    /** Whether something may be stored without having been published: its answer was lost, and the next write publishes it. */
    let isBehind = false;
    const take = (cents: number, atMs: number): void => {
      seq += 1;
      const tick: Tick = makeTick(seq, { instrument: SYMBOL, price: text(cents), computedAtMs: atMs });
      const bars = [...writer.bars.take(SYMBOL, tick, atMs), ...writer.bars.closeDue(atMs)];
      writer.moments.add({ ticks: [tick], bars, fx: [] });
    };
    const importBars = async ({
      interval,
      back,
      count,
      level,
      isReplacing = false,
    }: Extract<Step, { kind: "import" }>): Promise<void> => {
      const lengthMs = INTERVAL_MS[interval];
      const lastMs = bucketStart(nowMs, interval) - back * lengthMs;
      const rows = Array.from({ length: count }, (_, index): BarRow => {
        const barStartMs = lastMs - (count - 1 - index) * lengthMs;
        const open = level + (((barStartMs / lengthMs) * 7_919) % 997);
        const figures = { open: text(open), high: text(open + 50), low: text(open - 50), close: text(open + 10) };
        return {
          symbol: SYMBOL,
          interval,
          barStartMs,
          ...figures,
          volume: null,
          isClosed: barStartMs + lengthMs <= nowMs,
          sourceId: "",
        };
      });
      files += 1;
      const lines = rows.map(
        (row) =>
          `${new Date(row.barStartMs).toISOString().slice(0, 19).replace("T", " ")},${row.open},${row.high},${row.low},${row.close},1`,
      );
      const path = scratch.write(`${files}-${nowMs}.csv`, `time,Open,High,Low,Close,Volume\n${lines.join("\n")}\n`);
      await tryImport(
        store,
        [path],
        { symbol: SYMBOL as DailySymbol, interval, isForced: true, isReplacing },
        { clock, announce: (symbol) => live.bus.publish({ kind: "bars-replaced", symbol }) },
      );
      for (const [name, bar] of stated) {
        const isWhole = bar.barStartMs >= (rows[0]?.barStartMs ?? 0) && barEnd(bar) <= lastMs + lengthMs && barEnd(bar) <= nowMs;
        if (INTERVAL_MS[bar.interval] > lengthMs && isWhole) stated.delete(name);
      }
      for (const row of rows) stated.set(`${interval} ${row.barStartMs}`, row);
    };
    const run = async (step: Step): Promise<void> => {
      if (step.kind === "ticks") {
        for (const cents of step.prices) {
          nowMs += step.everyMs;
          take(cents, nowMs);
        }
      } else if (step.kind === "import") await importBars(step);
      else if (step.kind === "write") {
        isBehind = await writer.moments.write(nowMs).then(
          () => false,
          (error: unknown) => error instanceof StoreUnavailableError,
        );
      } else if (step.kind === "lose") losing = true;
      else {
        losing = false;
        nowMs += step.downMs;
        writer = await start();
        for (const minutes of step.replayed.toSorted((a, b) => b - a)) take(400_000 + minutes, nowMs - minutes * MINUTE_MS);
        // A term closes what is over before requests are served.
        writer.moments.add({ ticks: [], bars: writer.bars.closeDue(nowMs), fx: [] });
        await writer.moments.write(nowMs);
        isBehind = false;
      }
    };
    const holds = async (): Promise<void> => {
      await rereading;
      const all = new Map<Interval, BarRow[]>();
      for (const interval of INTERVALS) all.set(interval, await seriesOf(store, SYMBOL, interval));
      for (const [name, { isClosed, open, high, low, close }] of stated) {
        if (!isClosed) continue;
        const [interval, startMs] = name.split(" ");
        const found = all.get(interval as Interval)?.find(({ barStartMs }) => barStartMs === Number(startMs)); // a key of our own
        expect(found, `imported ${name}`).toMatchObject({ open, high, low, close, isClosed: true });
      }
      INTERVALS.slice(1).forEach((interval, place) => {
        const finer = all.get(INTERVALS[place] ?? "1m") ?? [];
        for (const bar of all.get(interval) ?? []) {
          if (stated.has(`${interval} ${bar.barStartMs}`)) continue;
          const parts = finer.filter(({ barStartMs }) => barStartMs >= bar.barStartMs && barStartMs < barEnd(bar));
          const last = parts.at(-1);
          const isWhole =
            parts[0]?.barStartMs === bar.barStartMs &&
            parts.every((part, index) => index === 0 || part.barStartMs === barEnd(parts[index - 1] ?? part));
          if (!last || !isWhole || (bar.isClosed && barEnd(last) < barEnd(bar))) continue;
          const [made] = aggregateBars(parts, interval);
          const { open, high, low, close } = made ?? bar;
          expect(bar, `${interval} of ${new Date(bar.barStartMs).toISOString()}`).toMatchObject({ open, high, low, close });
        }
      });
      for (const [interval, bars] of all) {
        const left = bars.slice(0, -1).filter(({ isClosed }) => !isClosed);
        expect(left, `${interval} left forming behind newer ones`).toEqual([]);
      }
      for (const interval of isBehind ? [] : INTERVALS) {
        const page = await book.page({
          symbol: SYMBOL,
          interval,
          fromMs: 0,
          toMs: 4e12,
          limit: 10_000,
          asOfMs: Number.POSITIVE_INFINITY,
        });
        const served = [
          ...(page.forming ? [page.forming] : []),
          ...(page.closed.length > 0 ? [Buffer.from(page.closed).toString()] : []),
        ].join(",");
        expect(served, `${interval} as served`).toBe((all.get(interval) ?? []).toReversed().map(encodeBar).join(","));
      }
    };
    return { run, holds, close: () => live.close() };
  };

  it("agree from minutes to days, keep what was imported, and are served as stored, after every step", async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.constantFrom(...STARTS_MS), async (list, startMs) => {
        const world = await openWorld(startMs);
        for (const step of [...list, { kind: "write" } as const, { kind: "write" } as const]) {
          await world.run(step);
          await world.holds();
        }
        await world.close();
      }),
      { numRuns: 6, examples: [NEXT_MINUTE, NEXT_HOUR, REPLACED_BESIDE].map((list) => [list, STARTS_MS[0]]) },
    );
  }, 600_000);
});
