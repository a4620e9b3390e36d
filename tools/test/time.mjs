/** The time of the long run: the suites that say most come first, and what does not fit is named. */
import { relative } from "node:path";
import { BaseSequencer } from "vitest/node";

/** Suites of whole failures, of crashes and of upgrades: before all others. */
const FIRST = ["failures", "crash", "upgrade", "previous-release", "backup", "broken-services", "outages"];

const rankOf = ({ moduleId }) => {
  const at = FIRST.findIndex((name) => moduleId.endsWith(`/${name}.long.test.ts`));
  return at === -1 ? FIRST.length : at;
};

/** Files in an order that is the same on every machine: vitest's own begins with those that took longest there. */
export class FixedOrder extends BaseSequencer {
  sort(files) {
    return files.toSorted((left, right) => rankOf(left) - rankOf(right) || (left.moduleId < right.moduleId ? -1 : 1));
  }
}

/** What vitest notes of tests that it skips because a run was cancelled. */
const CANCELLED = /aborted/;

/** Whether the end of the time kept a test from running. */
const isLeftOut = ({ state, note = "" }) => state === "pending" || (state === "skipped" && CANCELLED.test(note));

const isCutOff = (module) => [...module.children.allTests()].some((test) => isLeftOut(test.result()));

/**
 * A reporter that ends a run after some time: what runs is finished with its hooks, what has not begun is left out, and the files
 * that were not finished are named.
 * @param ms how long the run may take
 */
export const endsAfter = (ms) => {
  let vitest;
  let timer;
  let isOver = false;
  const wanted = new Set();
  const nameOf = (project, path) => `${project.name} ${path}`;
  return {
    /** Whether the time ended the run. */
    isOver: () => isOver,
    onInit: (running) => {
      vitest = running;
    },
    onTestRunStart: (specifications) => {
      for (const { project, moduleId } of specifications) wanted.add(nameOf(project, relative(vitest.config.root, moduleId)));
      timer ??= setTimeout(() => {
        isOver = true;
        void vitest.cancelCurrentRun("test-failure");
      }, ms).unref();
    },
    onTestModuleEnd: (module) => {
      if (!isCutOff(module)) wanted.delete(nameOf(module.project, module.relativeModuleId));
    },
    onTestRunEnd: () => {
      clearTimeout(timer);
      if (isOver && wanted.size > 0) process.stdout.write(`not run, for want of time: ${[...wanted].toSorted().join(", ")}\n`);
    },
  };
};
