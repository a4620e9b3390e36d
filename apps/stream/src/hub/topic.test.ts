/** The ring of a name: what a resuming client must receive. */
import { makeTick } from "@assay/testkit";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SSE, WS } from "./codec.ts";
import { Entry, type Gap } from "./entry.ts";
import { Topic } from "./topic.ts";

const RING_MS = 300_000;
const entry = (seq: number, atMs = seq * 1_000, gap: Gap | null = null) =>
  Entry.ofTick("XAU-USD-SPOT", makeTick(seq, { computedAtMs: atMs }), gap);
const topicOf = (...entries: Entry[]) => {
  const topic = new Topic("XAU-USD-SPOT", RING_MS);
  for (const each of entries) topic.add(each);
  return topic;
};
/** What a client must receive, when asked as the newest arrives. */
const since = (topic: Topic, seq: number) => topic.since(seq, topic.newest?.atMs ?? 0);
const seqs = (entries: readonly Entry[]) => entries.map(({ seq }) => seq);

describe("a ring", () => {
  test("owes nothing before the first entry, and nothing to a client with the newest", () => {
    const nothing = { isAhead: false, gap: null, entries: [] };
    expect(since(topicOf(), 0)).toEqual(nothing);
    expect(since(topicOf(entry(5)), 5)).toEqual(nothing);
  });

  test("owes what follows, after a gap for what is no longer kept", () => {
    const topic = topicOf(...[4, 5, 6, 7].map((seq) => entry(seq)));
    expect(seqs(since(topic, 5).entries)).toEqual([6, 7]);
    expect(since(topic, 3).gap).toBeNull();
    expect(since(topic, 2)).toMatchObject({ gap: { fromSeq: 3, toSeq: 3, reason: "expired" } });
    expect(seqs(since(topic, 2).entries)).toEqual([4, 5, 6, 7]);
  });

  test("passes on a gap of the service's own as part of what follows", () => {
    const topic = topicOf(entry(4), entry(9, 9_000, { fromSeq: 5, toSeq: 8, reason: "missed" }), entry(10));
    expect(since(topic, 3).gap).toBeNull();
    expect(since(topic, 3).entries[1]?.gap).toEqual({ fromSeq: 5, toSeq: 8, reason: "missed" });
  });

  test("owes of a gap of the service's own what the client lacks, once", () => {
    const topic = topicOf(entry(4), entry(9, 9_000, { fromSeq: 5, toSeq: 8, reason: "missed" }), entry(10));
    for (const [seq, fromSeq] of [
      [4, 5],
      [6, 7],
    ] as const) {
      const { gap, entries } = since(topic, seq);
      expect(gap).toEqual({ fromSeq, toSeq: 8, reason: "missed" });
      expect(entries.map((each) => [each.seq, each.gap])).toEqual([
        [9, null],
        [10, null],
      ]);
    }
    expect(since(topic, 8)).toMatchObject({ gap: null, entries: [{ seq: 9, gap: null }, { seq: 10 }] });
    // What came before its gap is no longer kept.
    expect(since(topicOf(entry(9, 9_000, { fromSeq: 5, toSeq: 8, reason: "missed" })), 2).gap).toEqual({
      fromSeq: 3,
      toSeq: 8,
      reason: "expired",
    });
  });

  test("restarts with a restarted numbering", () => {
    const topic = topicOf(entry(90), entry(91), entry(3, 200_000));
    expect(topic.newest?.seq).toBe(3);
    expect(seqs(since(topic, 2).entries)).toEqual([3]);
  });

  test("keeps the encodings of its newest entry alone, and makes the others again", () => {
    const first = entry(4);
    const topic = topicOf(first);
    const [frame, snapshot] = [first.encoded(WS), first.snapshot(SSE)];
    expect(first.encoded(WS)).toBe(frame);
    expect(first.snapshot(SSE)).toBe(snapshot);
    topic.add(entry(5));
    expect(first.encoded(WS)).toEqual(frame);
    expect(first.encoded(WS)).not.toBe(frame);
    expect(first.snapshot(SSE)).toEqual(snapshot);
    expect(first.snapshot(SSE)).not.toBe(snapshot);
  });

  test("owes nothing yet to a client that may be ahead of it", () => {
    const ahead = { isAhead: true, gap: null, entries: [] };
    expect(since(topicOf(entry(5)), 6)).toEqual(ahead);
    expect(topicOf(entry(5)).since(205, 5_000 + 14_000)).toEqual(ahead);
    expect(since(topicOf(), 5)).toEqual(ahead);
  });

  test("says so to a client that names a number that cannot exist", () => {
    expect(since(topicOf(entry(5)), 66)).toMatchObject({ gap: { fromSeq: 5, toSeq: 66, reason: "reset" } });
  });

  test("owes everything up to five minutes old after any number, and a gap for exactly what is older, whatever the pace", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 400 }), (pauses) => {
        let atMs = 0;
        const entries = pauses.map((pause, at) => {
          atMs += pause;
          return entry(at + 1, atMs);
        });
        const topic = topicOf(...entries);
        const young = entries.filter((each) => each.atMs >= atMs - RING_MS);
        const oldest = young[0]?.seq ?? 0;
        for (let seq = Math.max(0, oldest - 3); seq < entries.length; seq += 1) {
          const { gap, entries: missed } = since(topic, seq);
          expect(gap).toEqual(seq + 1 < oldest ? { fromSeq: seq + 1, toSeq: oldest - 1, reason: "expired" } : null);
          expect(seqs(missed)).toEqual(seqs(young).filter((each) => each > seq));
        }
      }),
    );
  });
});

describe("withdrawn ticks", () => {
  test("are not shown to later clients, and are named as a gap to returning ones", () => {
    const topic = topicOf(...[4, 5, 6, 7].map((seq) => entry(seq)));
    topic.show((seq) => seq < 6);
    expect(topic.shown).toBeNull();
    expect(since(topic, 4)).toEqual({ isAhead: false, gap: { fromSeq: 5, toSeq: 7, reason: "expired" }, entries: [] });
    topic.add(entry(8));
    topic.show((seq) => seq < 6 || seq > 7);
    expect(topic.shown?.seq).toBe(8);
    expect(since(topic, 4)).toMatchObject({ gap: { fromSeq: 5, toSeq: 7, reason: "expired" } });
    expect(seqs(since(topic, 4).entries)).toEqual([8]);
    expect(seqs(since(topic, 7).entries)).toEqual([8]);
  });
});
