/** What a process reports to its operator besides the log: metrics, traces, readiness, and the port they are asked for at. */
import type { RequestListener } from "node:http";
import type { Settings } from "@assay/config";
import { VERSION } from "@assay/contract";
import type { CallWrapper, Log } from "@assay/live";
import type { Clock } from "@assay/ports";
import { COMMIT } from "../commit.ts";
import { type Listening, listenOn } from "../http/listen.ts";
import type { Lifecycle } from "../lifecycle.ts";
import { EngineCalls, type ObserveAnswer, RequestDurations } from "./durations.ts";
import type { Meter, MetricReading, ReadFigures } from "./meter.ts";
import { Readiness } from "./readiness.ts";
import type { TraceRequest, Tracing } from "./tracing.ts";

export type RoleName = "standalone" | "api" | "stream" | "writer";

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
  watchEngine(system: string): CallWrapper | undefined;
  /** Ids of the current trace, for the log. */
  logFields(): Record<string, string>;
  /** Where metrics are scraped; null when disabled. */
  readonly port: number | null;
}

export interface TelemetryOptions {
  readonly role: RoleName;
  readonly log: Log;
  readonly clock: Clock;
  readonly lifecycle: Lifecycle;
}

const CHECKS: Readonly<Record<RoleName, readonly string[]>> = {
  standalone: ["migrated", "bus", "price"],
  api: ["migrated", "bus", "price"],
  stream: ["migrated", "bus", "price"],
  writer: ["migrated", "bus"],
};

const buildInfo = (role: RoleName): MetricReading => {
  const labels = { version: VERSION, commit: COMMIT ?? "", role, node: process.versions.node };
  return {
    name: "assay_build_info",
    help: "1, with the version and commit of Assay and the version of Node",
    kind: "gauge",
    labels,
    value: 1,
  };
};

/** What the operator's port shows, and where. */
interface OpsServerOptions {
  readonly host: string;
  /** 0 picks any free port. */
  readonly port: number;
  readonly maxPipelined: number;
  readonly meter: Meter;
  readonly readiness: Readiness;
  readonly lifecycle: Pick<Lifecycle, "isStuck">;
}

/** A page's status, type and text. */
type Page = () => Promise<readonly [status: number, type: string, text: string]>;

/** Listens on the operator's port: metrics, liveness and readiness. */
const openOpsServer = ({ host, port, maxPipelined, meter, readiness, lifecycle }: OpsServerOptions): Promise<Listening> => {
  const pages: Readonly<Record<string, Page>> = {
    "/metrics": async () => [200, meter.contentType, await meter.text()],
    "/live": async () => [lifecycle.isStuck ? 503 : 200, "text/plain; charset=utf-8", lifecycle.isStuck ? "stuck\n" : "ok\n"],
    "/ready": async () => {
      const report = await readiness.read();
      return [report.ready ? 200 : 503, "application/json", JSON.stringify(report)];
    },
  };
  const answer: RequestListener = (request, response) => {
    const path = request.url ?? "";
    const page = request.method === "GET" && Object.hasOwn(pages, path) ? pages[path] : undefined;
    if (!page) {
      response.writeHead(404).end();
      return;
    }
    page().then(
      ([status, type, text]) => response.writeHead(status, { "Content-Type": type, "Cache-Control": "no-store" }).end(text),
      () => response.writeHead(500).end(),
    );
  };
  return listenOn((create, settings) => create(settings, answer), { host, port, maxPipelined, setting: "METRICS_PORT" });
};

/**
 * Opens it, first of all parts: the operator's port answers while the others start, and until they have ended.
 * @throws AddressError when METRICS_PORT is unavailable
 */
export const openTelemetry = async (
  settings: Pick<Settings, "host" | "maxPipelined" | "metricsPort" | "otlpEndpoint">,
  { role, log, clock, lifecycle }: TelemetryOptions,
): Promise<Telemetry> => {
  const readiness = new Readiness(CHECKS[role], () => lifecycle.isEnding);
  const { host, maxPipelined, metricsPort, otlpEndpoint } = settings;
  if (metricsPort === null && otlpEndpoint === null) return silentTelemetry(readiness);

  const { Meter } = await import("./meter.ts");
  const meter = new Meter();
  const requests = new RequestDurations();
  const engines = new EngineCalls();
  meter.add(() => [buildInfo(role)]);
  meter.add(() => requests.read());
  meter.add(() => [...engines.read(), ...engines.depths()]);
  const ops = { host, maxPipelined, meter, readiness, lifecycle };
  const server = metricsPort === null ? null : await openOpsServer({ ...ops, port: metricsPort });
  if (server) lifecycle.add("the metrics", () => server.close(0));
  let tracing: Tracing | null = null;
  if (otlpEndpoint !== null) {
    const { startOtlp } = await import("./otlp.ts");
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
