/** A minute of mixed load: every answer valid, and no sequence number lost. */
import { expect, it, vi } from "vitest";
import { slopePerHour } from "../measure/statistics.ts";
import { loadFor } from "./load.ts";

vi.setConfig({ testTimeout: 400_000 });

it("the slope of memory is that of a line through the samples", () => {
  expect(slopePerHour([10, 11, 12, 13], 1_000)).toBeCloseTo(3_600);
  expect(slopePerHour([5, 5, 5], 1_000)).toBe(0);
});

it("answers a minute of mixed load at four fifths of its peak without an error", async () => {
  const figures = await loadFor(60_000);
  for (const { what, value, unit, raw } of figures) console.info(`${what}: ${value.toFixed(2)} ${unit} (${raw})`);
  expect(figures).toHaveLength(3);
});
