/** Counting a run. */
import { describe, expect, test } from "vitest";
import { report, tally } from "./tally.mjs";

const testOf = (fullName, state, note) => ({ fullName, result: () => ({ state, note }), meta: () => ({}) });
const moduleOf = (state, ...tests) => ({ state: () => state, children: { allTests: () => tests.values() } });

const clean = moduleOf(
  "passed",
  testOf("pages joined equal the range", "passed"),
  testOf("reads on PostgreSQL > keeps every digit", "passed"),
  testOf("lease on redis > is held once", "passed"),
  testOf("a broker's own bars > agree", "skipped", "the bars are not here"),
  testOf("the documents in a browser (Chromium) > fit a phone", "passed"),
);

describe("the tally of a run", () => {
  test("counts each test by its state and its engine", () => {
    expect(tally([clean], [])).toEqual({
      passed: 4,
      failed: 0,
      skipped: 1,
      reasons: [["the bars are not here", 1]],
      engines: { embedded: 2, postgresql: 1, redis: 1 },
      browser: 1,
    });
  });

  test("counts a test once as failed, not its file again", () => {
    expect(tally([moduleOf("failed", testOf("a", "failed"), testOf("b", "passed"))], []).failed).toBe(1);
  });

  test("counts a file that cannot be collected, and an error outside of any test, as failures", () => {
    expect(tally([moduleOf("failed")], [new Error("late")]).failed).toBe(2);
  });

  test("does not credit an engine with tests that were left out or failed", () => {
    const away = moduleOf("failed", testOf("on redis", "skipped"), testOf("on PostgreSQL", "failed"));
    expect(tally([away], []).engines).toEqual({ embedded: 0, postgresql: 0, redis: 0 });
  });
});

describe("the report", () => {
  test("ends with the count and names the engines that did not run", () => {
    const lines = report(tally([clean], []), { TEST_REDIS_URL: "redis://127.0.0.1:6379" });
    expect(lines.at(-1)).toBe("4 passed, 0 failed");
    expect(lines).toContain("PostgreSQL: not run, because TEST_DATABASE_URL is not set");
    expect(lines).toContain("Redis: 1 tests");
    expect(lines).toContain("browser: 1 tests");
    expect(lines).toContain("1 skipped:");
    expect(lines).toContain("  1: the bars are not here");
    expect(report(tally([], []), {})).toContain("browser: not run");
    expect(lines).toContain("engines: embedded=2 postgresql=1 redis=1");
  });
});
