/** How long the database and Redis take to answer, and how their calls end. */
import type { Around } from "@assay/live";
import { isOutage } from "../quiet-log.ts";
import { Durations } from "./durations.ts";
import type { HistogramReading } from "./reading.ts";
import type { Tracing } from "./tracing.ts";

/** OpenTelemetry's `db.client.operation.duration`. */
export class EngineCalls {
  readonly #durations = new Durations("db_client_operation_duration_seconds", "Time a call to the database or Redis takes");

  /**
   * Opens an engine.
   * @param system `postgresql`, `pglite` or `redis`
   */
  of(system: string, tracing: Tracing | null): Around {
    const ok = this.#durations.open({ db_system_name: system });
    const refused = this.#durations.open({ db_system_name: system, error_type: "refused" });
    const unavailable = this.#durations.open({ db_system_name: system, error_type: "unavailable" });
    const timed: Around = async (work) => {
      const startedMs = performance.now();
      const seconds = (): number => (performance.now() - startedMs) / 1_000;
      try {
        const value = await work();
        ok.observe(seconds());
        return value;
      } catch (error) {
        (isOutage(error) ? unavailable : refused).observe(seconds());
        throw error;
      }
    };
    if (!tracing) return timed;
    const traced = tracing.engine(system);
    return (work) => traced(() => timed(work));
  }

  read(): HistogramReading[] {
    return this.#durations.read();
  }
}
