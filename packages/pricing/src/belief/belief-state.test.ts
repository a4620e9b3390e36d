import { MINUTE_MS } from "@assay/contract";
import { describe, expect, it } from "vitest";
import { BeliefRun, FRESH_MS, sourceOf } from "../testing/belief-run.ts";
import { isShown, isUnconfirmed, isWorthStoring, PROBATION_MS } from "./belief-state.ts";

const NOW = Date.UTC(2026, 10, 20, 14);
const THREE = ["a", "b", "c"].map((key) => sourceOf(key));

describe("a price without confirmation", () => {
  const alone = (): BeliefRun => {
    const run = new BeliefRun(THREE);
    run.hear({ a: "43920" }, NOW);
    run.hear({ a: "43920" }, NOW + 30_000);
    return run;
  };

  it("says so until two witnesses agree, and keeps its ticks then", () => {
    const run = alone();
    expect(isUnconfirmed(run.state)).toBe(true);
    run.hear({ b: "43900" }, NOW + 31_000);
    expect(isUnconfirmed(run.state)).toBe(false);
    expect(run.state).toMatchObject({ hidden: false, withdrawn: [], anchor: { by: ["b", "a"] } });
  });

  it("is hidden while another disputes it, and shown again when a third agrees", () => {
    const run = alone();
    run.hear({ b: "4392" }, NOW + 31_000);
    expect([run.state.hidden, run.published, isShown(run.state, 1)]).toEqual([true, null, false]);
    run.hear({ c: "43915" }, NOW + 32_000);
    expect([run.state.hidden, isShown(run.state, 1), run.published?.seq]).toEqual([false, true, 2]);
  });

  it("is withdrawn for good when the majority contradicts it, by numbers, and over a restart", () => {
    const run = alone();
    run.hear({ b: "4392" }, NOW + 31_000);
    run.hear({ c: "4391" }, NOW + 32_000);
    run.restart();
    expect(run.state.withdrawn).toEqual([{ fromSeq: 1, toSeq: 1, atMs: NOW + 32_000 }]);
    expect([isShown(run.state, 1), isShown(run.state, 2), run.published?.seq]).toEqual([false, true, 2]);
  });

  it("locks no one out when its source falls silent: another one alone takes its place, unconfirmed", () => {
    const run = alone();
    const later = NOW + 30_000 + FRESH_MS + 1;
    expect(run.hear({ b: "4392" }, later).verdict).toBe("waiting");
    expect(run.hear({ b: "4392" }, later + 30_000).verdict).toBe("unconfirmed");
    expect(run.state.withdrawn).toMatchObject([{ fromSeq: 1, toSeq: 1 }]);
  });
});

describe("a confirmed price", () => {
  it("of wrong witnesses that came first is withdrawn when more of others contradict it, within the hour", () => {
    const run = new BeliefRun(["a", "b", "c", "d", "e"].map((key) => sourceOf(key)));
    expect(run.hear({ a: "43920", b: "43921" }, NOW).verdict).toBe("waiting");
    expect(run.hear({ a: "43920", b: "43921" }, NOW + 30_000).verdict).toBe("confirmed");
    run.hear({ c: "4392", d: "4391" }, NOW + 35_000);
    expect([run.state.hidden, run.published]).toEqual([true, null]);
    run.hear({ e: "4390" }, NOW + 36_000);
    expect(run.state.withdrawn).toMatchObject([{ fromSeq: 1, toSeq: 1 }]);
    expect(run.published?.price).toBe("4391.0");
  });

  it("of more witnesses stays when fewer others are all that is left, and their own price goes once they are outvoted", () => {
    const run = new BeliefRun(["a", "b", "c", "d", "e", "f"].map((key) => sourceOf(key)));
    const MINUTES = 59;
    for (let minute = 0; minute < MINUTES; minute += 1)
      run.hear({ a: "52.10", b: "52.11", c: "52.12", d: "52.13" }, NOW + minute * MINUTE_MS);
    const pausedMs = NOW + (MINUTES - 1) * MINUTE_MS + FRESH_MS;
    // Half a minute without the past on their side; then they are two of three.
    run.hear({ e: "45.00", f: "45.01" }, pausedMs + 1);
    expect(run.hear({ e: "45.02", f: "45.01" }, pausedMs + 30_001)).toMatchObject({ verdict: "confirmed", by: ["f", "e"] });
    expect(run.state.withdrawn).toEqual([]);
    run.hear({ a: "52.10", b: "52.11", c: "52.12", d: "52.13" }, pausedMs + 40_000);
    expect(run.state.withdrawn).toMatchObject([{ fromSeq: MINUTES + 1, toSeq: MINUTES + 1 }]);
    expect([isShown(run.state, MINUTES), run.published?.price]).toEqual([true, "52.115"]);
  });

  it("ends with a leap of some of its own witnesses: that is a run of its own, and withdrawn when the others are back", () => {
    const run = new BeliefRun(["a", "b", "c", "d", "e"].map((key) => sourceOf(key)));
    run.hear({ a: "4390", b: "4391", c: "4392", d: "4391", e: "4390" }, NOW);
    const alone = NOW + FRESH_MS + 1;
    run.hear({ a: "3290", b: "3291" }, alone);
    expect(run.hear({ a: "3290", b: "3291" }, alone + 30_000).verdict).toBe("confirmed");
    expect(run.published?.price).toBe("3290.5");
    run.hear({ c: "4392", d: "4391", e: "4390" }, alone + 60_000);
    expect(run.state.withdrawn).toMatchObject([{ fromSeq: 2, toSeq: 2 }]);
    expect([isShown(run.state, 1), run.published?.price]).toEqual([true, "4391.0"]);
  });

  it("stays when only its own witness begins to say something else", () => {
    const run = new BeliefRun(THREE);
    run.hear({ a: "4392", b: "4391" }, NOW);
    expect(run.hear({ a: "43920" }, NOW + FRESH_MS + 1).verdict).toBe("disputed");
    expect([run.state.hidden, run.published?.seq]).toEqual([false, 1]);
  });

  it("is past its probation after an hour", () => {
    const run = new BeliefRun(THREE);
    run.hear({ a: "4392", b: "4391" }, NOW);
    expect(run.state.probation?.untilMs).toBe(NOW + PROBATION_MS);
    run.hear({ a: "4392", b: "4391" }, NOW + PROBATION_MS + 1);
    expect(run.state.probation).toBeNull();
  });
});

describe("the anchor", () => {
  it("moves with two current witnesses and never with one, so that a creeping price confirms nothing", () => {
    const run = new BeliefRun(THREE);
    run.hear({ a: "4000", b: "4000" }, NOW);
    for (let step = 1; step <= 5; step++) run.hear({ a: String(4_000 + 180 * step) }, NOW + FRESH_MS + step);
    expect(run.state.anchor).toMatchObject({ price: "4000" });
    expect(isUnconfirmed(run.state)).toBe(true);
    expect(run.hear({ b: "4005" }, NOW + FRESH_MS + 10)).toMatchObject({ verdict: "confirmed", price: "4005", refused: [{}] });
    expect(run.state.withdrawn).toHaveLength(1);
  });
});

it("a state is stored when it changes what is shown, and once a minute for the anchor's sake", () => {
  const run = new BeliefRun(THREE);
  run.hear({ a: "4392", b: "4391" }, NOW);
  const stored = run.state;
  run.hear({ a: "4393" }, NOW + 59_999);
  expect([isWorthStoring(undefined, stored), isWorthStoring(stored, run.state)]).toEqual([true, false]);
  run.hear({ a: "4393" }, NOW + 60_000);
  expect(isWorthStoring(stored, run.state)).toBe(true);
  expect(isWorthStoring(stored, { ...stored, hidden: true })).toBe(true);
});
