/**
 * `npm test`, `npm run test:unit` and `npm run test:long`: builds, runs the suites, prints which engines ran and what was
 * skipped, and ends with the count. Arguments are passed to vitest: `npm test -- packages/db -t lease --reporter=verbose`.
 * With TEST_DAY everything runs on that day; the long run, unless it was given arguments, ends with a dozen other days,
 * as far as they fit into its hour.
 */
import { spawnSync } from "node:child_process";
import { parseCLI, startVitest } from "vitest/node";
import { build } from "./build.mjs";
import { environmentOn, faketime, NO_FAKETIME } from "./test/day.mjs";
import { runDays } from "./test/days.mjs";
import { report, tally } from "./test/tally.mjs";
import { ROOT } from "./workspaces.mjs";

const end = (result) => {
  process.stdout.write(`\n${report(result, process.env).join("\n")}\n`, () => process.exit(result.failed === 0 ? 0 : 1));
};

const FAILED_AT_ONCE = {
  passed: 0,
  failed: 1,
  skipped: 0,
  reasons: [],
  engines: { embedded: 0, postgresql: 0, redis: 0 },
  browser: 0,
};

/** `--built` is for runs that this program starts itself. */
const own = new Set(["--long", "--unit", "--built"]);
const asked = process.argv.slice(2);
const [isUnit, isLong, isBuilt] = ["--unit", "--long", "--built"].map((name) => asked.includes(name));
const { TEST_DAY } = process.env;

/**
 * Runs this program on another day, and ends with it. It was built on the true one: the prepared history belongs to that.
 * @throws Error when TEST_DAY is no instant, or libfaketime is missing
 */
const runOnDay = () => {
  const library = faketime();
  if (library === null) throw new Error(`TEST_DAY needs libfaketime: ${NO_FAKETIME}`);
  const env = { ...process.env, ...environmentOn(TEST_DAY, library, Date.now()) };
  process.stdout.write(`every clock is moved to ${TEST_DAY}\n`);
  const { status } = spawnSync(process.execPath, [import.meta.filename, "--built", ...asked], { env, stdio: "inherit" });
  process.exit(status ?? 1);
};

const { filter, options } = parseCLI(["vitest", "run", ...asked.filter((argument) => !own.has(argument))]);
const { "--": rest = [], reporter = "default", ...flags } = options;

// Unit suites run from source; those over real processes run compiled code.
const isReady = isUnit || isBuilt || (await build());
if (isReady && TEST_DAY && !isBuilt) {
  try {
    runOnDay();
  } catch (error) {
    process.stdout.write(`${error.message}\n`);
    end(FAILED_AT_ONCE);
  }
} else if (isReady) {
  let result = FAILED_AT_ONCE;
  const counting = { onTestRunEnd: (modules, unhandled) => (result = tally(modules, unhandled)) };
  const vitest = await startVitest("test", [...filter, ...rest], {
    ...flags,
    ...(isUnit ? { project: "unit" } : {}),
    ...(isLong ? { mode: "long" } : {}),
    root: ROOT,
    run: true,
    watch: false,
    reporters: [...[reporter].flat(), counting],
  });
  await vitest.close();
  if (isLong && !TEST_DAY && asked.length === 1) {
    const { passed, failed } = await runDays();
    result = { ...result, passed: result.passed + passed, failed: result.failed + failed };
  }
  // A run that finds no tests proves nothing.
  end(result.passed + result.failed === 0 ? FAILED_AT_ONCE : result);
} else {
  process.stdout.write("the build failed; no test ran\n");
  end(FAILED_AT_ONCE);
}
