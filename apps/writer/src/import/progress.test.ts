import { describe, expect, it } from "vitest";
import { lineProgress } from "./progress.ts";

describe("lineProgress", () => {
  it("prints a step, then its tenths, at most four a second, and no last one", () => {
    const lines: string[] = [];
    let nowMs = 0;
    const step = lineProgress(
      (line) => void lines.push(line),
      () => nowMs,
    ).step("writing a.csv", 1_000);
    for (let index = 0; index < 100; index++) {
      nowMs += 10;
      step.advance(10);
    }
    step.done();
    // A tenth takes 100 ms here.
    expect(lines).toEqual(["", ": 20%", ": 50%", ": 70%"].map((share) => `writing a.csv${share}`));
  });

  it("prints nothing more of a step that is done at once", () => {
    const lines: string[] = [];
    const step = lineProgress(
      (line) => void lines.push(line),
      () => 0,
    ).step("checking a.csv", 100);
    step.advance(100);
    step.done();
    expect(lines).toEqual(["checking a.csv"]);
  });
});
