/**
 * Sends metrics and traces to an OpenTelemetry collector, as OTLP over HTTP in JSON. The libraries read the other standard
 * variables themselves: OTEL_EXPORTER_OTLP_HEADERS, OTEL_EXPORTER_OTLP_TIMEOUT, OTEL_RESOURCE_ATTRIBUTES, OTEL_SERVICE_NAME.
 */
import { hostname } from "node:os";
import { VERSION } from "@assay/contract";
import { type Log, Outage } from "@assay/live";
import type { Clock } from "@assay/ports";
import { type HrTime, ValueType } from "@opentelemetry/api";
import { type ExportResult, ExportResultCode, getNumberFromEnv, hrTime } from "@opentelemetry/core";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, detectResources, emptyResource, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  DataPointType,
  MeterProvider,
  type MetricData,
  type MetricProducer,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { AnyReading, Labels, Meter } from "./meter.ts";
import { openTracing, type Tracing } from "./tracing.ts";

/** Names of OpenTelemetry's conventions; the others go as Prometheus has them. */
const NAMES: Readonly<Record<string, string>> = {
  http_server_request_duration_seconds: "http.server.request.duration",
  db_client_operation_duration_seconds: "db.client.operation.duration",
  http_request_method: "http.request.method",
  http_route: "http.route",
  http_response_status_code: "http.response.status_code",
  db_system_name: "db.system.name",
  error_type: "error.type",
};

const nameOf = (prometheus: string): string => NAMES[prometheus] ?? prometheus;

const attributesOf = (labels: Labels = {}): Record<string, string | number> =>
  Object.fromEntries(
    // A status is a number in OpenTelemetry.
    Object.entries(labels).map(([name, value]) => [nameOf(name), name === "http_response_status_code" ? Number(value) : value]),
  );

const dataOf = (readings: readonly AnyReading[], startTime: HrTime, endTime: HrTime): MetricData | null => {
  const [first] = readings;
  if (!first) return null;
  const common = {
    descriptor: {
      name: nameOf(first.name),
      description: first.help,
      unit: first.name.includes("_seconds") ? "s" : first.name.includes("_bytes") ? "By" : "1",
      valueType: ValueType.DOUBLE,
    },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const at = (labels: Labels | undefined) => ({ startTime, endTime, attributes: attributesOf(labels) });
  if (first.kind === "histogram") {
    const dataPoints = readings.flatMap((reading) => {
      if (reading.kind !== "histogram") return [];
      const { labels, bounds, counts, sum } = reading;
      const count = counts.reduce((total, each) => total + each, 0);
      return [{ ...at(labels), value: { buckets: { boundaries: [...bounds], counts: [...counts] }, sum, count } }];
    });
    return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints };
  }
  const dataPoints = readings.flatMap((reading) =>
    reading.kind === "histogram" ? [] : [{ ...at(reading.labels), value: reading.value }],
  );
  return first.kind === "gauge"
    ? { ...common, dataPointType: DataPointType.GAUGE, dataPoints }
    : { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints };
};

/** Reads the meter whenever OpenTelemetry collects. */
const metricProducer = (meter: Meter): MetricProducer => {
  const startTime = hrTime();
  return {
    collect: async () => {
      const readings = [...(await meter.readDefaults()), ...(await meter.read())];
      const byName = new Map<string, AnyReading[]>();
      for (const reading of readings) byName.set(reading.name, [...(byName.get(reading.name) ?? []), reading]);
      const endTime = hrTime();
      const metrics = [...byName.values()].map((each) => dataOf(each, startTime, endTime)).filter((each) => each !== null);
      return {
        resourceMetrics: { resource: emptyResource(), scopeMetrics: [{ scope: { name: "assay" }, metrics }] },
        errors: [],
      };
    },
  };
};

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

export interface Otlp {
  readonly tracing: Tracing;
  close(): Promise<void>;
}

interface Exporter<Batch> {
  export(batch: Batch, done: (result: ExportResult) => void): void;
}

/** A collector that does not answer is one line, like any outage. */
const reportTo = <Batch, E extends Exporter<Batch>>(exporter: E, outage: Outage): E => {
  const send = exporter.export.bind(exporter);
  exporter.export = (batch, done) =>
    send(batch, (result) => {
      if (result.code === ExportResultCode.SUCCESS) outage.recovered();
      else outage.failed({ class: "export_failed", reason: result.error?.message ?? "no answer" });
      done(result);
    });
  return exporter;
};

export const startOtlp = ({ endpoint, role, meter, log, clock }: OtlpOptions): Otlp => {
  const lines = {
    fields: { engine: "otlp" },
    begins: "the OpenTelemetry collector is unavailable; retrying",
    lasts: "the OpenTelemetry collector is still unavailable",
    ends: "the OpenTelemetry collector is available again",
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
