/** The ring of a name: what somebody who comes back is owed. */
import { makeTick } from "@assay/testkit";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
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
const seqs = (entries: readonly Entry[]) => entries.map(({ seq }) => seq);

describe("a ring", () => {
  test("owes nothing before the first entry, and nothing to whoever has the newest", () => {
    expect(topicOf().since(5)).toEqual({ gap: null, entries: [] });
    expect(topicOf(entry(5)).since(5)).toEqual({ gap: null, entries: [] });
  });

  test("owes what follows, or a gap up to the newest", () => {
    const topic = topicOf(...[4, 5, 6, 7].map((seq) => entry(seq)));
    expect(seqs(topic.since(5).entries)).toEqual([6, 7]);
    expect(topic.since(3).gap).toBeNull();
    expect(topic.since(2)).toMatchObject({ gap: { fromSeq: 3, toSeq: 6, reason: "expired" } });
    expect(seqs(topic.since(2).entries)).toEqual([7]);
  });

  test("passes on a gap of the service's own as part of what follows", () => {
    const topic = topicOf(entry(4), entry(9, 9_000, { fromSeq: 5, toSeq: 8, reason: "missed" }), entry(10));
    expect(topic.since(4)).toMatchObject({ gap: null });
    expect(topic.since(4).entries[0]?.gap).toEqual({ fromSeq: 5, toSeq: 8, reason: "missed" });
  });

  test("begins anew with a numbering that began anew", () => {
    const topic = topicOf(entry(90), entry(91), entry(3, 200_000));
    expect(topic.newest?.seq).toBe(3);
    expect(topic.since(91)).toMatchObject({ gap: { reason: "reset" } });
  });

  test("forgets what is older than five minutes before long, and nothing younger, whatever the pace", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 400 }), (pauses) => {
        let atMs = 0;
        const entries = pauses.map((pause, at) => {
          atMs += pause;
          return entry(at + 1, atMs);
        });
        const topic = topicOf(...entries);
        const kept = topic.since(0);
        const young = entries.filter((each) => each.atMs >= atMs - RING_MS);
        const oldest = young[0]?.seq ?? 0;
        expect(seqs(topic.since(oldest - 1).entries.slice(-young.length))).toEqual(seqs(young));
        expect(kept.entries.length).toBeLessThanOrEqual(2 * young.length + 1);
      }),
    );
  });
});
