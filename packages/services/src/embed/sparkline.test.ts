import { fraction } from "@assay/pricing";
import { describe, expect, it } from "vitest";
import { drawSparkline } from "./sparkline.ts";

const pointsOf = (closes: readonly string[], newest: string | null = null): number[][] =>
  drawSparkline(closes.map(fraction), newest === null ? null : fraction(newest))
    ?.points.split(" ")
    .map((point) => point.split(",").map(Number)) ?? [];

describe("a line of closes", () => {
  it("goes from edge to edge, as high as its highest and as low as its lowest", () => {
    expect(pointsOf(["10", "30", "20"])).toEqual([
      [2, 38],
      [120, 2],
      [238, 20],
    ]);
    expect(pointsOf(["10", "30"], "20")).toEqual(pointsOf(["10", "30", "20"]));
  });

  it("is level when nothing moved, and none when there is one point only", () => {
    expect(pointsOf(["5", "5"]).map(([, y]) => y)).toEqual([20, 20]);
    expect(drawSparkline([fraction("5")], null)).toBeNull();
    expect(drawSparkline([], null)).toBeNull();
  });
});
