import { describe, expect, it } from "vitest";
import type { Figure } from "../goal.ts";
import { mergeRuns } from "./runs.ts";

const QUIET = { others: 0, stolen: 0 };
const found = (what: string, value: number): Figure => ({ what, value, unit: "×", raw: `raw of ${value}` });

describe("several runs", () => {
  it("give the median with its own raw figures, and every value for the spread", () => {
    const [spot, bars] = mergeRuns([found("spot", 3), found("bars", 7), found("spot", 1), found("spot", 2)], QUIET);
    expect(spot).toEqual({ figure: found("spot", 2), values: [1, 2, 3], use: QUIET });
    expect(bars?.values).toEqual([7]);
  });
});
