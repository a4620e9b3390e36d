/** `npm run verify`: everything that can be known without running the service. No database. */
import { build } from "./build.mjs";
import { arrowFaults } from "./verify/arrows.mjs";
import { faultsOf } from "./verify/child.mjs";
import { linkFaults } from "./verify/links.mjs";
import { mapFaults } from "./verify/map.mjs";

const CHECKS = [
  ["types of the code", async () => ((await build()) ? [] : ["the build failed, as the compiler says above"])],
  ["types of the tests", () => faultsOf("node_modules/typescript/bin/tsc", "-p", "tsconfig.tests.json")],
  [
    "format and lint",
    () =>
      faultsOf(
        "node_modules/@biomejs/biome/bin/biome",
        "check",
        "--diagnostic-level=warn",
        "--error-on-warnings",
        "--colors=off",
        ".",
      ),
  ],
  ["import arrows", arrowFaults],
  ["generated files are up to date (npm run gen)", () => faultsOf("apps/api/dist/gen.js", "--check")],
  ["the map names every source file (npm run gen)", mapFaults],
  ["paths in documents", linkFaults],
  ["nothing unused", () => faultsOf("node_modules/knip/bin/knip.js", "--no-progress")],
];

/** A check that fails everywhere is shown by its beginning. */
const MOST_LINES = 40;

const shown = (faults) => {
  const lines = faults.flatMap((fault) => fault.split("\n"));
  const rest = lines.length - MOST_LINES;
  return rest > 0 ? [...lines.slice(0, MOST_LINES), `… and ${rest} lines more`] : lines;
};

const seconds = (startedAt) => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;

const startedAt = performance.now();
let failed = 0;
// One after the other: most of them use every core by themselves, and the first makes what others read.
for (const [name, check] of CHECKS) {
  const began = performance.now();
  const faults = await check();
  if (faults.length > 0) failed += 1;
  process.stdout.write(`${faults.length === 0 ? "ok  " : "FAIL"} ${name} (${seconds(began)})\n`);
  for (const line of shown(faults)) process.stdout.write(`     ${line}\n`);
}
process.stdout.write(`\n${CHECKS.length - failed} of ${CHECKS.length} checks hold (${seconds(startedAt)})\n`);
process.exitCode = failed === 0 ? 0 : 1;
