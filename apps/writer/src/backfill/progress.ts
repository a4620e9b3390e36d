/** Progress of long jobs: bars on a terminal, a line at the end elsewhere. */
import { MultiBar, Presets } from "cli-progress";

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
