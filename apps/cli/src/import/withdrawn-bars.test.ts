/** Bars after a withdrawal, whatever happened in between: an import, a lost answer, a crash. */
import { INTERVALS, type Interval, MINUTE_MS } from "@assay/contract";
import { type Store, StoreUnavailableError } from "@assay/db";
import { testEngines } from "@assay/db/testing";
import { openMemoryLive } from "@assay/live";
import { aggregateBars, type BarRow, barEnd, type DailySymbol, type Instrument, type SourceInfo } from "@assay/pricing";
import { BarKeeper, COMPOSED, EventQueue, MarketDesk, MomentWriter } from "@assay/writer/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openScratch, seriesOf, tryImport } from "./testing/trial.ts";

const SYMBOL = "XAU-USD-SPOT";
const NOON_MS = Date.parse("2026-11-20T12:00:00Z");
const GOOD_SEQS = 30;

const source = (key: string, role: SourceInfo["role"]): SourceInfo => ({
  key,
  displayName: key,
  license: "simulated",
  role,
  intervalMs: 60_000,
  instruments: [SYMBOL],
  freshForMs: role === "council" ? 36 * 3_600_000 : 180_000,
});
const SOURCES = new Map([source("a", "primary"), source("fix", "council")].map((each) => [each.key, each]));

const scratch = openScratch();
afterAll(() => scratch.remove());

describe.each(testEngines)("withdrawn bars on $name", (engine) => {
  let store: Store;
  beforeAll(async () => {
    store = await engine.open();
  });
  afterAll(() => store.close());

  /** Half an hour of right prices up to 12:07:30, then a single source that is ten times too high. */
  const openWorld = async () => {
    await store.run((db) => db.execute("truncate bars, imports, ticks, archives, beliefs"));
    await store.run((db) => db.execute("update writer_fence set token = 0, holder = ''"));
    let nowMs = NOON_MS - 22 * MINUTE_MS;
    let [token, losing, refusing] = [0, 0, 0];
    const live = openMemoryLive({ clock: () => nowMs });
    const unreliable: Store = {
      ...store,
      run: async (work, timeoutMs) => {
        refusing -= 1;
        losing -= 1;
        const isLost = losing === 0;
        if (refusing === 0) throw new StoreUnavailableError("gone");
        const answer = await store.run(work, timeoutMs);
        if (isLost) throw new StoreUnavailableError("the answer got lost");
        return answer;
      },
    };
    const start = async (seq: number) => {
      token += 1;
      const bars = new BarKeeper(COMPOSED);
      const desk = new MarketDesk({
        sources: SOURCES,
        bars,
        seqs: new Map<Instrument, number>([[SYMBOL, seq]]),
        isOpen: () => true,
      });
      const eventQueue = new EventQueue(live.bus, {
        info: () => undefined,
        warn: () => undefined,
        fault: () => undefined,
        feed: () => undefined,
        archives: () => undefined,
      });
      const writer = { token, holder: "writer", expiresAtMs: Number.POSITIVE_INFINITY };
      const moments = new MomentWriter({ store: unreliable, writer, eventQueue, bars, clock: () => nowMs });
      await moments.begin(nowMs);
      return { bars, desk, moments };
    };
    const past = await start(0);
    for (let seq = 1; seq <= GOOD_SEQS; seq += 1) {
      const price = (4_380 + ((seq * 7) % 11)).toFixed(2);
      const bars = [...past.bars.closeDue(nowMs), ...past.bars.take(SYMBOL, { instrument: SYMBOL, seq, price }, nowMs)];
      past.moments.add({ ticks: [], bars, fx: [] });
      nowMs += MINUTE_MS;
    }
    await past.moments.write(nowMs);
    let writer = await start(GOOD_SEQS);
    nowMs -= 30_000;
    const take = (key: string, price: string): void =>
      writer.moments.add(
        writer.desk.take([{ kind: "spot", source: key, instrument: SYMBOL, price, observedAtMs: nowMs }], nowMs),
      );
    const write = () => writer.moments.write(nowMs);
    for (let minute = 0; minute < 12; minute += 1) {
      take("a", (43_920 + minute).toFixed(2));
      await write();
      nowMs += MINUTE_MS;
    }
    const stored = writer.desk.prices.beliefs.of(SYMBOL);
    const importMinutes = async (fromMs: number, count: number): Promise<void> => {
      const lines = Array.from({ length: count }, (_, index) => {
        const at = new Date(fromMs + index * MINUTE_MS).toISOString().slice(0, 19).replace("T", " ");
        return `${at},4391.10,4391.90,4390.20,4391.40,1`;
      });
      const path = scratch.write(`${fromMs}-${count}.csv`, `time,Open,High,Low,Close,Volume\n${lines.join("\n")}\n`);
      const request = { symbol: SYMBOL as DailySymbol, interval: "1m" as const, isForced: true };
      await tryImport(store, [path], request, { clock: () => nowMs });
    };
    /** The council publishes, and the source corrects itself. */
    const correct = (): void => {
      take("fix", "4390.60");
      take("a", "4391.00");
    };
    return {
      take,
      write,
      correct,
      importMinutes,
      moveOn: (ms: number) => {
        nowMs += ms;
      },
      loseAnswer: (run: number) => {
        losing = run;
      },
      refuse: (run: number) => {
        refusing = run;
      },
      restart: async () => {
        [losing, refusing] = [0, 0];
        writer = await start(GOOD_SEQS + 12);
        writer.desk.prices.beliefs.set(stored);
      },
    };
  };

  const all = async () => {
    const bars = new Map<Interval, BarRow[]>();
    for (const interval of INTERVALS) bars.set(interval, await seriesOf(store, SYMBOL, interval));
    return bars;
  };

  /** No bar has a wrong figure, and each equals what the finer ones add up to. */
  const expectRight = (bars: ReadonlyMap<Interval, readonly BarRow[]>): void => {
    INTERVALS.forEach((interval, place) => {
      for (const bar of bars.get(interval) ?? []) {
        expect(Number(bar.high), `${interval} of ${new Date(bar.barStartMs).toISOString()}`).toBeLessThan(5_000);
        const finer = bars.get(INTERVALS[place - 1] ?? "1m")?.filter((each) => each.barStartMs >= bar.barStartMs) ?? [];
        if (place === 0) continue;
        const [made] = aggregateBars(
          finer.filter((each) => each.barStartMs < barEnd(bar)),
          interval,
        );
        const { open, high, low, close } = made ?? { open: "" };
        expect(bar, `${interval} of ${new Date(bar.barStartMs).toISOString()}`).toMatchObject({ open, high, low, close });
      }
    });
  };

  it("are what they were before, plus what came since, at every interval", async () => {
    const { write, correct } = await openWorld();
    correct();
    await write();
    const bars = await all();
    expectRight(bars);
    expect(bars.get("1m")).toHaveLength(31);
    expect(bars.get("1h")?.at(-1)).toMatchObject({ open: "4387.00", close: "4391.00" });
  });

  it("keep minutes that were imported meanwhile, and rebuild coarser bars made from wrong minutes", async () => {
    const { write, correct, importMinutes } = await openWorld();
    await importMinutes(NOON_MS + 12 * MINUTE_MS, 2);
    correct();
    await write();
    const bars = await all();
    expectRight(bars);
    const imported = bars.get("1m")?.filter(({ sourceId }) => sourceId.startsWith("import:"));
    expect(imported?.map(({ high }) => high)).toEqual(["4391.90", "4391.90"]);
  });

  it("are right after an import of the minutes before and of the first wrong ones", async () => {
    const { write, correct, importMinutes } = await openWorld();
    await importMinutes(NOON_MS - 10 * MINUTE_MS, 23);
    correct();
    await write();
    expectRight(await all());
  });

  it.each([1, 23])(
    "are right after an import of %i minutes, of which the last is still forming with wrong ticks",
    async (count) => {
      const { write, correct, take, importMinutes, moveOn } = await openWorld();
      moveOn(-MINUTE_MS);
      await importMinutes(NOON_MS + (19 - count) * MINUTE_MS, count);
      take("a", "43940.00");
      await write();
      moveOn(MINUTE_MS);
      correct();
      await write();
      expectRight(await all());
    },
  );

  it.each([1, 2, 3, 4, 5, 6])(
    "are all corrected or all unchanged when the writer ends at step %i, and corrected in the next term",
    async (step) => {
      const { write, correct, take, refuse, restart } = await openWorld();
      const before = await all();
      correct();
      refuse(step);
      const isDone = await write().then(
        () => true,
        () => false,
      );
      const left = await all();
      if (isDone) return expectRight(left);
      expect(left).toEqual(before);
      await restart();
      take("fix", "4390.60");
      take("a", "4391.00");
      await write();
      expectRight(await all());
    },
  );

  it.each([1, 2, 3, 4, 5, 6])("have the right ticks once when the answer to step %i of the withdrawal was lost", async (step) => {
    const { write, correct, loseAnswer, take, moveOn } = await openWorld();
    correct();
    loseAnswer(step);
    await write().catch(() => undefined);
    loseAnswer(0);
    moveOn(MINUTE_MS);
    take("a", "4393.00");
    await write();
    const bars = await all();
    expectRight(bars);
    expect(
      bars
        .get("1m")
        ?.slice(-2)
        .map(({ close }) => Number(close)),
    ).toEqual([4391, 4393]);
  });
});
