/** The figures a process shows: read when someone asks for them, and sent as Prometheus text or as OTLP. */

/** The labels of a figure. Their values come from short fixed lists: routes of the contract, feeds, tiers. */
export type Labels = Readonly<Record<string, string>>;

/** One figure. */
export interface MetricReading {
  /** As Prometheus names it. */
  readonly name: string;
  readonly help: string;
  /** A counter only rises. */
  readonly kind: "gauge" | "counter";
  readonly labels?: Labels;
  readonly value: number;
}

/** Durations by size. */
export interface HistogramReading {
  readonly name: string;
  readonly help: string;
  readonly kind: "histogram";
  readonly labels: Labels;
  /** Upper bounds in seconds, ascending. */
  readonly bounds: readonly number[];
  /** How many fell under each bound and not under the one before; the last is of those above all. */
  readonly counts: readonly number[];
  /** In seconds. */
  readonly sum: number;
}

/** Any figure. */
export type AnyReading = MetricReading | HistogramReading;

/** Reads the figures of a part. */
export type ReadFigures = () => readonly AnyReading[] | Promise<readonly AnyReading[]>;
