import { describe, expect, it } from "vitest";
import { printedProgress } from "./progress.ts";

const printed = (everyMs: number, isAnnounced: boolean) => {
  const lines: string[] = [];
  const time = { nowMs: 0 };
  const progress = printedProgress({ print: (line) => lines.push(line), everyMs, isAnnounced }, () => time.nowMs);
  return { lines, time, progress };
};

describe("printedProgress", () => {
  it("prints a step, then its tenths, at most four a second, and no last one", () => {
    const { lines, time, progress } = printed(250, true);
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
    const { lines, progress } = printed(250, true);
    const step = progress.step("checking a.csv", 100);
    step.advance(100);
    step.done();
    expect(lines).toEqual(["checking a.csv"]);
  });

  it("prints a line every five seconds, never of more than is done", () => {
    const { lines, time, progress } = printed(5_000, false);
    const step = progress.step("history", 300);
    for (let index = 0; index < 13; index += 1) {
      time.nowMs += 1_000;
      step.advance(25);
    }
    step.done();
    expect(lines).toEqual(["history: 40%", "history: 80%"]);
  });

  it("prints nothing for a short step that was not announced", () => {
    const { lines, progress } = printed(5_000, false);
    progress.step("settlements", 10).advance(10);
    expect(lines).toEqual([]);
  });
});
