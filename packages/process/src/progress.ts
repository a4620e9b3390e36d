/** Progress of long jobs: bars on a terminal, lines of text elsewhere. */
import { MultiBar, Presets } from "cli-progress";

/** One step of a job. */
export interface Step {
  advance(by: number): void;
  done(): void;
}

/** Shows the progress of a job's steps. */
export interface Progress {
  /**
   * Starts a step.
   * @param total the amount of work, in the unit `advance` is called with
   */
  step(label: string, total: number): Step;
  /** Ends the display. */
  stop(): void;
}

/** Shows nothing. */
export const silentProgress: Progress = { step: () => ({ advance: () => {}, done: () => {} }), stop: () => {} };

const terminalProgress = (): Progress => {
  const bars = new MultiBar(
    {
      stream: process.stderr,
      format: "  {label} {bar} {percentage}% · {eta_formatted}",
      hideCursor: true,
      gracefulExit: false,
    },
    Presets.shades_classic,
  );
  return {
    step: (label, total) => {
      const bar = bars.create(total, 0, { label: label.padEnd(22) });
      return {
        advance: (by) => bar.increment(by),
        done: () => {
          bar.setTotal(Math.max(bar.getProgress() * bar.getTotal(), 1));
          bar.update(bar.getTotal());
        },
      };
    },
    stop: () => bars.stop(),
  };
};

/** How steps are printed without a terminal. */
export interface PrintOptions {
  readonly print: (line: string) => void;
  /** The least time between two lines of a step. */
  readonly everyMs: number;
  /** Whether a step's label is printed when it starts. */
  readonly isAnnounced: boolean;
}

/**
 * A line for every tenth of a step except the last.
 * @param clock a monotonic clock in milliseconds
 */
export const printedProgress = (options: PrintOptions, clock: () => number): Progress => ({
  step: (label, total) => {
    const { print, everyMs, isAnnounced } = options;
    let value = 0;
    let shownTenth = 0;
    let shownMs = clock();
    if (isAnnounced) print(label);
    return {
      advance: (by) => {
        value += by;
        const tenth = Math.floor((value / total) * 10);
        if (tenth <= shownTenth || tenth >= 10 || clock() - shownMs < everyMs) return;
        shownTenth = tenth;
        shownMs = clock();
        print(`${label}: ${tenth * 10}%`);
      },
      done: () => {},
    };
  },
  stop: () => {},
});

/** Bars on stderr if that is a terminal, so that stdout stays clean for machines; printed lines elsewhere. */
export const openProgress = (options: PrintOptions): Progress =>
  process.stderr.isTTY ? terminalProgress() : printedProgress(options, () => performance.now());
