/** Counts the tests of a vitest run: passed, failed and skipped, and how many ran on each engine. */

/** A test that needs a server names it in its title or a group's title; all others run on the embedded engines. */
const SERVERS = { PostgreSQL: /postgres/i, Redis: /redis/i };

/** Browser tests are counted separately: they are skipped when no browser is installed. */
const BROWSER = /chromium/i;

const stateOf = (test) => test.result().state;

/** Why a test was skipped: its own reason, or what its group says it needs. */
const reasonOf = (test) =>
  test.result().note?.replace(/^The test run was aborted.*/, "no time was left") ?? test.meta().needs ?? "left out by a filter";

/** How many times each reason was given, most frequent first. */
const countReasons = (skipped) => {
  const counts = new Map();
  for (const test of skipped) counts.set(reasonOf(test), (counts.get(reasonOf(test)) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
};

/** Errors in files that could not be collected, or outside of any test, fail the run too. */
const strayFaults = (modules, unhandled) =>
  unhandled.length +
  modules.filter(
    (module) => module.state() === "failed" && ![...module.children.allTests()].some((test) => stateOf(test) === "failed"),
  ).length;

/**
 * Counts a run.
 * @param modules vitest's test modules
 * @param unhandled errors outside of any test
 */
export const tally = (modules, unhandled) => {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const skipped = tests.filter((test) => stateOf(test) === "skipped");
  const passed = tests.filter((test) => stateOf(test) === "passed");
  const on = (server) => passed.filter((test) => SERVERS[server].test(test.fullName)).length;
  const postgresql = on("PostgreSQL");
  const redis = on("Redis");
  const either = passed.filter((test) => Object.values(SERVERS).some((server) => server.test(test.fullName))).length;
  return {
    passed: passed.length,
    failed: tests.filter((test) => stateOf(test) === "failed").length + strayFaults(modules, unhandled),
    skipped: skipped.length,
    reasons: countReasons(skipped),
    engines: { embedded: passed.length - either, postgresql, redis },
    browser: passed.filter((test) => BROWSER.test(test.fullName)).length,
  };
};

const engineLine = (name, count, variable, isSet) =>
  isSet ? `${name}: ${count} tests` : `${name}: not run, because ${variable} is not set`;

/**
 * Prints what ran, the count last.
 * @param result a tally
 * @param env the environment variables of the run
 */
export const report = ({ passed, failed, skipped, reasons, engines, browser }, env) => [
  `embedded engines: ${engines.embedded} tests`,
  engineLine("PostgreSQL", engines.postgresql, "TEST_DATABASE_URL", Boolean(env.TEST_DATABASE_URL)),
  engineLine("Redis", engines.redis, "TEST_REDIS_URL", Boolean(env.TEST_REDIS_URL)),
  browser === 0 ? "browser: not run" : `browser: ${browser} tests`,
  ...(skipped > 0 ? [`${skipped} skipped:`] : []),
  ...reasons.map(([reason, count]) => `  ${count}: ${reason}`),
  `engines: embedded=${engines.embedded} postgresql=${engines.postgresql} redis=${engines.redis}`,
  `${passed} passed, ${failed} failed`,
];
