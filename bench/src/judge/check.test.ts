import { describe, expect, it } from "vitest";
import { NotMeasured } from "../goal.ts";
import type { BaselineFigure } from "./baseline.ts";
import { judge, summaryOf } from "./check.ts";
import type { Measured } from "./runs.ts";

const FLOOR = 10;
const base: BaselineFigure = { id: "P1", what: "spot", at: [{ floor: FLOOR, figure: 1 }], margin: 0.2 };
const measured = (value: number, others = 0, isCount?: true): Measured[] => [
  {
    figure: { what: "spot", value, unit: "×", raw: "1 against 1", ...(isCount && { isCount }) },
    values: [value],
    use: { others, stolen: 0 },
  },
];

describe("a figure of the baseline", () => {
  it("passes within its margin and fails beyond it, with the figures it was computed from", () => {
    expect(judge(base, FLOOR, measured(1.19))).toEqual(["ok", "1.19, baseline 1.00, margin 20 % — 1 against 1"]);
    expect(judge(base, FLOOR, measured(1.21))[0]).toBe("WORSE");
  });

  it("is not judged on a busy machine, which is said, unless it is counted", () => {
    expect(judge(base, FLOOR, measured(9, 0.5))).toEqual(["not judged", expect.stringContaining("other processes used 50 %")]);
    expect(judge(base, FLOOR, measured(9, 0.5, true))[0]).toBe("WORSE");
  });

  it("is not judged when its goal cannot be measured here, and the reason is said", () => {
    expect(judge(base, FLOOR, new NotMeasured("no PostgreSQL server answers"))).toEqual([
      "not judged",
      "no PostgreSQL server answers",
    ]);
  });

  it("fails when nothing measures it any more", () => {
    expect(judge(base, FLOOR, [])).toEqual(["WORSE", "nothing measures it any more"]);
  });
});

describe("the last lines", () => {
  it("count what passed and failed, and name what did neither", () => {
    expect(summaryOf(["ok", "WORSE", "ok"])).toEqual(["2 passed, 1 failed"]);
    expect(summaryOf(["ok", "not judged"])).toEqual([
      "NOT JUDGED: 1 of 2 figures, neither passed nor failed",
      "1 passed, 0 failed",
    ]);
  });
});
