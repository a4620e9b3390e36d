/** The part of the long run on other days: the suites without a database on each, those that start services on some. */
import { spawn } from "node:child_process";
import { ROOT } from "../workspaces.mjs";
import { environmentOn, faketime, NO_FAKETIME, nastyDays } from "./day.mjs";

/** Suites over services that read the clock for what they expect. */
const SERVICES = ["futures-rows", "live-feeds", "deep-history", "rehearsal", "replay.test"].map((name) => `e2e/src/${name}`);

/** How long the whole run may take, in minutes: an hour, or what CI has left. */
const { LONG_MINUTES = 60 } = process.env;

/** A day takes two minutes on a slow machine, with services twelve. */
const MINUTES = { plain: 4, services: 14 };

/** Whether the run is young enough to begin this. */
const isTimeFor = (what) => performance.now() < (Number(LONG_MINUTES) - MINUTES[what]) * 60_000;

const COUNT = /^(\d+) passed, (\d+) failed$/m;

/** Runs `tools/test.mjs` on a day; its output is shown when a test failed. */
const runOn = (day, args) =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, ...environmentOn(day, faketime(), Date.now()) };
    const child = spawn(process.execPath, ["tools/test.mjs", "--built", "--reporter=dot", ...args], { cwd: ROOT, env });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    child.once("error", reject);
    child.once("close", () => {
      const [, passed, failed] = COUNT.exec(output) ?? [null, 0, 1];
      if (Number(failed) > 0) process.stdout.write(output);
      resolve({ passed: Number(passed), failed: Number(failed) });
    });
  });

/**
 * Runs the suites on every nasty day, one after another: the random one in any case, others with services, the rest. On a slow
 * machine what would take the run past its time is left out, services first, and named here and at the end of CI.
 * @returns the sums of tests passed and failed
 */
export const runDays = async () => {
  if (faketime() === null) {
    process.stdout.write(`other days: not run, because ${NO_FAKETIME}\n`);
    return { passed: 0, failed: 0 };
  }
  const sum = { passed: 0, failed: 0 };
  const [random, ...others] = nastyDays(Date.now()).toReversed();
  const days = [random, ...others.filter(({ services }) => services), ...others.filter(({ services }) => !services)];
  for (const { day, why, services } of days) {
    if (day !== random.day && !isTimeFor("plain")) {
      process.stdout.write(`${day}, ${why}: not run, for want of time; TEST_DAY=${day} npm test\n`);
      continue;
    }
    const startedMs = performance.now();
    const isWhole = services === true && isTimeFor("services");
    const runs = [await runOn(day, ["--project=unit"])];
    if (isWhole) runs.push(await runOn(day, ["--project=engines"]), await runOn(day, ["--project=process", ...SERVICES]));
    const passed = runs.reduce((all, run) => all + run.passed, 0);
    const failed = runs.reduce((all, run) => all + run.failed, 0);
    sum.passed += passed;
    sum.failed += failed;
    const seconds = Math.round((performance.now() - startedMs) / 1_000);
    const left = services && !isWhole ? " (without services, for want of time)" : "";
    process.stdout.write(
      `${day}, ${why}${left}: ${passed} tests passed, ${failed} failed in ${seconds} s; TEST_DAY=${day} npm test\n`,
    );
  }
  return sum;
};
