/** `npm run verify`: every check that needs neither the running service nor a database. */
import { build } from "./build.mjs";
import { releasedProgramFaults } from "./check-release.mjs";
import { arrowFaults } from "./verify/arrows.mjs";
import { faultsOf } from "./verify/child.mjs";
import { circleFaults } from "./verify/circles.mjs";
import { compatFaults } from "./verify/compat.mjs";
import { headFaults } from "./verify/heads.mjs";
import { linkFaults } from "./verify/links.mjs";
import { literalFaults } from "./verify/literals.mjs";
import { mapFaults, readmeFaults } from "./verify/map.mjs";
import { pinFaults } from "./verify/pins.mjs";

const CHECKS = [
  ["types of the code", async () => ((await build()) ? [] : ["the build failed, as the compiler says above"])],
  ["types of the tests", () => faultsOf("node_modules/typescript/bin/tsc", "-p", "tsconfig.tests.json")],
  [
    "format and lint; time, randomness and sockets are passed in (tools/verify/ports.jsonc)",
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
  ["no circles between files", circleFaults],
  ["generated files are up to date (npm run gen)", () => faultsOf("packages/codegen/dist/gen.js", "--check")],
  ["nothing released breaks: documents, streams (CONTRIBUTING.md, Releases)", compatFaults],
  ["programs of the last release compile against the SDK", releasedProgramFaults],
  ["a sentence at the head of every file", headFaults],
  ["metals and currencies are named in the catalogue alone", literalFaults],
  ["docs/map.md names every folder", mapFaults],
  ["a short README in every workspace", readmeFaults],
  ["paths in documents", linkFaults],
  ["actions and images are pinned", pinFaults],
  ["nothing unused", () => faultsOf("node_modules/knip/bin/knip.js", "--no-progress")],
];

/** Only the start of long output is shown. */
const MOST_LINES = 40;

const shown = (faults) => {
  const lines = faults.flatMap((fault) => fault.split("\n"));
  const rest = lines.length - MOST_LINES;
  return rest > 0 ? [...lines.slice(0, MOST_LINES), `… and ${rest} lines more`] : lines;
};

const seconds = (startedAt) => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;

const startedAt = performance.now();
let failed = 0;
// Sequentially: most use every core, and the first generates what others read.
for (const [name, check] of CHECKS) {
  const began = performance.now();
  const faults = await check();
  if (faults.length > 0) failed += 1;
  process.stdout.write(`${faults.length === 0 ? "ok  " : "FAIL"} ${name} (${seconds(began)})\n`);
  for (const line of shown(faults)) process.stdout.write(`     ${line}\n`);
}
process.stdout.write(`\n${CHECKS.length - failed} of ${CHECKS.length} checks hold (${seconds(startedAt)})\n`);
process.exitCode = failed === 0 ? 0 : 1;
