/**
 * `npm run explore [-- --minutes N]`: random cases of new seeds, and the calendar on a random day, until the time is over. What
 * fails is printed with the command that repeats it, and filed in `explore.log`; the exit code is 1 then.
 */
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { environmentOn, faketime, NO_FAKETIME } from "./test/day.mjs";
import { filesUnder, isTest, ROOT } from "./workspaces.mjs";

/** Files a run: each takes a quarter of a minute. */
const LOT = 10;
const MOST_SEED = 2 ** 31;
const DAYS_AHEAD = 4 * 365;
/** Suites of trading hours, contracts, closes and the days they fall on. */
const CALENDAR = [
  "packages/pricing/src/conventions",
  "packages/pricing/src/futures",
  "packages/simulator/src",
  "packages/archives/src",
];

const { values } = parseArgs({ options: { minutes: { type: "string", default: "1" } } });
const untilMs = performance.now() + Number(values.minutes) * 60_000;
const folder = mkdtempSync(join(tmpdir(), "assay-explore-"));
const say = (line) => process.stdout.write(`${line}\n`);

const shuffled = (list) => {
  const rest = [...list];
  return list.map(() => rest.splice(randomInt(rest.length), 1)[0]);
};

/** Runs suites and returns the tests that failed. */
const failuresOf = (files, env) => {
  const report = join(folder, "report.json");
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const args = [vitest, "run", "--reporter=json", `--outputFile=${report}`, ...files];
  const { error, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, env: { ...process.env, ...env }, encoding: "utf8" });
  if (error) throw error;
  try {
    const { testResults, numTotalTests } = JSON.parse(readFileSync(report, "utf8"));
    const failed = testResults.flatMap(({ name, message, assertionResults }) => {
      const tests = assertionResults.filter(({ status }) => status === "failed");
      if (message) tests.push({ fullName: "", failureMessages: [message] });
      return tests.map(({ fullName, failureMessages }) => ({ file: name.slice(ROOT.length + 1), fullName, failureMessages }));
    });
    return { count: numTotalTests, failed };
  } catch {
    return { count: 0, failed: [{ file: files.join(" "), fullName: "", failureMessages: [stderr] }] };
  } finally {
    rmSync(report, { force: true });
  }
};

let tests = 0;
let found = 0;
const explore = (files, env, repeat) => {
  const { count, failed } = failuresOf(files, env);
  tests += count;
  for (const { file, fullName, failureMessages } of failed) {
    found += 1;
    const entry = `EXPLORE ${repeat} ${file} -t ${JSON.stringify(fullName)}\n${failureMessages.join("\n").slice(0, 4_000)}`;
    say(entry);
    appendFileSync(join(ROOT, "explore.log"), `${entry}\n`);
  }
};

const library = faketime();
if (library === null) say(`no other day: ${NO_FAKETIME}`);
else {
  const day = new Date(Date.now() + randomInt(DAYS_AHEAD * 1_440) * 60_000).toISOString().replace(/:\d\d\.\d+Z$/, ":00Z");
  explore(CALENDAR, environmentOn(day, library, Date.now()), `TEST_DAY=${day} npm test --`);
}
const random = ["packages", "apps"]
  .flatMap((parent) => filesUnder(parent))
  .filter((path) => isTest(path) && path.endsWith(".test.ts") && !path.endsWith(".long.test.ts"))
  .filter((path) => readFileSync(join(ROOT, path), "utf8").includes('from "fast-check"'));
let left = [];
while (performance.now() < untilMs) {
  if (left.length === 0) left = shuffled(random);
  const seed = randomInt(MOST_SEED);
  explore(left.splice(0, LOT), { TEST_SEED: `${seed}` }, `TEST_SEED=${seed} npx vitest run`);
}
rmSync(folder, { recursive: true, force: true });
say(`explored ${tests} tests: ${found} failed`);
process.exitCode = found === 0 ? 0 : 1;
