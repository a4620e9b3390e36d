import { DELAY_MS } from "@assay/contract";
import { type BeliefState, type Tick, unknownBelief } from "@assay/pricing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { goldTick as tick } from "../testing/rows.ts";
import { PriceBoard } from "./price-board.ts";

const START_MS = Date.UTC(2026, 10, 20, 14);

describe("the board", () => {
  test("has no price before the first", () => {
    const board = new PriceBoard();
    expect(board.at("XAU-USD-SPOT", START_MS)).toBeNull();
    board.add(tick(1, START_MS));
    expect(board.at("XAU-USD-SPOT", START_MS - 1)).toBeNull();
    expect(board.at("XAU-USD-SPOT", START_MS)?.seq).toBe(1);
    expect(board.at("XAG-USD-SPOT", START_MS)).toBeNull();
  });

  test("accepts no tick that is not newer, by number and by time", () => {
    const board = new PriceBoard();
    expect(board.add(tick(5, START_MS))).toBe(true);
    expect(board.add(tick(5, START_MS + 1))).toBe(false);
    expect(board.add(tick(4, START_MS + 1))).toBe(false);
    expect(board.add(tick(6, START_MS - 1))).toBe(false);
    expect(board.add(tick(6, START_MS))).toBe(true);
    expect(board.newest().map(({ seq }) => seq)).toEqual([6]);
  });

  test("goes on from an earlier time once a clock was set back by more than clocks are apart", () => {
    const board = new PriceBoard();
    const HOUR_MS = 3_600_000;
    for (const [seq, atMs] of [
      [1, 0],
      [2, HOUR_MS],
      [3, 1_000],
      [4, 2_000],
    ] as const)
      board.add(tick(seq, START_MS + atMs));
    expect([0, 1_000, 2_000, HOUR_MS].map((atMs) => board.at("XAU-USD-SPOT", START_MS + atMs)?.seq)).toEqual([1, 3, 4, 4]);
  });

  test("ends the freshness of a tick whose source is doubted from then on, whichever arrives first", () => {
    const atMs = START_MS + 10_000;
    const doubted = [{ seq: 1, sources: [{ source: "a", atMs }], freshUntilMs: atMs - 1 }];
    const state: BeliefState = { ...unknownBelief("XAU-USD-SPOT"), doubted };
    const boards = [new PriceBoard(), new PriceBoard()];
    boards[0]?.believe(state);
    for (const board of boards) board.add(tick(1, START_MS));
    boards[1]?.believe(state);
    for (const board of boards) expect(board.at("XAU-USD-SPOT", atMs)?.freshUntilMs).toBe(atMs - 1);
  });

  test("keeps instruments apart", () => {
    const board = new PriceBoard();
    board.add(tick(9, START_MS));
    board.add(tick(1, START_MS, { instrument: "XAG-USD-SPOT" }));
    expect(board.at("XAU-USD-SPOT", START_MS)?.seq).toBe(9);
    expect(board.at("XAG-USD-SPOT", START_MS)?.seq).toBe(1);
    expect(board.newest()).toHaveLength(2);
  });

  test("drops what is out of reach by more than a few minutes", () => {
    const board = new PriceBoard();
    for (let seq = 1; seq <= 3_600; seq += 1) {
      board.add(tick(seq, START_MS + seq * 1_000));
      expect(board.at("XAU-USD-SPOT", START_MS + seq * 1_000 - DELAY_MS - 10 * 60_000)).toBeNull();
    }
  });

  test("answers any instant of the last fifteen minutes as a search through every tick would, however many came", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 4_000 }), { minLength: 1, maxLength: 2_500 }),
        fc.array(fc.integer({ min: 0, max: DELAY_MS }), { minLength: 1, maxLength: 20 }),
        (gaps, backs) => {
          const board = new PriceBoard();
          const all: Tick[] = [];
          let atMs = START_MS;
          gaps.forEach((gap, index) => {
            atMs += gap;
            const next = tick(index + 1, atMs);
            all.push(next);
            board.add(next);
          });
          for (const back of backs) {
            const askedMs = atMs - back;
            expect(board.at("XAU-USD-SPOT", askedMs)).toBe(all.findLast(({ computedAtMs }) => computedAtMs <= askedMs) ?? null);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test("keeps the last price before the window, so that a slow market has a delayed price too", () => {
    const board = new PriceBoard();
    for (let seq = 1; seq <= 2_000; seq += 1) board.add(tick(seq, START_MS + seq));
    board.add(tick(2_001, START_MS + 3_600_000));
    expect(board.at("XAU-USD-SPOT", START_MS + 3_600_000 - DELAY_MS)?.seq).toBe(2_000);
  });
});

describe("withdrawn ticks", () => {
  const state = (change: Partial<BeliefState>): BeliefState => ({ ...unknownBelief("XAU-USD-SPOT"), ...change });

  test("are shown at no instant, live or delayed, and the ticks around them are", () => {
    const board = new PriceBoard();
    for (const seq of [1, 2, 3]) board.add(tick(seq, START_MS + seq * 60_000));
    board.believe(state({ withdrawn: [{ fromSeq: 2, toSeq: 3, atMs: START_MS + 200_000 }] }));
    expect([1, 2, 3, 9].map((minute) => board.at("XAU-USD-SPOT", START_MS + minute * 60_000)?.seq ?? null)).toEqual([
      1,
      null,
      null,
      null,
    ]);
    expect(board.newest()).toEqual([]);
    board.add(tick(4, START_MS + 300_000));
    expect(board.at("XAU-USD-SPOT", START_MS + 300_000)?.seq).toBe(4);
  });

  test("on probation are shown until they are hidden, and again when that is over; nothing confirms them meanwhile", () => {
    const board = new PriceBoard();
    board.add(tick(1, START_MS));
    const probation = { fromSeq: 1, fromMs: START_MS, by: ["a"], untilMs: null, bars: [] };
    board.believe(state({ probation }));
    expect([board.at("XAU-USD-SPOT", START_MS)?.seq, board.unconfirmed()]).toEqual([1, ["XAU-USD-SPOT"]]);
    board.believe(state({ probation, hidden: true }));
    expect([board.at("XAU-USD-SPOT", START_MS), board.unconfirmed()]).toEqual([null, []]);
    board.believe(state({ probation: { ...probation, untilMs: START_MS + 1 } }));
    expect([board.at("XAU-USD-SPOT", START_MS)?.seq, board.unconfirmed()]).toEqual([1, []]);
  });
});
