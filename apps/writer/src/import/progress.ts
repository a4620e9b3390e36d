/** How far an import is: a bar on a terminal, now and then a line elsewhere; on stderr, which machines need not read. */
import { Presets, SingleBar } from "cli-progress";

/** A step of an import. */
export interface Step {
  advance(by: number): void;
  done(): void;
}

/** Shows steps, one after the other. */
export interface ImportProgress {
  /**
   * Begins a step.
   * @param total of what is advanced by
   */
  step(label: string, total: number): Step;
}

/** Shows nothing. */
export const silentProgress: ImportProgress = { step: () => ({ advance: () => {}, done: () => {} }) };

/** A bar for each step. */
export const terminalProgress = (stream: NodeJS.WritableStream): ImportProgress => ({
  step: (label, total) => {
    const bar = new SingleBar(
      {
        stream,
        format: `  ${label} {bar} {percentage}% · {eta_formatted}`,
        hideCursor: true,
        clearOnComplete: true,
        gracefulExit: false,
      },
      Presets.shades_classic,
    );
    bar.start(total, 0);
    return { advance: (by) => bar.increment(by), done: () => bar.stop() };
  },
});

/**
 * A line when a step begins, and one for every tenth of it, at most four a second.
 * @param print writes a line
 * @param clock epoch milliseconds
 */
export const lineProgress = (print: (line: string) => void, clock: () => number): ImportProgress => ({
  step: (label, total) => {
    let value = 0;
    let shownTenth = 0;
    let shownMs = clock();
    print(label);
    return {
      advance: (by) => {
        value += by;
        const tenth = Math.floor((value / total) * 10);
        if (tenth <= shownTenth || tenth >= 10 || clock() - shownMs < 250) return;
        shownTenth = tenth;
        shownMs = clock();
        print(`${label}: ${tenth * 10}%`);
      },
      done: () => {},
    };
  },
});
