/**
 * `npm test`, `npm run test:unit`, `test:e2e` and `test:long`: builds, runs the suites, prints which engines ran, what was skipped
 * and what it cost, and ends with the count. Arguments are passed to vitest: `npm test -- packages/db -t lease`. With `--dearest`
 * it lists the twenty files that cost most. TEST_DAY moves every clock to another day; LONG_MINUTES ends the long run in time.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseCLI, startVitest } from "vitest/node";
import { build } from "./build.mjs";
import { cpuLines, cpuSeconds } from "./test/cpu.mjs";
import { environmentOn, faketime, NO_FAKETIME } from "./test/day.mjs";
import { report, tally } from "./test/tally.mjs";
import { endsAfter } from "./test/time.mjs";
import { ROOT } from "./workspaces.mjs";

/** Prints the end of the run, and leaves. */
const end = (result, cost = []) => {
  const lines = report(result, process.env);
  process.stdout.write(`\n${[...cost, ...lines].join("\n")}\n`, () => process.exit(result.failed === 0 ? 0 : 1));
};

const FAILED_AT_ONCE = {
  passed: 0,
  failed: 1,
  skipped: 0,
  reasons: [],
  engines: { embedded: 0, postgresql: 0, redis: 0 },
  browser: 0,
};

/** The workspace whose bundle is what `npm start` runs. */
const SERVICE = "apps/cli";

/** `--built` is for runs that this program starts itself. */
const OWN = ["--unit", "--e2e", "--long", "--built", "--dearest"];
const DEAREST = 20;
const asked = process.argv.slice(2);
const [isUnit, isE2e, isLong, isBuilt, listsDearest] = OWN.map((name) => asked.includes(name));
const { TEST_DAY, LONG_MINUTES } = process.env;

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

/** What the whole of `npm test` may cost: CPU seconds for each microsecond that a bare answer takes on this machine. */
const MOST_PER_MICRO = 18;

/** The cost against the speed of the machine. */
const floorLine = (totalSeconds) => {
  const floor = Number(execFileSync(process.execPath, [join(import.meta.dirname, "test/floor.mjs")], { encoding: "utf8" }));
  const perMicro = (totalSeconds / floor).toFixed(1);
  return `a bare node:http answer takes ${floor} µs: ${perMicro} CPU s for each of them (goal: ${MOST_PER_MICRO} on the embedded engines)`;
};

const { filter, options } = parseCLI(["vitest", "run", ...asked.filter((argument) => !OWN.includes(argument))]);
const { "--": rest = [], reporter = "default", ...flags } = options;
const isWhole = asked.every((argument) => OWN.includes(argument));

// Suites run from source; the walk starts the bundled service, and those over other processes run compiled code.
const isReady = isUnit || isBuilt || (await build(isE2e || isLong ? undefined : SERVICE));
if (isReady && TEST_DAY && !isBuilt) {
  try {
    runOnDay();
  } catch (error) {
    process.stdout.write(`${error.message}\n`);
    end(FAILED_AT_ONCE);
  }
} else if (isReady) {
  let result = FAILED_AT_ONCE;
  let ran = [];
  const counting = {
    onTestRunEnd: (modules, unhandled) => {
      ran = modules;
      result = tally(modules, unhandled);
    },
  };
  const time = isLong && LONG_MINUTES ? endsAfter(Number(LONG_MINUTES) * 60_000) : null;
  const vitest = await startVitest("test", [...filter, ...rest], {
    ...flags,
    mode: isUnit ? "unit" : isE2e ? "e2e" : isLong ? "long" : "test",
    root: ROOT,
    run: true,
    watch: false,
    reporters: [...[reporter].flat(), counting, ...(time ? [time] : [])],
  });
  await vitest.close();
  const total = cpuSeconds();
  const cost = cpuLines(ran, total, listsDearest ? DEAREST : 0);
  if (isWhole && !isUnit && !isE2e && !isLong) cost.push(floorLine(total));
  // A run that finds no tests proves nothing, unless it had no time to.
  const foundNone = result.passed + result.failed === 0 && !time?.isOver();
  end(foundNone ? FAILED_AT_ONCE : result, cost);
} else {
  process.stdout.write("the build failed; no test ran\n");
  end(FAILED_AT_ONCE);
}
