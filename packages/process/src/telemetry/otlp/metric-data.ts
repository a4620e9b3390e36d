/** Our figures as OpenTelemetry's metric data: the same ones that Prometheus scrapes. */
import { type HrTime, ValueType } from "@opentelemetry/api";
import { hrTime } from "@opentelemetry/core";
import { emptyResource } from "@opentelemetry/resources";
import { AggregationTemporality, DataPointType, type MetricData, type MetricProducer } from "@opentelemetry/sdk-metrics";
import type { Meter } from "../meter.ts";
import type { AnyReading, Labels } from "../reading.ts";

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

/** One metric with all its label sets. */
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
export const metricProducer = (meter: Meter): MetricProducer => {
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
