/** Years in memory against the same window read from the store, and against what is added to it. */
import { DAY_MS } from "@assay/contract";
import { readSettledDays, readSettlements, type Store, writeMoment } from "@assay/db";
import { openEmbeddedStore } from "@assay/db/testing";
import {
  activeContract,
  addDays,
  isBusinessDay,
  lastTradeDay,
  readFuturesContract,
  type SettlementRow,
  utcDay,
} from "@assay/pricing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { goldSettlement } from "../testing/rows.ts";
import { MarketView } from "./market-view.ts";
import { encodeSettlement, type SettlementQuery } from "./settlement-years.ts";

const NOW_MS = Date.UTC(2026, 10, 20, 23);
const WRITER = { token: 1, holder: "writer" };
const CONTRACTS = ["GCG25", "GCJ25", "GCM25", "GCQ25", "GCZ25", "GCG26", "GCJ26", "GCM26", "GCQ26", "GCZ26", "GCG27"].flatMap(
  (name) => readFuturesContract(name) ?? [],
);

const settled = (futuresContract: string, settlementDate: string, price: number, late = 0): SettlementRow =>
  goldSettlement(futuresContract, settlementDate, price.toFixed(2), {
    observedAtMs: Date.parse(`${settlementDate}T22:00:00Z`) + late,
  });

/** Two years, with a corrected price and days of which no contract was the front one. */
const history = (): SettlementRow[] => {
  const rows: SettlementRow[] = [];
  for (let back = 0; back < 2 * 365; back += 1) {
    const day = addDays(utcDay(NOW_MS), -back);
    if (!isBusinessDay(day)) continue;
    for (const contract of CONTRACTS) {
      if (lastTradeDay(contract) >= day) rows.push(settled(contract.name, day, 4_000 + (back % 97)));
    }
    if (back % 10 === 5) rows.push(settled("GCZ26", day, 3_000, DAY_MS));
  }
  return [...rows, settled("GCG25", "2026-03-03", 1), settled("GCG25", "2026-07-02", 1)];
};

let store: Store;
let market: MarketView;
beforeAll(async () => {
  store = await openEmbeddedStore();
  await writeMoment(store, WRITER, { ticks: [], bars: [], fx: [], settlements: history() });
  market = new MarketView({ store, keepsHours: true });
  await market.load(NOW_MS);
});
afterAll(() => store.close());

/** What others wait for. */
class Gate {
  open = (): void => undefined;
  readonly opened = new Promise<void>((resolve) => {
    this.open = resolve;
  });
}

/** The same straight from the store. */
const reference = async ({ symbol, asOfMs, ...window }: SettlementQuery): Promise<string[]> => {
  const days = await readSettledDays(store, { symbol, asOfMs, ...window });
  const picks = days.flatMap(({ day, contracts }) => {
    const active = activeContract(
      contracts.flatMap((name) => readFuturesContract(name) ?? []),
      day,
    );
    return active ? [{ day, futuresContract: active.name }] : [];
  });
  return (await readSettlements(store, symbol, picks, asOfMs)).map(encodeSettlement);
};

const wholeYear: SettlementQuery = { symbol: "GC", from: "2025-11-21", to: "2026-11-20", limit: 365, asOfMs: NOW_MS };

describe("a window of settlements", () => {
  test("is what the store has, for any window, limit and instant", async () => {
    const query = fc
      .record({
        symbol: fc.constantFrom("GC", "SI"),
        end: fc.integer({ min: -30, max: 900 }),
        days: fc.integer({ min: 0, max: 365 }),
        limit: fc.integer({ min: 1, max: 365 }),
        agoMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 500 * DAY_MS })),
      })
      .map(({ symbol, end, days, limit, agoMs }): SettlementQuery => {
        const to = addDays(utcDay(NOW_MS), -end);
        return { symbol: symbol as "GC", from: addDays(to, -days), to, limit, asOfMs: NOW_MS - agoMs }; // one of the two
      });
    await fc.assert(
      fc.asyncProperty(query, async (asked) => {
        expect(await market.settlementYears.rows(asked)).toEqual(await reference(asked));
      }),
      { numRuns: process.env.TEST_DEPTH === "deep" ? 60 : 20 },
    );
    expect(await reference(wholeYear)).toHaveLength(251);
  });

  test("is empty before and after every settlement", async () => {
    for (const [from, to] of [
      ["0001-01-01", "0001-01-01"],
      ["9999-01-01", "9999-12-31"],
    ] as const) {
      expect(await market.settlementYears.rows({ ...wholeYear, from, to })).toEqual([]);
    }
  });

  test("has what was added before it is asked for, also when a reading from before ends later", async () => {
    const [isRead, mayEnd] = [new Gate(), new Gate()];
    let readings = Number.NEGATIVE_INFINITY;
    const slow: Store = {
      ...store,
      run: async (work, timeoutMs) => {
        const answer = await store.run(work, timeoutMs);
        readings += 1;
        // The days first, then their rows.
        if (readings === 2) {
          isRead.open();
          await mayEnd.opened;
        }
        return answer;
      },
    };
    const view = new MarketView({ store: slow, keepsHours: true });
    await view.load(NOW_MS);
    const add = async (row: SettlementRow): Promise<void> => {
      const moment = { ticks: [], bars: [], fx: [], settlements: [row] };
      await writeMoment(store, WRITER, moment);
      view.apply({ kind: "moment", token: 1, atMs: NOW_MS, ...moment });
    };
    const newest = { ...wholeYear, limit: 1 };
    await view.settlementYears.rows(newest);
    await add(settled("GCZ26", "2026-11-20", 4_444.5, 60_000));
    expect(await view.settlementYears.rows(newest)).toEqual([expect.stringContaining('"4444.50"')]);

    view.settlementYears.forget();
    readings = 0;
    const before = view.settlementYears.rows(newest);
    await isRead.opened;
    await add(settled("GCZ26", "2026-11-20", 5_555.5, 120_000));
    mayEnd.open();
    expect(await before).toEqual([expect.stringContaining('"4444.50"')]);
    expect(await view.settlementYears.rows(newest)).toEqual([expect.stringContaining('"5555.50"')]);
  });

  test("is read once, however many ask for it together, and not again while nothing is added", async () => {
    let readings = 0;
    const counted: Store = {
      ...store,
      run: (work, timeoutMs) => {
        readings += 1;
        return store.run(work, timeoutMs);
      },
    };
    const view = new MarketView({ store: counted, keepsHours: true });
    const ask = () => view.settlementYears.rows({ ...wholeYear, from: "2026-01-02" });
    await Promise.all([ask(), ask(), ask()]);
    await ask();
    // The days of the year, and their rows.
    expect(readings).toBe(2);
  });

  test("hides what was observed after the caller's instant until that has come", async () => {
    const view = new MarketView({ store, keepsHours: true });
    await view.load(NOW_MS);
    const ahead = { ...settled("GCZ26", "2026-11-20", 7_777.5), observedAtMs: NOW_MS + 5_000 };
    await writeMoment(store, WRITER, { ticks: [], bars: [], fx: [], settlements: [ahead] });
    view.apply({ kind: "moment", token: 1, atMs: NOW_MS, ticks: [], bars: [], fx: [], settlements: [ahead] });
    for (const asOfMs of [NOW_MS, NOW_MS + 4_999, NOW_MS + 5_000, NOW_MS + 6_000, NOW_MS + 4_999]) {
      const [newest] = await view.settlementYears.rows({ ...wholeYear, limit: 1, asOfMs });
      expect(newest?.includes('"7777.50"'), `at ${asOfMs - NOW_MS}`).toBe(asOfMs >= NOW_MS + 5_000);
    }
  });
});
