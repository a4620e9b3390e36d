import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { gap, heartbeat, NOON_MS, physical, tick } from "../testing/frames.ts";
import { type Seen, Witness } from "../testing/reader.ts";
import { readFrame } from "./link.ts";
import { type NumberedFrame, Numbering } from "./numbering.ts";
import { type Item, Queue } from "./queue.ts";

const GOLD = "XAU-USD-SPOT";
const frameOf = (wire: object): NumberedFrame => readFrame(JSON.stringify(wire)) as NumberedFrame; // those created here are
const seenOf = (item: Item): Seen | null => {
  if (item.kind === "note") return null;
  if (item.kind === "gap") return { type: "gap", ...item };
  const isClose = item.event.type === "tick" && item.event.staleReason !== undefined;
  return { type: "value", name: item.name, seq: item.seq, isClose };
};
const brief = (items: readonly Item[]): string[] =>
  items.map((item) => {
    if (item.kind === "note") return item.event.type;
    return item.kind === "value" ? String(item.seq) : `${item.reason} ${item.fromSeq}-${item.toSeq}`;
  });

let numbering: Numbering;
beforeEach(() => {
  numbering = new Numbering();
  numbering.follow(GOLD);
});
const take = (...wires: object[]): string[] => wires.flatMap((wire) => brief(numbering.take(frameOf(wire), NOON_MS)));

describe("numbers of a name", () => {
  test("begin with whatever comes first", () => {
    expect(take(tick(41), tick(42))).toEqual(["41", "42"]);
    expect(numbering.seqOf(GOLD)).toBe(42);
  });

  test("come once, however often they are sent, and never out of order", () => {
    expect(take(tick(41), tick(41), tick(42), tick(41), tick(40), tick(42), tick(43))).toEqual(["41", "42", "43"]);
  });

  test("that are skipped are reported before the next, with the time that was missed", () => {
    numbering.take(frameOf(tick(41)), NOON_MS);
    const [missed] = numbering.take(frameOf(tick(45)), NOON_MS);
    expect(missed).toEqual({
      kind: "gap",
      name: GOLD,
      fromSeq: 42,
      toSeq: 44,
      reason: "missed",
      sinceMs: NOON_MS + 41_000,
      untilMs: NOON_MS + 45_000,
    });
  });

  test("that the service reports are not reported twice", () => {
    expect(take(tick(41), gap(42, 50, "expired"), gap(42, 50, "expired"), gap(30, 40, "missed"), tick(51))).toEqual([
      "41",
      "expired 42-50",
      "51",
    ]);
  });

  test("that were reported do not come later", () => {
    expect(take(tick(41), gap(42, 44, "missed"), tick(43), tick(45))).toEqual(["41", "missed 42-44", "45"]);
  });

  test("that the service reports in part are reported completely", () => {
    expect(take(tick(41), gap(44, 46, "slow_consumer"), tick(47))).toEqual(["41", "slow_consumer 42-46", "47"]);
  });

  test("known from a heartbeat are missed when they did not come", () => {
    expect(take(tick(41), heartbeat({ [GOLD]: 41 }), heartbeat({ [GOLD]: 43, "HG-USD-SPOT": 7 }), tick(44))).toEqual([
      "41",
      "heartbeat",
      "missed 42-43",
      "heartbeat",
      "44",
    ]);
  });

  test("continue after those the reader has from elsewhere", () => {
    numbering.forget(GOLD);
    numbering.follow(GOLD, { seq: 40, atMs: null });
    expect(take(tick(39), tick(40), tick(42))).toEqual(["missed 41-41", "42"]);
  });

  test("of names that are not followed are dropped", () => {
    numbering.forget(GOLD);
    expect(take(tick(41), gap(1, 2, "missed"), physical(3))).toEqual([]);
  });

  test("are counted by name: quotes and ticks apart", () => {
    numbering.follow("physical:AE");
    expect(take(tick(41), physical(7), tick(42), physical(9))).toEqual(["41", "7", "42", "missed 8-8", "9"]);
  });
});

describe("a restarted numbering", () => {
  test("is accepted when a later price comes under a lower number", () => {
    const later = NOON_MS + 100_000;
    expect(take(tick(41), gap(5, 41, "reset"), tick(5), tick(6, GOLD, later), tick(7, GOLD, later + 1))).toEqual([
      "41",
      "reset 6-41",
      "6",
      "7",
    ]);
  });

  test("is not accepted from a process that is a little behind: nothing is repeated", () => {
    expect(take(tick(40), tick(41), gap(40, 41, "reset"), tick(40), tick(41), tick(42))).toEqual(["40", "41", "42"]);
  });

  test("is detected without an announcement, so that the stream does not fall silent", () => {
    expect(take(tick(41), tick(1, GOLD, NOON_MS + 41_000 + 60_000), tick(1, GOLD, NOON_MS + 41_000 + 60_001))).toEqual([
      "41",
      "reset 1-41",
      "1",
    ]);
  });
});

describe("the price of a closed market", () => {
  const CLOSE_MS = NOON_MS + 600_000;
  const close = (seq: number, atMs = CLOSE_MS) => tick(seq, GOLD, atMs, { snapshot: true, stale_reason: "market_closed" });

  test("is delivered under a number the reader has already, without a gap", () => {
    expect(take(tick(41), close(41), tick(42))).toEqual(["41", "41", "42"]);
    expect(numbering.seqOf(GOLD)).toBe(42);
  });

  test("is delivered once, however often the stream connects again, and again when it changed or a tick came between", () => {
    expect(take(tick(41), close(41), close(41), close(41, CLOSE_MS + 1_000), close(41, CLOSE_MS + 1_000))).toEqual([
      "41",
      "41",
      "41",
    ]);
    expect(take(tick(42), close(42, CLOSE_MS + 1_000))).toEqual(["42", "42"]);
  });

  test("begins the numbers of a reader who has none, also when none was given out yet", () => {
    expect(take(close(0), tick(1, GOLD, CLOSE_MS + 90_000))).toEqual(["0", "1"]);
  });

  test("follows the gap that the service reports, and reveals one it does not", () => {
    expect(take(tick(41), gap(42, 49, "expired"), tick(50), close(50))).toEqual(["41", "expired 42-49", "50", "50"]);
    expect(take(close(53, CLOSE_MS + 1_000))).toEqual(["missed 51-52", "53"]);
  });

  test("under a lower number is delivered only after the service announced that the numbering restarted", () => {
    expect(take(tick(41), close(40))).toEqual(["41"]);
    expect(take(gap(7, 41, "reset"), close(7), tick(8, GOLD, CLOSE_MS + 1_000))).toEqual(["reset 7-41", "7", "8"]);
  });
});

describe("whatever comes, in whatever order", () => {
  const names = [GOLD, "XAG-USD-SPOT", "physical:AE"] as const;
  const seq = fc.integer({ min: 0, max: 30 });
  const name = fc.constantFrom(...names);
  const ms = fc.integer({ min: NOON_MS, max: NOON_MS + 200_000 });
  const reason = fc.constantFrom("expired", "missed", "slow_consumer", "reset");
  const wire = fc.oneof(
    { weight: 6, arbitrary: fc.tuple(seq, name, ms).map(([n, who, atMs]) => valueFrame(who, n, atMs)) },
    { weight: 6, arbitrary: fc.tuple(seq, name).map(([n, who]) => valueFrame(who, n, NOON_MS + n)) },
    fc.tuple(seq, ms).map(([n, atMs]) => tick(n, GOLD, atMs, { snapshot: true, stale_reason: "market_closed" })),
    fc.tuple(seq, seq, reason, name).map(([from, to, why, who]) => gap(from, to, why, who)),
    fc.dictionary(name, seq).map((seqs) => heartbeat(seqs)),
  );
  const valueFrame = (who: (typeof names)[number], n: number, atMs: number) =>
    who === "physical:AE" ? physical(n, who, atMs) : tick(n, who, atMs);
  /** A frame, and how much is read after it. */
  const steps = fc.array(fc.tuple(wire, fc.integer({ min: 0, max: 2 })), { maxLength: 150, size: "max" });

  /** Two restarts before the reader has read the first; the second begins above the reader's number. */
  const TWO_RESTARTS: [[object, number][], number] = [
    [
      [tick(0, GOLD, NOON_MS), 0],
      [tick(0, GOLD, NOON_MS + 60_001), 0],
      [heartbeat({}), 0],
      [tick(1, GOLD, NOON_MS), 1],
      [tick(0, GOLD, NOON_MS), 1],
      [tick(1, GOLD, NOON_MS + 120_002), 0],
    ],
    1,
  ];

  test("numbers rise, each skipped one was reported, and the last is accounted for, also when the reader is slow", () => {
    let conflated = 0;
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 20 }), (all, limit) => {
        const book = new Numbering();
        const queue = new Queue(limit);
        const witness = new Witness();
        for (const each of names) book.follow(each);
        const read = (item: Item | undefined): boolean => {
          if (item !== undefined) witness.see(seenOf(item));
          return item !== undefined;
        };
        for (const [frame, reads] of all) {
          const items = book.take(frameOf(frame), NOON_MS);
          const expected = queue.size + items.length;
          queue.push(items);
          if (queue.size < expected) conflated += 1;
          expect(queue.size).toBeLessThanOrEqual(Math.max(limit, names.length * 5 + 2));
          for (let at = 0; at < reads; at += 1) read(queue.shift());
        }
        while (read(queue.shift()));
        expect(witness.faults).toEqual([]);
        for (const each of names) expect(witness.accounted.get(each) ?? null).toBe(book.seqOf(each));
      }),
      { numRuns: 500, examples: [TWO_RESTARTS] },
    );
    expect(conflated).toBeGreaterThan(100);
  });
});
