/** Counts what a vitest run did: tests that passed, failed and were left out, and how many ran on each engine. */

/** A test that needs a server names it in its title or a group's title; every other one runs on the embedded engines. */
const SERVERS = { PostgreSQL: /postgres/i, Redis: /redis/i };

/** Tests in a browser are told apart too: they are left out where none is installed. */
const BROWSER = /chromium/i;

const stateOf = (test) => test.result().state;

/** What lies in files that could not be collected, or happened outside of any test, fails the run too. */
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
  const passed = tests.filter((test) => stateOf(test) === "passed");
  const on = (server) => passed.filter((test) => SERVERS[server].test(test.fullName)).length;
  const postgresql = on("PostgreSQL");
  const redis = on("Redis");
  const either = passed.filter((test) => Object.values(SERVERS).some((server) => server.test(test.fullName))).length;
  return {
    passed: passed.length,
    failed: tests.filter((test) => stateOf(test) === "failed").length + strayFaults(modules, unhandled),
    skipped: tests.filter((test) => stateOf(test) === "skipped").length,
    engines: { embedded: passed.length - either, postgresql, redis },
    browser: passed.filter((test) => BROWSER.test(test.fullName)).length,
  };
};

const engineLine = (name, count, variable, isSet) =>
  isSet ? `${name}: ${count} tests` : `${name}: not run, because ${variable} is not set`;

/**
 * Says what ran, the count last.
 * @param result a tally
 * @param env the environment of the run
 */
export const report = ({ passed, failed, skipped, engines, browser }, env) => [
  `embedded engines: ${engines.embedded} tests`,
  engineLine("PostgreSQL", engines.postgresql, "TEST_DATABASE_URL", Boolean(env.TEST_DATABASE_URL)),
  engineLine("Redis", engines.redis, "TEST_REDIS_URL", Boolean(env.TEST_REDIS_URL)),
  browser === 0 ? "browser: not run" : `browser: ${browser} tests`,
  ...(skipped > 0 ? [`${skipped} skipped; each said why above`] : []),
  `engines: embedded=${engines.embedded} postgresql=${engines.postgresql} redis=${engines.redis}`,
  `${passed} passed, ${failed} failed`,
];
