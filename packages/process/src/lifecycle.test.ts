/** How a process exits when its start fails. */
import { parseSettings } from "@assay/config";
import { describe, expect, test, vi } from "vitest";
import { endFailedStart, Lifecycle } from "./lifecycle.ts";

class Ended extends Error {}

const ended = (error: unknown): { lines: unknown[]; codes: unknown[] } => {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const exit = vi.spyOn(process, "exit").mockImplementation(() => {
    throw new Ended();
  });
  try {
    expect(() => endFailedStart(error)).toThrow(Ended);
    return { lines: write.mock.calls.map(([line]) => line), codes: exit.mock.calls.map(([code]) => code) };
  } finally {
    write.mockRestore();
    exit.mockRestore();
  }
};

const thrownBy = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

describe("a failed start", () => {
  test("with a wrong setting ends with exit 1 and exactly one line", () => {
    const error = thrownBy(() => parseSettings({ PORT: "eighty" }));
    const line = 'PORT is "eighty"; expected a port from 0 to 65535 (0 is any free one)\n';
    expect(ended(error)).toEqual({ lines: [line], codes: [1] });
  });

  test("with a program error ends with exit 1 and its stack", () => {
    const fault = new TypeError("a fault");
    expect(ended(fault)).toEqual({ lines: [`${fault.stack}\n`], codes: [1] });
  });
});

test("a part that is stuck ends the process with exit 1, once the others are closed", async () => {
  const faults: unknown[] = [];
  const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never); // it goes on in the test
  try {
    const lifecycle = new Lifecycle((error, message) => faults.push([error, message]));
    const closed: string[] = [];
    lifecycle.add("the API", async () => void closed.push("the API"));
    const stuck = new Error("the term did not end");
    expect(lifecycle.isStuck).toBe(false);
    lifecycle.endStuck(stuck);
    expect([lifecycle.isStuck, lifecycle.isEnding]).toEqual([true, true]);
    await vi.waitFor(() => expect(exit.mock.calls).toEqual([[1]]));
    expect(closed).toEqual(["the API"]);
    expect(faults).toEqual([[stuck, "only a restart helps; exiting"]]);
  } finally {
    exit.mockRestore();
  }
});
