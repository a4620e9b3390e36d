import { describe, expect, it } from "vitest";
import { printedProgress, steadyProgress } from "./progress.ts";

const printed = (everyMs: number) => {
  const lines: string[] = [];
  const time = { nowMs: 0 };
  const progress = printedProgress({ print: (line) => lines.push(line), everyMs }, () => time.nowMs);
  return { lines, time, progress };
};

describe("printedProgress", () => {
  it("prints a step, then its tenths, at most four a second, and no last one", () => {
    const { lines, time, progress } = printed(250);
    const step = progress.step("writing a.csv", 1_000);
    for (let index = 0; index < 100; index++) {
      time.nowMs += 10;
      step.advance(10);
    }
    step.done();
    // A tenth takes 100 ms here.
    expect(lines).toEqual(["", ": 20%", ": 50%", ": 70%"].map((share) => `writing a.csv${share}`));
  });

  it("prints nothing more for a step that is done at once", () => {
    const { lines, progress } = printed(250);
    const step = progress.step("checking a.csv", 100);
    step.advance(100);
    step.done();
    expect(lines).toEqual(["checking a.csv"]);
  });
});

describe("steadyProgress", () => {
  it("says every few seconds how far a step is, also while it does not advance, and nothing after its end", () => {
    const lines: string[] = [];
    const beats = new Set<() => void>();
    const progress = steadyProgress(
      (line) => lines.push(line),
      (everyMs, run) => {
        expect(everyMs).toBeLessThan(3_000);
        beats.add(run);
        return () => beats.delete(run);
      },
    );
    const beat = (): void => beats.forEach((run) => void run());
    const step = progress.step("building: bars", 300);
    beat();
    step.advance(100);
    beat();
    beat();
    step.advance(200);
    beat();
    step.done();
    beat();
    progress.step("building: nothing", 0).done();
    beat();
    expect(lines).toEqual(["building: bars: 0%", "building: bars: 33%", "building: bars: 33%", "building: bars: 99%"]);
  });
});
