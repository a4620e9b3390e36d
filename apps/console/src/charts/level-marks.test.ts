import { describe, expect, it } from "vitest";
import { placed } from "./level-marks.ts";

const at = (middlePx: number, mark: string) => ({ mark, middlePx });

describe("numbers of alerts on a chart", () => {
  const leftsOf = (...marks: readonly ReturnType<typeof at>[]) =>
    Object.fromEntries(placed(marks, () => 14).map(({ mark, leftPx }) => [mark, leftPx]));

  it("stand at the left where their lines are apart", () => {
    expect(leftsOf(at(20, "1"), at(60, "2"))).toEqual({ 1: 4, 2: 4 });
  });

  it("stand beside each other where their lines are close, in the order of the lines", () => {
    expect(leftsOf(at(24, "2"), at(20, "1"), at(30, "3"), at(90, "4"))).toEqual({ 1: 4, 2: 21, 3: 38, 4: 4 });
  });
});
