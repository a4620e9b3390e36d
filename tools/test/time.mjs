/** The time of the long run: the suites that say most come first, and what does not fit is named. */
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

/**
 * A reporter that ends a run after some time, and names the files it did not finish.
 * @param ms how long the run may take
 */
export const endsAfter = (ms) => {
  let vitest;
  let isOver = false;
  let timer;
  return {
    onInit: (running) => {
      vitest = running;
    },
    onTestRunStart: () => {
      timer ??= setTimeout(() => {
        isOver = true;
        void vitest.cancelCurrentRun("test-failure");
      }, ms).unref();
    },
    onTestRunEnd: (modules) => {
      clearTimeout(timer);
      if (!isOver) return;
      const unfinished = modules.filter((module) =>
        [...module.children.allTests()].some((test) => test.result().state === "skipped"),
      );
      const named = [...modules.filter((module) => module.state() === "queued"), ...unfinished].map(
        (module) => module.relativeModuleId,
      );
      process.stdout.write(`not run, for want of time: ${[...new Set(named)].toSorted().join(", ")}\n`);
    },
  };
};
