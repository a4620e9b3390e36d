/** Progress of long jobs: bars on a terminal, now and then a line of the log elsewhere. */
import { MultiBar, Presets } from "cli-progress";
import type { WriterLog } from "../writer-log.ts";

/** A job that takes longer is told of this often. */
const TELL_EVERY_MS = 5_000;

/** One job's progress. */
export interface ProgressLine {
  advance(by: number): void;
  done(): void;
}

/** Shows the progress of jobs. */
export interface Progress {
  line(label: string, total: number): ProgressLine;
  stop(): void;
}

/** Shows nothing. */
export const silentProgress: Progress = {
  line: () => ({ advance: () => undefined, done: () => undefined }),
  stop: () => undefined,
};

/**
 * A line of the log for every job that takes long, now and then.
 * @param elapsed milliseconds that only pass
 */
export const loggedProgress = (log: Pick<WriterLog, "info">, elapsed: () => number): Progress => ({
  line: (label, total) => {
    let value = 0;
    let toldMs = elapsed();
    return {
      advance: (by) => {
        value += by;
        if (elapsed() - toldMs < TELL_EVERY_MS) return;
        toldMs = elapsed();
        log.info(`${label}: ${Math.min(99, Math.floor((100 * value) / Math.max(total, 1)))} %`, { value, total });
      },
      done: () => undefined,
    };
  },
  stop: () => undefined,
});

/** Bars on stderr, so that stdout stays clean for machines. */
export const terminalProgress = (): Progress => {
  const bars = new MultiBar(
    {
      stream: process.stderr,
      format: "  {label} {bar} {percentage}% · {value}/{total} bars",
      clearOnComplete: false,
      hideCursor: true,
      gracefulExit: false,
    },
    Presets.shades_classic,
  );
  return {
    line: (label, total) => {
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
