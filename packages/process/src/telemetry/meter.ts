/** The figures a process shows, collected from its parts when someone asks for them: as Prometheus text, or for OTLP. */
import { collectDefaultMetrics, type Metric, Registry } from "prom-client";

/** The labels of a figure. Their values come from short fixed lists: routes of the contract, feeds, tiers. */
export type Labels = Readonly<Record<string, string>>;

export interface MetricReading {
  /** As Prometheus names it. */
  readonly name: string;
  readonly help: string;
  /** A counter only rises. */
  readonly kind: "gauge" | "counter";
  readonly labels?: Labels;
  readonly value: number;
}

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

export type AnyReading = MetricReading | HistogramReading;

export type ReadFigures = () => readonly AnyReading[] | Promise<readonly AnyReading[]>;

/** A line of the Prometheus text, as prom-client takes it. */
interface Line {
  readonly metricName?: string;
  readonly labels: Labels;
  readonly value: number;
}

const linesOf = ({ name, labels, bounds, counts, sum }: HistogramReading): Line[] => {
  let count = 0;
  const buckets = [...bounds, Number.POSITIVE_INFINITY].map((bound, at) => {
    count += counts[at] ?? 0;
    const le = Number.isFinite(bound) ? String(bound) : "+Inf";
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count };
  });
  return [...buckets, { metricName: `${name}_sum`, labels, value: sum }, { metricName: `${name}_count`, labels, value: count }];
};

const valuesOf = (reading: AnyReading): Line[] =>
  reading.kind === "histogram" ? linesOf(reading) : [{ labels: reading.labels ?? {}, value: reading.value }];

export class Meter {
  /** Node's own: CPU, memory, event-loop delay, garbage collection. */
  readonly #defaults = new Registry();
  readonly #sources: ReadFigures[] = [];
  readonly contentType: string = this.#defaults.contentType;

  constructor() {
    collectDefaultMetrics({ register: this.#defaults });
  }

  add(read: ReadFigures): void {
    this.#sources.push(read);
  }

  /** The figures of every part. One that cannot be read now, such as of a Redis that is away, is left out. */
  async read(): Promise<AnyReading[]> {
    const read = this.#sources.map(async (source) => source());
    return (await Promise.allSettled(read)).flatMap((each) => (each.status === "fulfilled" ? each.value : []));
  }

  /** Node's own figures. Histograms among them, of garbage collection, are in the text only. */
  async readDefaults(): Promise<AnyReading[]> {
    const metrics = await this.#defaults.getMetricsAsJSON();
    return metrics.flatMap(({ name, help, type, values }) => {
      const kind = String(type); // declared as an enum, given as text
      if (kind !== "gauge" && kind !== "counter") return [];
      return values.map(({ labels, value }): AnyReading => {
        const texts = Object.entries(labels).map(([label, of]) => [label, String(of)] as const);
        return { name, help, kind, labels: Object.fromEntries(texts), value };
      });
    });
  }

  /** All of them as Prometheus text. */
  async text(): Promise<string> {
    const ours = new Registry();
    const families = new Map<string, { readonly name: string; readonly help: string; readonly type: string; values: Line[] }>();
    for (const reading of await this.read()) {
      const { name, help, kind: type } = reading;
      const known = families.get(name);
      if (known) known.values.push(...valuesOf(reading));
      else families.set(name, { name, help, type, values: valuesOf(reading) });
    }
    for (const family of families.values()) {
      // prom-client asks a metric for its name and `get` only; its types name its own classes.
      ours.registerMetric({ name: family.name, get: async () => family } as unknown as Metric);
    }
    return `${await this.#defaults.metrics()}\n${await ours.metrics()}`;
  }
}
