import type { PageOrder } from "@assay/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BarArena } from "./bar-arena.ts";

interface Bar {
  readonly startMs: number;
  readonly json: string;
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");

/** Consecutive one-minute bars from a start, newest last. */
const barsOf = (count: number, json: (index: number) => string = (index) => `{"n":${index}}`): Bar[] =>
  Array.from({ length: count }, (_, index) => ({ startMs: index * 60_000, json: json(index) }));

const loaded = (bars: readonly Bar[]): BarArena => {
  const newestFirst = bars.toReversed();
  return BarArena.load(
    Buffer.from(newestFirst.map((bar) => bar.json).join(",")),
    newestFirst.map((bar) => bar.startMs),
    newestFirst.map((bar) => Buffer.byteLength(bar.json)),
  );
};

const appended = (bars: readonly Bar[]): BarArena => {
  const arena = new BarArena();
  for (const bar of bars) arena.append(bar.startMs, bar.json);
  return arena;
};

/** The expected rows, computed the slow way. */
const windowOf = (bars: readonly Bar[], fromMs: number, toMs: number, order: PageOrder): Bar[] => {
  const window = bars.filter((bar) => bar.startMs >= fromMs && bar.startMs <= toMs);
  return order === "desc" ? window.toReversed() : window;
};

const everything = (arena: BarArena): string => text(arena.slice(arena.page(-Infinity, Infinity, Infinity)));

describe("an empty arena", () => {
  test("has no page, no newest bar and nothing older", () => {
    for (const arena of [new BarArena(), loaded([])]) {
      const span = arena.page(0, 1e15, 100);
      expect(arena.slice(span)).toHaveLength(0);
      expect(span.from).toBeGreaterThan(span.to);
      expect(arena.newestStartMs).toBe(-Infinity);
      expect(span.hasMore).toBe(false);
      expect(arena.length).toBe(0);
    }
  });
});

describe("an arena", () => {
  test("holds the same bytes whether it was loaded or grown", () => {
    const bars = barsOf(3_000, (index) => `{"n":"${"9".repeat(index % 40)}"}`);
    const expected = bars.toReversed().map((bar) => bar.json);
    expect(everything(loaded(bars))).toBe(expected.join(","));
    expect(everything(appended(bars))).toBe(expected.join(","));
    expect(appended(bars).length).toBe(3_000);
    expect(appended(bars).byteLength).toBe(loaded(bars).byteLength);
  });

  test("grows past every size it starts with, in count and in bytes", () => {
    const wide = "x".repeat(500);
    const bars = barsOf(5_000, (index) => `{"n":${index},"w":"${wide}"}`);
    const arena = appended(bars);
    expect(arena.byteLength).toBeGreaterThan(2_500_000);
    expect(everything(arena)).toBe(
      bars
        .toReversed()
        .map((bar) => bar.json)
        .join(","),
    );
  });

  test("replaces its newest bar by one of the same start, longer or shorter", () => {
    for (const json of ["{}", `{"n":"${"9".repeat(200_000)}"}`]) {
      const arena = appended(barsOf(3));
      expect(arena.append(120_000, json)).toBe(true);
      expect(arena.length).toBe(3);
      expect(everything(arena)).toBe(`${json},{"n":1},{"n":0}`);
      arena.append(180_000, "[]");
      expect(everything(arena)).toBe(`[],${json},{"n":1},{"n":0}`);
    }
  });

  test("accepts no bar older than its newest, and stays as it is", () => {
    const arena = appended(barsOf(3));
    expect(arena.append(60_000, '{"late":1}')).toBe(false);
    expect(everything(arena)).toBe('{"n":2},{"n":1},{"n":0}');
  });

  test("keeps letters beyond ASCII whole", () => {
    const bars = barsOf(3, (index) => `{"n":"München ${index} 金"}`);
    expect(everything(appended(bars))).toBe(everything(loaded(bars)));
    expect(JSON.parse(`[${everything(appended(bars))}]`)[1]).toEqual({ n: "München 1 金" });
  });

  test("never changes a page that was returned", () => {
    const arena = appended(barsOf(40));
    const page = arena.slice(arena.page(0, Infinity, 10));
    const before = text(page);
    arena.append(39 * 60_000, '{"n":"corrected"}');
    expect(text(page), "by a correction of its newest bar").toBe(before);
    for (const bar of barsOf(4_000).slice(40)) arena.append(bar.startMs, `{"n":"${"8".repeat(60)}"}`);
    expect(text(page), "by growth").toBe(before);
  });
});

const instants = fc.integer({ min: -3, max: 60 }).map((minute) => minute * 60_000);

describe("a page", () => {
  test("equals a filter over all bars, whatever happened before", () => {
    const operation = fc.record({ ahead: fc.integer({ min: -2, max: 4 }), width: fc.nat(60) });
    fc.assert(
      fc.property(
        fc.nat(20),
        fc.array(operation, { maxLength: 60 }),
        fc.array(fc.tuple(instants, instants, fc.integer({ min: 0, max: 70 }), fc.constantFrom<PageOrder>("desc", "asc")), {
          minLength: 1,
          maxLength: 8,
        }),
        (initial, operations, queries) => {
          const model = barsOf(initial);
          const arena = loaded(model);
          operations.forEach(({ ahead, width }, index) => {
            const newest = model.at(-1);
            const bar = { startMs: (newest?.startMs ?? 0) + ahead * 60_000, json: `{"i":${index},"w":"${"w".repeat(width)}"}` };
            const isTaken = newest === undefined || bar.startMs >= newest.startMs;
            expect(arena.append(bar.startMs, bar.json)).toBe(isTaken);
            if (!isTaken) return;
            if (newest?.startMs === bar.startMs) model.pop();
            model.push(bar);
          });
          for (const [fromMs, toMs, limit, order] of queries) {
            const span = arena.page(fromMs, toMs, limit, order);
            const window = windowOf(model, fromMs, toMs, order);
            const expected = window.slice(0, limit);
            expect(span.hasMore).toBe(window.length > expected.length);
            expect(text(arena.slice(span))).toBe(expected.map((bar) => bar.json).join(","));
            const last = expected.at(-1);
            if (!last) continue;
            expect(span.to - span.from + 1).toBe(expected.length);
            expect(arena.startAt(order === "desc" ? span.from : span.to)).toBe(last.startMs);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("an arena that drops old bars", () => {
  test("holds the bars from an instant on as if there had never been others, and accepts more", () => {
    fc.assert(
      fc.property(fc.nat(60), fc.integer({ min: -1, max: 61 }), fc.nat(20), (count, from, more) => {
        const bars = barsOf(count + more, (index) => `{"n":"${"x".repeat(index % 7)}"}`);
        const arena = loaded(bars.slice(0, count));
        arena.keepFrom(from * 60_000 - 1);
        const kept = bars.slice(0, count).filter((bar) => bar.startMs >= from * 60_000 - 1);
        for (const bar of bars.slice(count)) {
          expect(arena.append(bar.startMs, bar.json)).toBe(true);
          kept.push(bar);
        }
        expect(everything(arena)).toBe(
          text(
            Buffer.from(
              kept
                .toReversed()
                .map((bar) => bar.json)
                .join(","),
            ),
          ),
        );
        expect(arena.length).toBe(kept.length);
        expect(arena.oldestStartMs).toBe(kept[0]?.startMs ?? Number.POSITIVE_INFINITY);
      }),
    );
  });

  test("leaves pages that were returned as they are", () => {
    const arena = loaded(barsOf(100));
    const page = arena.slice(arena.page(0, 50 * 60_000, 10));
    const before = text(page);
    arena.keepFrom(90 * 60_000);
    arena.append(200 * 60_000, '{"n":"new"}');
    expect(text(page)).toBe(before);
  });
});
