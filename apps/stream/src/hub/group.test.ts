/** Members that are ahead of this process. */
import { makeTick } from "@assay/testkit";
import { describe, expect, test } from "vitest";
import { Entry, type Gap } from "./entry.ts";
import { beyond, type Member } from "./group.ts";

const NAMED_MS = 1_000_000;
const member = (seq: number): Member => ({
  flushed: 0,
  group: null,
  pending: null,
  ahead: new Map([["XAU-USD-SPOT", { seq, atMs: NAMED_MS }]]),
  isIdle: () => true,
  write: () => undefined,
  onBlocked: () => undefined,
});
const entry = (seq: number, atMs: number, gap: Gap | null = null) =>
  Entry.ofTick("XAU-USD-SPOT", makeTick(seq, { computedAtMs: atMs }), gap);

describe("a member that is ahead", () => {
  test("gets nothing it has, then everything, from the same entries as the others", () => {
    const one = member(7);
    expect([5, 6, 7].map((seq) => beyond(one, entry(seq, NAMED_MS - 10_000 + seq)))).toEqual([null, null, null]);
    const next = entry(8, NAMED_MS + 500);
    expect(beyond(one, next)).toBe(next);
    expect(one.ahead).toBeNull();
  });

  test("learns of a restarted numbering from the first price later than what it can have", () => {
    const one = member(700);
    expect(beyond(one, entry(3, NAMED_MS + 1_000))).toBeNull();
    const anew = beyond(one, entry(9, NAMED_MS + 6_000));
    expect(anew).toMatchObject({ seq: 9, gap: { fromSeq: 9, toSeq: 700, reason: "reset" } });
    expect(one.ahead).toBeNull();
  });

  test("gets the part of a gap that it lacks", () => {
    const missed = (fromSeq: number, toSeq: number): Gap => ({ fromSeq, toSeq, reason: "missed" });
    expect(beyond(member(7), entry(12, NAMED_MS, missed(5, 11)))?.gap).toEqual(missed(8, 11));
    expect(beyond(member(7), entry(8, NAMED_MS, missed(5, 7)))?.gap).toBeNull();
    expect(beyond(member(7), entry(12, NAMED_MS, missed(9, 11)))?.gap).toEqual(missed(9, 11));
  });

  test("gets other names as they come", () => {
    const silver = Entry.ofTick("XAG-USD-SPOT", makeTick(2, { instrument: "XAG-USD-SPOT" }));
    expect(beyond(member(7), silver)).toBe(silver);
  });
});
