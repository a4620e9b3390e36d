/** Histograms of durations. A label set is looked up once; counting one allocates nothing. */
import type { HistogramReading, Labels } from "./reading.ts";

/** OpenTelemetry's bounds for durations, in seconds, and three below them: most answers take less than a millisecond. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** The durations of one label set. */
export class DurationSeries {
  readonly counts: number[] = new Array<number>(BOUNDS.length + 1).fill(0);
  sum = 0;

  observe(seconds: number): void {
    let at = 0;
    while (at < BOUNDS.length && seconds > (BOUNDS[at] ?? 0)) at += 1;
    this.counts[at] = (this.counts[at] ?? 0) + 1;
    this.sum += seconds;
  }
}

/** One histogram with its label sets. */
export class Durations {
  readonly #name: string;
  readonly #help: string;
  readonly #series: { readonly labels: Labels; readonly series: DurationSeries }[] = [];

  constructor(name: string, help: string) {
    this.#name = name;
    this.#help = help;
  }

  /** Opens a label set. */
  open(labels: Labels): DurationSeries {
    const series = new DurationSeries();
    this.#series.push({ labels, series });
    return series;
  }

  read(): HistogramReading[] {
    const about = { name: this.#name, help: this.#help, kind: "histogram", bounds: BOUNDS } as const;
    return this.#series.map(({ labels, series: { counts, sum } }) => ({ ...about, labels, counts: [...counts], sum }));
  }
}
