/** `npm test` and `npm run test:long`: builds, runs the suites, says which engines ran, and ends with the count. */
import { startVitest } from "vitest/node";
import { build } from "./build.mjs";
import { report, tally } from "./test/tally.mjs";
import { ROOT } from "./workspaces.mjs";

const end = (result) => {
  process.stdout.write(`\n${report(result, process.env).join("\n")}\n`, () => process.exit(result.failed === 0 ? 0 : 1));
};

const FAILED_AT_ONCE = { passed: 0, failed: 1, skipped: 0, engines: { embedded: 0, postgresql: 0, redis: 0 }, browser: 0 };

// Suites over real processes run what is compiled.
if (await build()) {
  let result = FAILED_AT_ONCE;
  const counting = { onTestRunEnd: (modules, unhandled) => (result = tally(modules, unhandled)) };
  const filters = process.argv.slice(2).filter((argument) => argument !== "--long");
  const mode = filters.length < process.argv.length - 2 ? { mode: "long" } : {};
  const options = { root: ROOT, run: true, watch: false, reporters: ["default", counting], ...mode };
  const vitest = await startVitest("test", filters, options);
  await vitest.close();
  // A run that finds no test at all has proven nothing.
  end(result.passed + result.failed === 0 ? FAILED_AT_ONCE : result);
} else {
  process.stdout.write("the build failed; no test ran\n");
  end(FAILED_AT_ONCE);
}
