/** Progress of long jobs: bars on a terminal, lines of text elsewhere. */
import type { Clock } from "@assay/ports";
import { MultiBar, Presets } from "cli-progress";

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
  stop(): void;
}

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
}

/**
 * A step's label when it starts, and a line for every tenth of it except the last.
 * @param clock a monotonic clock in milliseconds
 */
export const printedProgress = ({ print, everyMs }: PrintOptions, clock: Clock): Progress => ({
  step: (label, total) => {
    let value = 0;
    let shownTenth = 0;
    let shownMs = clock();
    print(label);
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

/** How often a service says how far a step is. */
const STEADY_MS = 2_500;

/** Calls a function again and again; returns what ends that. */
type Repeat = (everyMs: number, run: () => void) => () => void;

const repeat: Repeat = (everyMs, run) => {
  const timer = setInterval(run, everyMs).unref();
  return () => clearInterval(timer);
};

/** A line every few seconds while there are steps, of the one that began last, whether it advances or not. */
export const steadyProgress = (print: (line: string) => void, each: Repeat = repeat): Progress => {
  const open = new Set<() => string>();
  let end: (() => void) | null = null;
  const beat = (): void => {
    const latest = [...open].at(-1);
    if (latest) print(latest());
    else {
      end?.();
      end = null;
    }
  };
  return {
    step: (label, total) => {
      let value = 0;
      const text = (): string => `${label}: ${Math.min(99, Math.floor((100 * value) / Math.max(total, 1)))}%`;
      open.add(text);
      end ??= each(STEADY_MS, beat);
      return {
        advance: (by) => {
          value += by;
        },
        done: () => void open.delete(text),
      };
    },
    stop: () => {},
  };
};

/** Of a command: bars on stderr if that is a terminal, so that stdout stays clean for machines; printed lines elsewhere. */
export const openProgress = (options: PrintOptions): Progress =>
  process.stderr.isTTY ? terminalProgress() : printedProgress(options, () => performance.now());

/** Of a service: bars on a terminal, lines of its log elsewhere. */
export const openServiceProgress = (print: (line: string) => void): Progress =>
  process.stderr.isTTY ? terminalProgress() : steadyProgress(print);
