/** What a process reports to its operator besides the log: metrics, traces, readiness. */
import type { Settings } from "@assay/config";
import type { Around, Clock, Log } from "@assay/live";
import type { Lifecycle } from "../lifecycle.ts";
import { EngineCalls } from "./engine-calls.ts";
import { openOpsServer } from "./ops-server.ts";
import { Readiness } from "./readiness.ts";
import type { ReadFigures } from "./reading.ts";
import { type ObserveAnswer, RequestDurations } from "./request-durations.ts";
import type { TraceRequest, Tracing } from "./tracing.ts";

/** What a process is. */
export type Role = "standalone" | "api" | "stream" | "writer";

/** Watches the calls of one route. */
export interface RouteWatch {
  readonly observe: ObserveAnswer;
  /** Null without traces. */
  readonly trace: TraceRequest | null;
}

/** The parts of a process report to it. */
export interface Telemetry {
  readonly readiness: Readiness;
  /** Adds figures, read when asked for. */
  add(read: ReadFigures): void;
  /** Watches a route of the contract; null when no one reads metrics or traces, and nothing is measured. */
  readonly watchRoute: ((method: string, path: string) => RouteWatch) | null;
  /** Watches the calls to an engine; undefined when no one reads them. */
  watchEngine(system: string): Around | undefined;
  /** Ids of the current trace, for the log. */
  logFields(): Record<string, string>;
  /** Where metrics are scraped; null when disabled. */
  readonly port: number | null;
}

/** Options of telemetry. */
export interface TelemetryOptions {
  readonly role: Role;
  readonly log: Log;
  readonly clock: Clock;
  readonly lifecycle: Lifecycle;
}

const CHECKS: Readonly<Record<Role, readonly string[]>> = {
  standalone: ["migrated", "bus", "price"],
  api: ["migrated", "bus", "price"],
  stream: ["migrated", "bus", "price"],
  writer: ["migrated", "bus"],
};

/**
 * Opens it, first of all parts: the operator's port answers while the others start, and until they have ended.
 * @throws AddressError when METRICS_PORT is unavailable
 */
export const openTelemetry = async (
  settings: Pick<Settings, "host" | "metricsPort" | "otlpEndpoint">,
  { role, log, clock, lifecycle }: TelemetryOptions,
): Promise<Telemetry> => {
  const readiness = new Readiness(CHECKS[role], () => lifecycle.isEnding);
  const { host, metricsPort, otlpEndpoint } = settings;
  if (metricsPort === null && otlpEndpoint === null) return silentTelemetry(readiness);

  const { Meter } = await import("./meter.ts");
  const meter = new Meter();
  const requests = new RequestDurations();
  const engines = new EngineCalls();
  meter.add(() => requests.read());
  meter.add(() => engines.read());
  const server = metricsPort === null ? null : await openOpsServer({ host, port: metricsPort, meter, readiness });
  if (server) lifecycle.add("the metrics", () => server.close(0));
  let tracing: Tracing | null = null;
  if (otlpEndpoint !== null) {
    const { startOtlp } = await import("./otlp/start-otlp.ts");
    const otlp = startOtlp({ endpoint: otlpEndpoint, role, meter, log, clock });
    tracing = otlp.tracing;
    lifecycle.add("OpenTelemetry", () => otlp.close());
  }
  return {
    readiness,
    port: server?.port ?? null,
    add: (read) => meter.add(read),
    watchRoute: (method, path) => ({ observe: requests.of(method, path), trace: tracing?.route(method, path) ?? null }),
    watchEngine: (system) => engines.of(system, tracing),
    logFields: () => tracing?.logFields() ?? {},
  };
};

/** Telemetry that no one reads. */
export const silentTelemetry = (readiness = new Readiness([], () => false)): Telemetry => ({
  readiness,
  port: null,
  add: () => undefined,
  watchRoute: null,
  watchEngine: () => undefined,
  logFields: () => ({}),
});
