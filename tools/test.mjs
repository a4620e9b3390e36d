/**
 * `npm test`, `npm run test:unit` and `npm run test:long`: builds, runs the suites, prints which engines ran and what was
 * skipped, and ends with the count. Arguments are passed to vitest: `npm test -- packages/db -t lease --reporter=verbose`.
 */
import { parseCLI, startVitest } from "vitest/node";
import { build } from "./build.mjs";
import { report, tally } from "./test/tally.mjs";
import { ROOT } from "./workspaces.mjs";

const end = (result) => {
  process.stdout.write(`\n${report(result, process.env).join("\n")}\n`, () => process.exit(result.failed === 0 ? 0 : 1));
};

const FAILED_AT_ONCE = {
  ...{ passed: 0, failed: 1, skipped: 0, reasons: [] },
  ...{ engines: { embedded: 0, postgresql: 0, redis: 0 }, browser: 0 },
};

const own = new Set(["--long", "--unit"]);
const asked = process.argv.slice(2);
const isUnit = asked.includes("--unit");
const { filter, options } = parseCLI(["vitest", "run", ...asked.filter((argument) => !own.has(argument))]);
const { "--": rest = [], reporter = "default", ...flags } = options;

// Unit suites run from source; those over real processes run compiled code.
if (isUnit || (await build())) {
  let result = FAILED_AT_ONCE;
  const counting = { onTestRunEnd: (modules, unhandled) => (result = tally(modules, unhandled)) };
  const vitest = await startVitest("test", [...filter, ...rest], {
    ...flags,
    ...(isUnit ? { project: "unit" } : {}),
    ...(asked.includes("--long") ? { mode: "long" } : {}),
    root: ROOT,
    run: true,
    watch: false,
    reporters: [...[reporter].flat(), counting],
  });
  await vitest.close();
  // A run that finds no tests proves nothing.
  end(result.passed + result.failed === 0 ? FAILED_AT_ONCE : result);
} else {
  process.stdout.write("the build failed; no test ran\n");
  end(FAILED_AT_ONCE);
}
