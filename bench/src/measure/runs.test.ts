import { describe, expect, it } from "vitest";
import type { Finding } from "../bench.ts";
import { mergeRuns } from "./runs.ts";

const QUIET = { others: 0, stolen: 0 };
const found = (what: string, figure: number): Finding => ({ id: "P1", what, figure, unit: "×", raw: `raw of ${figure}` });

describe("several runs", () => {
  it("give the median with its own raw figures, and every figure for the spread", () => {
    const [spot, bars] = mergeRuns([found("spot", 3), found("bars", 7), found("spot", 1), found("spot", 2)], QUIET);
    expect(spot).toEqual({ finding: found("spot", 2), figures: [1, 2, 3], use: QUIET });
    expect(bars?.figures).toEqual([7]);
  });
});
