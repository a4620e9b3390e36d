/** How long the contract's routes and the engines take to answer. A label set is looked up once; counting one allocates nothing. */
import type { CallWrapper } from "@assay/live";
import { outageOf } from "../logger.ts";
import type { HistogramReading, Labels, MetricReading } from "./meter.ts";
import type { Tracing } from "./tracing.ts";

/** OpenTelemetry's bounds for durations, in seconds, and three below them: most answers take less than a millisecond. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

class DurationSeries {
  readonly counts: number[] = new Array<number>(BOUNDS.length + 1).fill(0);
  sum = 0;

  observe(seconds: number): void {
    let at = 0;
    while (at < BOUNDS.length && seconds > (BOUNDS[at] ?? 0)) at += 1;
    this.counts[at] = (this.counts[at] ?? 0) + 1;
    this.sum += seconds;
  }
}

class Durations {
  readonly #name: string;
  readonly #help: string;
  readonly #series: { readonly labels: Labels; readonly series: DurationSeries }[] = [];

  constructor(name: string, help: string) {
    this.#name = name;
    this.#help = help;
  }

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

export type ObserveAnswer = (status: number, seconds: number) => void;

/** OpenTelemetry's `http.server.request.duration`. */
export class RequestDurations {
  readonly #routes = new Map<string, ObserveAnswer>();
  readonly #durations = new Durations("http_server_request_duration_seconds", "Time to answer a request");

  /**
   * Opens a route; several transports share one.
   * @param path as the contract writes it, so that there are no more label values than routes
   */
  of(method: string, path: string): ObserveAnswer {
    const route = `${method} ${path}`;
    const known = this.#routes.get(route);
    if (known) return known;
    const byStatus = new Map<number, DurationSeries>();
    const open = (status: number): DurationSeries => {
      const labels = { http_request_method: method, http_route: path, http_response_status_code: String(status) };
      const series = this.#durations.open(labels);
      byStatus.set(status, series);
      return series;
    };
    const observe: ObserveAnswer = (status, seconds) => (byStatus.get(status) ?? open(status)).observe(seconds);
    this.#routes.set(route, observe);
    return observe;
  }

  read(): HistogramReading[] {
    return this.#durations.read();
  }
}

/** The `error_type` of a statement that the engine refuses, which is no outage. */
const REFUSED = "refused";

/** OpenTelemetry's `db.client.operation.duration`, and the calls that are not answered yet. */
export class EngineCalls {
  readonly #depths: { readonly system: string; waiting: number }[] = [];
  readonly #durations = new Durations("db_client_operation_duration_seconds", "Time a call to the database or Redis takes");

  /**
   * Opens an engine.
   * @param system `postgresql`, `pglite` or `redis`
   */
  of(system: string, tracing: Tracing | null): CallWrapper {
    const depth = { system, waiting: 0 };
    this.#depths.push(depth);
    const ok = this.#durations.open({ db_system_name: system });
    const failed = new Map<string, DurationSeries>();
    const failedBy = (why: string): DurationSeries => {
      const series = failed.get(why) ?? this.#durations.open({ db_system_name: system, error_type: why });
      failed.set(why, series);
      return series;
    };
    failedBy(REFUSED);
    const timed: CallWrapper = async (work) => {
      const startedMs = performance.now();
      const seconds = (): number => (performance.now() - startedMs) / 1_000;
      depth.waiting += 1;
      try {
        const value = await work();
        ok.observe(seconds());
        return value;
      } catch (error) {
        failedBy(outageOf(error)?.class ?? REFUSED).observe(seconds());
        throw error;
      } finally {
        depth.waiting -= 1;
      }
    };
    if (!tracing) return timed;
    const traced = tracing.engine(system);
    return (work) => traced(() => timed(work));
  }

  read(): HistogramReading[] {
    return this.#durations.read();
  }

  /** How many calls wait for their answer. */
  depths(): MetricReading[] {
    const name = "assay_engine_calls_waiting";
    const help = "Calls to the database or Redis without an answer yet";
    return this.#depths.map(
      ({ system, waiting }): MetricReading => ({ name, help, kind: "gauge", labels: { db_system_name: system }, value: waiting }),
    );
  }
}
