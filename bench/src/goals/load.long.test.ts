/** A minute of mixed load: every answer valid, and no sequence number lost. */
import { expect, it, vi } from "vitest";
import type { Finding } from "../bench.ts";
import { slopePerHour } from "../measure/statistics.ts";
import { loadOnce } from "./load.ts";

vi.setConfig({ testTimeout: 400_000 });

it("the slope of memory is that of a line through the samples", () => {
  expect(slopePerHour([10, 11, 12, 13], 1_000)).toBeCloseTo(3_600);
  expect(slopePerHour([5, 5, 5], 1_000)).toBe(0);
});

it("answers a minute of mixed load at four fifths of its peak without an error", async () => {
  const findings: Finding[] = [];
  const faults = await loadOnce({ report: (finding) => void findings.push(finding) }, 60_000);
  for (const { what, figure, unit, raw } of findings) console.info(`${what}: ${figure.toFixed(2)} ${unit} (${raw})`);
  expect(faults).toEqual([]);
  expect(findings).toHaveLength(3);
});
