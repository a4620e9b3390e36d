import { describe, expect, it } from "vitest";
import { isBusy, type MachineReading, useBetween } from "./machine.ts";

const start: MachineReading = { capacityMs: 1_000, workMs: 500, stolenMs: 10, ownMs: 200 };

const after = (workMs: number, ownMs: number, stolenMs = 0): MachineReading => ({
  capacityMs: start.capacityMs + 20_000,
  workMs: start.workMs + workMs,
  ownMs: start.ownMs + ownMs,
  stolenMs: start.stolenMs + stolenMs,
});

describe("how busy the machine is", () => {
  it("counts the work of other processes, and not the benchmark's own", () => {
    expect(useBetween(start, after(15_000, 14_000))).toEqual({ others: 0.05, stolen: 0 });
  });

  it("is not judged beside others, nor when the host takes the CPU", () => {
    expect(isBusy(useBetween(start, after(15_000, 14_000)))).toBe(false);
    expect(isBusy(useBetween(start, after(15_000, 12_900)))).toBe(true);
    expect(isBusy(useBetween(start, after(15_000, 14_000, 1_100)))).toBe(true);
  });

  it("never reports negative work when processes are counted a little later than the machine", () => {
    expect(useBetween(start, after(5_000, 5_010)).others).toBe(0);
  });
});
