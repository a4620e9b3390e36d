/**
 * Sends metrics and traces to an OpenTelemetry collector, as OTLP over HTTP in JSON. The libraries read the other standard
 * variables themselves: OTEL_EXPORTER_OTLP_HEADERS, OTEL_EXPORTER_OTLP_TIMEOUT, OTEL_RESOURCE_ATTRIBUTES, OTEL_SERVICE_NAME.
 */
import { hostname } from "node:os";
import { VERSION } from "@assay/contract";
import { type Clock, type Log, Outage } from "@assay/live";
import { type ExportResult, ExportResultCode, getNumberFromEnv } from "@opentelemetry/core";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Meter } from "../meter.ts";
import type { Tracing } from "../tracing.ts";
import { metricProducer } from "./metric-data.ts";
import { openTracing } from "./open-tracing.ts";

/** OpenTelemetry's own default for OTEL_METRIC_EXPORT_INTERVAL. */
const EXPORT_EVERY_MS = 60_000;

/** What is sent, and where. */
export interface OtlpOptions {
  /** The collector's base URL; `/v1/traces` and `/v1/metrics` are added. */
  readonly endpoint: string;
  readonly role: string;
  readonly meter: Meter;
  readonly log: Log;
  readonly clock: Clock;
}

/** Running exporters. */
export interface Otlp {
  readonly tracing: Tracing;
  /** Sends what is left. */
  close(): Promise<void>;
}

/** An exporter of either kind. */
interface Exporter<Batch> {
  export(batch: Batch, done: (result: ExportResult) => void): void;
}

/** A collector that does not answer is one line, like any outage. */
const reportTo = <Batch, E extends Exporter<Batch>>(exporter: E, outage: Outage): E => {
  const send = exporter.export.bind(exporter);
  exporter.export = (batch, done) =>
    send(batch, (result) => {
      if (result.code === ExportResultCode.SUCCESS) outage.recovered();
      else outage.failed({ reason: result.error?.message ?? "no answer" });
      done(result);
    });
  return exporter;
};

/** Starts sending. */
export const startOtlp = ({ endpoint, role, meter, log, clock }: OtlpOptions): Otlp => {
  const lines = {
    ...{ fields: { engine: "otlp" }, begins: "the OpenTelemetry collector is unavailable; retrying" },
    ...{ lasts: "the OpenTelemetry collector is still unavailable", ends: "the OpenTelemetry collector is available again" },
  };
  const outage = new Outage({ log, clock, lines });
  const resource = defaultResource()
    .merge(
      resourceFromAttributes({
        "service.name": `assay-${role}`,
        "service.version": VERSION,
        "service.instance.id": `${hostname()}:${process.pid}`,
      }),
    )
    // The operator's own names win.
    .merge(detectResources({ detectors: [envDetector] }));

  const metricExporter = reportTo(new OTLPMetricExporter({ url: `${endpoint}/v1/metrics` }), outage);
  const reader = new PeriodicExportingMetricReader({
    exporter: metricExporter,
    exportIntervalMillis: getNumberFromEnv("OTEL_METRIC_EXPORT_INTERVAL") ?? EXPORT_EVERY_MS,
    metricProducers: [metricProducer(meter)],
  });
  const metrics = new MeterProvider({ resource, readers: [reader] });

  const share = getNumberFromEnv("OTEL_TRACES_SAMPLER_ARG");
  const root = share === undefined ? new AlwaysOnSampler() : new TraceIdRatioBasedSampler(share);
  const exporter = reportTo(new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }), outage);
  const traces = new TracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const tracing = openTracing(traces.getTracer("assay", VERSION));

  return {
    tracing,
    close: async () => {
      await Promise.allSettled([metrics.shutdown(), traces.shutdown()]);
    },
  };
};
