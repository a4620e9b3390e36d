/** The time of the long run: its order, and what it names. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { endsAfter, FixedOrder } from "./time.mjs";

const MINUTE_MS = 60_000;
const project = { name: "long" };
const RESULTS = { cancelled: { state: "skipped", note: "The test run was aborted by the user." } };
const moduleOf = (path, ...states) => ({
  project,
  relativeModuleId: path,
  children: { allTests: () => states.map((state) => ({ result: () => RESULTS[state] ?? { state } })).values() },
});

describe("the order", () => {
  it("begins with the suites of whole failures and is the same on every machine", () => {
    const files = ["/r/e2e/b.long.test.ts", "/r/e2e/crash.long.test.ts", "/r/e2e/a.long.test.ts", "/r/e2e/failures.long.test.ts"];
    const sorted = FixedOrder.prototype.sort(files.map((moduleId) => ({ moduleId })));
    expect(sorted.map(({ moduleId }) => moduleId.slice("/r/e2e/".length, -".long.test.ts".length))).toEqual([
      "failures",
      "crash",
      "a",
      "b",
    ]);
  });
});

describe("a run that may take a minute", () => {
  const cancelled = vi.fn();
  let printed;
  let run;
  beforeEach(() => {
    vi.useFakeTimers();
    cancelled.mockReset();
    printed = "";
    vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      printed += text;
      return true;
    });
    run = endsAfter(MINUTE_MS);
    run.onInit({ config: { root: "/r" }, cancelCurrentRun: cancelled });
    run.onTestRunStart(["a", "b", "c", "d"].map((name) => ({ project, moduleId: `/r/${name}` })));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  it("names nothing when it ends in time, whatever was skipped", () => {
    for (const name of ["a", "b", "c", "d"]) run.onTestModuleEnd(moduleOf(name, "passed", "skipped"));
    run.onTestRunEnd();
    vi.advanceTimersByTime(2 * MINUTE_MS);
    expect([cancelled.mock.calls.length, run.isOver(), printed]).toEqual([0, false, ""]);
  });

  it("is cancelled when it is over; those that were cut off and those that never began are named", () => {
    run.onTestModuleEnd(moduleOf("a", "passed", "skipped"));
    vi.advanceTimersByTime(MINUTE_MS);
    expect([cancelled.mock.calls.length, run.isOver()]).toEqual([1, true]);
    run.onTestModuleEnd(moduleOf("b", "passed", "cancelled"));
    run.onTestModuleEnd(moduleOf("c", "passed", "pending"));
    run.onTestRunEnd();
    expect(printed).toBe("not run, for want of time: long b, long c, long d\n");
  });

  it("does not name one whose last test was running when the time ended, or whose others need what is not there", () => {
    for (const name of ["a", "b", "d"]) run.onTestModuleEnd(moduleOf(name, "passed"));
    vi.advanceTimersByTime(MINUTE_MS);
    run.onTestModuleEnd(moduleOf("c", "failed", "skipped"));
    run.onTestRunEnd();
    expect(printed).toBe("");
  });
});
