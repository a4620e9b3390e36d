/** Slots, quarters and incidents of one source, against a plain replay of its readings. */
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@assay/contract";
import { addCounts, noCounts, RECORD_QUARTER_MS, type SourceCounts } from "@assay/pricing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Recorded, SourceWatch } from "./source-watch.ts";

const NOON_MS = Date.parse("2026-11-20T12:00:00Z");
const POLLED = { intervalMs: 10 * SECOND_MS, freshForMs: MINUTE_MS };
/** Open, except for the first half of every other hour. */
const isOpen = (atMs: number): boolean => Math.floor(atMs / (HOUR_MS / 2)) % 4 !== 0;
const always = (): boolean => true;

interface Arrival {
  readonly atMs: number;
  readonly rule: string | null;
}

/** The counts of a time, from a list of what arrived in it and nothing else. */
const replayed = (arrivals: readonly Arrival[], fromMs: number, toMs: number, intervalMs: number) => {
  const accepted = arrivals.filter(({ rule }) => rule === null);
  const slots = [];
  for (let startMs = Math.ceil(fromMs / intervalMs) * intervalMs; startMs + intervalMs <= toMs; startMs += intervalMs)
    if (isOpen(startMs) && isOpen(startMs + intervalMs - 1)) slots.push(startMs + intervalMs);
  const isMet = (endMs: number) => accepted.some(({ atMs }) => atMs >= endMs - 2 * intervalMs && atMs < endMs);
  const refused: Record<string, number> = {};
  for (const { rule } of arrivals) if (rule !== null) refused[rule] = (refused[rule] ?? 0) + 1;
  return {
    expected: slots.length,
    met: slots.filter(isMet).length,
    received: arrivals.length,
    accepted: accepted.length,
    refused,
  };
};

const sumOf = (quarters: readonly { readonly counts: SourceCounts }[]): SourceCounts =>
  addCounts(noCounts(0), ...quarters.map(({ counts }) => counts));

describe("a source's counts", () => {
  const arrivals = fc
    .array(fc.record({ afterMs: fc.integer({ min: 500, max: 60_000 }), rule: fc.constantFrom(null, null, "jump", "frozen") }), {
      minLength: 1,
      maxLength: 120,
    })
    .map((all) => {
      let atMs = NOON_MS + 7_300;
      return all.map(({ afterMs, rule }): Arrival => {
        atMs += afterMs;
        return { atMs, rule };
      });
    });

  it("are those of a plain replay of its readings, however often the clock is looked at", () => {
    fc.assert(
      fc.property(arrivals, fc.integer({ min: 1_000, max: 30_000 }), (all, stepMs) => {
        const beginMs = NOON_MS + 7_300;
        const endMs = Math.ceil(((all.at(-1)?.atMs ?? 0) + 1) / RECORD_QUARTER_MS) * RECORD_QUARTER_MS;
        const watch = new SourceWatch(POLLED, isOpen, beginMs);
        const due = [...all];
        for (let nowMs = beginMs; nowMs < endMs; ) {
          nowMs = Math.min(endMs, nowMs + stepMs);
          for (let next = due[0]; next && next.atMs <= nowMs; next = due[0]) {
            due.shift();
            if (next.rule === null) watch.accept(next.atMs, null);
            else watch.refuse(next.atMs, next.rule);
          }
          watch.advance(nowMs);
        }
        const { expected, met, received, accepted, refused } = sumOf(watch.ended(endMs));
        expect({ expected, met, received, accepted, refused }).toEqual(replayed(all, beginMs, endMs, POLLED.intervalMs));
      }),
      { numRuns: 60 },
    );
  });

  /** Reads every ten seconds and a tenth more, as a poll with jitter does. */
  const poll = (watch: SourceWatch, fromMs: number, toMs: number): void => {
    for (let atMs = fromMs; atMs < toMs; atMs += 11 * SECOND_MS) watch.accept(atMs, null);
    watch.advance(toMs);
  };

  it("miss no slot of a source that is polled with jitter, and miss those of one that stops", () => {
    const watch = new SourceWatch(POLLED, always, NOON_MS);
    poll(watch, NOON_MS, NOON_MS + RECORD_QUARTER_MS);
    for (let nowMs = NOON_MS + RECORD_QUARTER_MS; nowMs <= NOON_MS + 2 * RECORD_QUARTER_MS; nowMs += SECOND_MS)
      watch.advance(nowMs);
    const [first, second] = watch.ended(NOON_MS + 2 * RECORD_QUARTER_MS);
    expect(first?.counts).toMatchObject({ expected: 90, met: 90 });
    // The last reading still counts for the slot after its own.
    expect(second?.counts).toMatchObject({ expected: 90, met: 1, received: 0 });
  });

  it("are given out once, when their quarter is over, and name the end of what was watched", () => {
    const watch = new SourceWatch(POLLED, always, NOON_MS);
    poll(watch, NOON_MS, NOON_MS + RECORD_QUARTER_MS + MINUTE_MS);
    expect(watch.ended(NOON_MS + RECORD_QUARTER_MS - 1)).toEqual([]);
    expect(watch.ended(NOON_MS + RECORD_QUARTER_MS)).toMatchObject([
      { startsAtMs: NOON_MS, counts: { untilMs: NOON_MS + RECORD_QUARTER_MS, lastAcceptedAtMs: NOON_MS + 81 * 11 * SECOND_MS } },
    ]);
    expect(watch.ended(NOON_MS + RECORD_QUARTER_MS)).toEqual([]);
  });

  it("leave out the time in which the writer did not run", () => {
    const watch = new SourceWatch(POLLED, always, NOON_MS);
    poll(watch, NOON_MS, NOON_MS + 5 * MINUTE_MS);
    // As after a machine was suspended.
    watch.advance(NOON_MS + 65 * MINUTE_MS);
    poll(watch, NOON_MS + 65 * MINUTE_MS, NOON_MS + 75 * MINUTE_MS);
    const sum = sumOf(watch.ended(NOON_MS + 75 * MINUTE_MS));
    expect(sum).toMatchObject({ expected: 90, met: 90, incidents: [] });
  });
});

describe("an incident", () => {
  const run = (watch: SourceWatch, fromMs: number, toMs: number): void => {
    for (let nowMs = fromMs; nowMs <= toMs; nowMs += SECOND_MS) watch.advance(nowMs);
  };
  const incidentsOf = (watch: SourceWatch, atMs: number) => sumOf(watch.ended(atMs)).incidents;

  it("begins when the last accepted reading is no longer fresh, and ends with the next, over quarters", () => {
    const watch = new SourceWatch(POLLED, always, NOON_MS);
    watch.accept(NOON_MS + 30 * SECOND_MS, null);
    run(watch, NOON_MS, NOON_MS + 20 * MINUTE_MS);
    watch.accept(NOON_MS + 20 * MINUTE_MS + 500, null);
    for (let atMs = NOON_MS + 20 * MINUTE_MS; atMs < NOON_MS + 2 * RECORD_QUARTER_MS; atMs += 10 * SECOND_MS)
      watch.accept(atMs, null);
    watch.advance(NOON_MS + 2 * RECORD_QUARTER_MS);
    expect(incidentsOf(watch, NOON_MS + 2 * RECORD_QUARTER_MS)).toEqual([
      { kind: "silent", fromMs: NOON_MS + 90 * SECOND_MS, toMs: NOON_MS + 20 * MINUTE_MS + 500 },
    ]);
  });

  it("is open while it lasts, and says so when readings arrived but were refused", () => {
    const watch = new SourceWatch(POLLED, always, NOON_MS);
    for (let atMs = NOON_MS; atMs < NOON_MS + RECORD_QUARTER_MS; atMs += 10 * SECOND_MS) watch.refuse(atMs, "jump");
    watch.advance(NOON_MS + RECORD_QUARTER_MS);
    expect(incidentsOf(watch, NOON_MS + RECORD_QUARTER_MS)).toEqual([
      { kind: "refused", fromMs: NOON_MS + MINUTE_MS, toMs: null },
    ]);
  });

  it("ends when the market closes, and closed hours make none", () => {
    const closesMs = NOON_MS + 5 * MINUTE_MS;
    const watch = new SourceWatch(POLLED, (atMs) => atMs < closesMs, NOON_MS);
    run(watch, NOON_MS, NOON_MS + 2 * RECORD_QUARTER_MS);
    expect(incidentsOf(watch, NOON_MS + 2 * RECORD_QUARTER_MS)).toEqual([
      { kind: "silent", fromMs: NOON_MS + MINUTE_MS, toMs: closesMs },
    ]);
  });

  it("of an earlier term ends where that term's record does, and silence counts from the new term on", () => {
    const recorded: Recorded = {
      untilMs: NOON_MS - 4 * RECORD_QUARTER_MS,
      lastAcceptedAtMs: NOON_MS - 9 * RECORD_QUARTER_MS,
      incidents: [{ kind: "silent", fromMs: NOON_MS - 8 * RECORD_QUARTER_MS, toMs: null }],
    };
    const watch = new SourceWatch(POLLED, always, NOON_MS, recorded);
    run(watch, NOON_MS, NOON_MS + RECORD_QUARTER_MS);
    expect(incidentsOf(watch, NOON_MS + RECORD_QUARTER_MS)).toEqual([
      { kind: "silent", fromMs: NOON_MS - 8 * RECORD_QUARTER_MS, toMs: NOON_MS - 4 * RECORD_QUARTER_MS },
      { kind: "silent", fromMs: NOON_MS + MINUTE_MS, toMs: null },
    ]);
  });
});
