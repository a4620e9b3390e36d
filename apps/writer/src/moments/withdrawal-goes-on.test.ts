/** Bars long after a withdrawal: in memory, in the store and as known now they are what the ticks that stand add up to. */
import { INTERVALS, type Interval, MINUTE_MS, SECOND_MS } from "@assay/contract";
import { claimFence, readBeliefs, readCorrections, readLastSeqs, readLedgerHead, readStretch, type Store } from "@assay/db";
import { testEngines } from "@assay/db/testing";
import { type MarketEvent, openMemoryLive } from "@assay/live";
import { type BarRow, barEnd, bucketStart, compareDecimalText, isShown, type SourceInfo, type Tick } from "@assay/pricing";
import { MarketView } from "@assay/services";
import { makeSettlement } from "@assay/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BarKeeper, COMPOSED } from "../bars/bar-keeper.ts";
import { restoreBeliefs } from "../prices/belief-store.ts";
import { MarketDesk } from "../prices/market-desk.ts";
import { gold, source } from "../testing/readings.ts";
import { EventQueue } from "./event-queue.ts";
import { MomentWriter } from "./moment-writer.ts";

const SYMBOL = "XAU-USD-SPOT";
/** A Thursday evening. */
const START_MS = Date.parse("2026-11-19T20:00:05Z");
const FROM_MS = Date.UTC(2026, 10, 1);
const HONEST = ["h1", "h2", "h3", "h4"];
const LIARS = ["l1", "l2"];
const SOURCES: ReadonlyMap<string, SourceInfo> = new Map(
  [...HONEST, ...LIARS].map((key) => [key, { ...source(key), instruments: [SYMBOL] }]),
);
const SILENT = {
  info: () => undefined,
  warn: () => undefined,
  fault: () => undefined,
  feed: () => undefined,
  archives: () => undefined,
};

/** A bar as a text. */
type Shown = Pick<BarRow, "interval" | "barStartMs" | "open" | "high" | "low" | "close" | "isClosed">;

const textOf = ({ interval, barStartMs, open, high, low, close, isClosed }: Shown): string =>
  `${interval} ${new Date(barStartMs).toISOString()} ${open} ${high} ${low} ${close} ${isClosed ? "closed" : "forming"}`;

const isClosedText = (text: string): boolean => text.endsWith("closed");
const nameOf = (text: string): string => text.split(" ").slice(0, 2).join(" ");

/** A figure that bars hold, with the number of the tick that it came with. */
type Figure = Pick<Tick, "seq" | "price" | "computedAtMs">;

/** What figures add up to at an interval, without the code that builds bars one tick at a time. */
const foldOf = (ticks: readonly Figure[], interval: Interval, nowMs: number): string[] => {
  const buckets = new Map<number, string[]>();
  for (const { computedAtMs, price } of ticks) {
    const barStartMs = bucketStart(computedAtMs, interval);
    buckets.set(barStartMs, [...(buckets.get(barStartMs) ?? []), price]);
  }
  return [...buckets].map(([barStartMs, prices]) => {
    const sorted = prices.toSorted(compareDecimalText);
    const [open = "", low = "", high = "", close = ""] = [prices[0], sorted[0], sorted.at(-1), prices.at(-1)];
    const isClosed = barEnd({ barStartMs, interval }) <= nowMs;
    return textOf({ interval, barStartMs, open, high, low, close, isClosed });
  });
};

interface WireBar extends Pick<BarRow, "open" | "high" | "low" | "close"> {
  readonly bar_start: string;
  readonly is_closed: boolean;
}

describe.each(testEngines)("bars after a withdrawal on $name", (engine) => {
  let store: Store;
  let nowMs: number;
  beforeEach(async () => {
    nowMs = START_MS;
    store = await engine.open(() => nowMs);
  });
  afterEach(() => store.close());

  const openWorld = async () => {
    const live = openMemoryLive({ clock: () => nowMs });
    const view = new MarketView({ store, keepsHours: false });
    const figures: Figure[] = [];
    /** Said while nothing was decided: bars hold it once it is believed. */
    let undecided: Omit<Figure, "seq">[] = [];
    let events: MarketEvent[] = [];
    await live.bus.subscribe((event) => void events.push(event));
    let token = 0;
    /** A term, as another process would begin it. */
    const begin = async () => {
      token += 1;
      const writer = { token, holder: `writer ${token}`, expiresAtMs: Number.POSITIVE_INFINITY };
      await claimFence(store, token, writer.holder);
      const bars = new BarKeeper(COMPOSED);
      const beliefs = await restoreBeliefs(store, SOURCES, COMPOSED);
      const desk = new MarketDesk({ sources: SOURCES, bars, seqs: await readLastSeqs(store), beliefs, isOpen: () => true });
      const moments = new MomentWriter({ store, writer, eventQueue: new EventQueue(live.bus, SILENT), bars, clock: () => nowMs });
      await moments.begin(nowMs);
      return { bars, desk, moments };
    };
    let term = await begin();
    await view.load(nowMs);

    const storedBars = async () => (await readStretch(store, SYMBOL, INTERVALS, FROM_MS, nowMs + 1)).map(textOf).toSorted();
    let before: readonly string[] = [];
    let corrections = 0;
    /** What is stored, what has changed of closed bars since this was asked last, and what the ledger has said since. */
    const look = async () => {
      const stored = await storedBars();
      const closed = stored.filter(isClosedText);
      const left = new Set(closed);
      const changed = before.filter((text) => !left.has(text)).map(nameOf);
      before = closed;
      const all = { symbols: null, intervals: INTERVALS, dailyFromMs: 0, hasSettlements: true, hasRates: true };
      const rows = await readCorrections(store, { ...all, since: corrections, asOfMs: nowMs, limit: 10_000 });
      corrections = rows.at(-1)?.number ?? corrections;
      const entries = rows.map(
        ({ entry }) => JSON.parse(entry) as { interval: string; bar_start: string | null; reason: string },
      ); // the trigger's
      const named = entries
        .map((each) => `${each.interval} ${each.bar_start && new Date(each.bar_start).toISOString()}`)
        .toSorted();
      return { stored, changed: changed.toSorted(), named, reasons: [...new Set(entries.map(({ reason }) => reason))] };
    };

    return {
      look,
      restart: async () => {
        term = await begin();
      },
      /** Queues what is committed next, besides prices. */
      settle: (price: string): void => {
        const settlements = [makeSettlement({ price, observedAtMs: nowMs })];
        term.moments.add({ ticks: [], bars: [], fx: [], settlements });
      },
      /** Lets sources say a price and commits it; every process then has what was published. */
      commit: async (keys: readonly string[], price: string) => {
        const readings = keys.map((key) => gold(key, price, nowMs));
        const moment = term.desk.take(readings, nowMs);
        const [tick] = moment.ticks;
        if (tick) {
          figures.push(...undecided.map((each) => ({ ...each, seq: tick.seq })), tick);
          undecided = [];
        } else undecided.push({ price, computedAtMs: nowMs });
        term.moments.add(moment);
        await term.moments.write(nowMs);
        for (const event of events) {
          if (event.kind === "bars-replaced") await view.reload(event.symbol, nowMs);
          else view.apply(event);
        }
        events = [];
      },
      /** The figures that were not withdrawn, and how often any were. */
      standing: async () => {
        const belief = (await readBeliefs(store)).get(SYMBOL);
        return { standing: figures.filter(({ seq }) => isShown(belief, seq)), withdrawals: belief?.withdrawn.length ?? 0 };
      },
      forming: () => term.bars.formingOf(SYMBOL).map(textOf).toSorted(),
      /** What callers get of an interval, and what they get of it as known now. */
      shown: async (interval: Interval) => {
        const query = { symbol: SYMBOL, interval, fromMs: FROM_MS, toMs: nowMs, limit: 10_000 } as const;
        const textsOf = ({ forming, closed }: { forming: string | null; closed: Uint8Array }): string[] => {
          const parts = [...(forming === null ? [] : [forming]), ...(closed.length > 0 ? [Buffer.from(closed).toString()] : [])];
          return (JSON.parse(`[${parts.join(",")}]`) as WireBar[]).map(({ bar_start, is_closed, ...figures }) =>
            textOf({ interval, barStartMs: Date.parse(bar_start), ...figures, isClosed: is_closed }),
          );
        };
        const current = await view.bars.page({ ...query, asOfMs: Number.POSITIVE_INFINITY });
        const { revision } = await readLedgerHead(store);
        return { current: textsOf(current), known: textsOf(await view.bars.pageAt(query, revision)) };
      },
    };
  };

  /** Honest prices move by a few cents; the liars' are a fifth off, which is no other unit. */
  const honest = (place: number): string => (4_390 + ((place * 37) % 23) / 4).toFixed(2);
  const lie = (place: number): string => (3_500 - place).toFixed(2);

  /** Who speaks until when, and how often. Between two commits any number of bars end. */
  const PHASES: readonly (readonly [sources: readonly string[], untilText: string, everyMs: number])[] = [
    // Longer than a price can be withdrawn.
    [HONEST, "2026-11-19T21:30:00Z", 3 * MINUTE_MS],
    [LIARS, "2026-11-19T21:37:30Z", 50 * SECOND_MS],
    [HONEST, "2026-11-19T21:43:00Z", 20 * SECOND_MS],
    [HONEST, "2026-11-19T22:04:00Z", MINUTE_MS],
    [HONEST, "2026-11-20T00:12:00Z", 4 * MINUTE_MS],
    [HONEST, "2026-11-20T23:41:00Z", 31 * MINUTE_MS],
    [LIARS, "2026-11-21T00:15:00Z", 4 * MINUTE_MS],
    [HONEST, "2026-11-21T00:45:00Z", 4 * MINUTE_MS],
    [HONEST, "2026-11-22T00:30:00Z", 61 * MINUTE_MS],
  ];

  it("are what the ticks add up to after every commit, and the ledger names what changed and nothing else", async () => {
    const world = await openWorld();
    let [commits, withdrawn, entries] = [0, 0, 0];
    const check = async (): Promise<void> => {
      const at = new Date(nowMs).toISOString();
      const { standing, withdrawals } = await world.standing();
      const { stored, changed, named, reasons } = await world.look();
      const folded = INTERVALS.flatMap((interval) => foldOf(standing, interval, nowMs)).toSorted();
      expect(stored, at).toEqual(folded);
      expect(world.forming(), at).toEqual(folded.filter((text) => !isClosedText(text)));
      expect(named, at).toEqual(changed);
      expect(reasons, at).toEqual(withdrawals > withdrawn ? ["withdrawn"] : []);
      if (withdrawals === withdrawn && commits % 12 > 0) return;
      withdrawn = withdrawals;
      entries += named.length;
      for (const interval of INTERVALS) {
        const { current, known } = await world.shown(interval);
        const bars = foldOf(standing, interval, nowMs).toReversed();
        expect(current, at).toEqual(bars);
        expect(known, at).toEqual(bars.filter(isClosedText));
      }
    };
    for (const [sources, untilText, everyMs] of PHASES)
      while (nowMs < Date.parse(untilText)) {
        commits += 1;
        nowMs += everyMs;
        if (commits % 9 === 0) await world.restart();
        await world.commit(sources, sources === HONEST ? honest(commits) : lie(commits));
        await check();
      }
    expect([withdrawn, commits > 150, entries > 10]).toEqual([2, true, true]);
  });

  it("have a reason of their own in the ledger: what a publisher corrects in the same second has another", async () => {
    const world = await openWorld();
    const say = async (sources: readonly string[], price: string): Promise<void> => {
      nowMs += MINUTE_MS;
      await world.commit(sources, price);
    };
    await say(LIARS, lie(0));
    await say(LIARS, lie(1));
    world.settle("4010.50");
    await say(LIARS, lie(2));
    expect((await world.look()).reasons).toEqual([]);
    world.settle("4010.60");
    await say(HONEST, honest(0));
    const { named, reasons } = await world.look();
    expect([reasons.toSorted(), named.length > 1]).toEqual([["publisher", "withdrawn"], true]);
  });
});
