/** How long the contract's routes take to answer, by route, method and status. */
import { type DurationSeries, Durations } from "./durations.ts";
import type { HistogramReading } from "./reading.ts";

/** Counts an answer. */
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
