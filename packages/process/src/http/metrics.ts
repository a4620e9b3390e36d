/** Prometheus metrics on a port of their own: requests, feeds, the lease and the process. */
import type { RequestListener } from "node:http";
import { FEEDS_DOCUMENT_KEY, type FeedsDocument, type Live } from "@assay/live";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { listenOn } from "./listen.ts";

/** What one request adds to the metrics. */
export type ObserveRequest = (route: string, status: number, seconds: number) => void;

/** A running metrics server. */
export interface Metrics {
  readonly port: number;
  readonly observe: ObserveRequest;
  close(): Promise<void>;
}

/** A metric of some part of the process, read at scrape time. */
export interface MetricReading {
  readonly name: string;
  readonly help: string;
  /** A counter only rises. */
  readonly kind: "gauge" | "counter";
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Reads the value at each scrape. */
export interface MetricsOptions {
  readonly host: string;
  readonly port: number;
  readonly live: Live;
  readonly clock: () => number;
  /** Metrics of other parts, read at each scrape. */
  readonly more?: () => readonly MetricReading[];
}

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** Gauges of feeds and lease, refreshed at each scrape. */
const watchWriter = (registry: Registry, live: Live, clock: () => number): (() => Promise<void>) => {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const age = gauge("assay_feed_age_seconds", "Seconds since a feed's last success", ["feed"]);
  const rejected = gauge("assay_feed_rejected_observations", "Readings refused by a rule since the writer's start", ["feed"]);
  const failures = gauge("assay_feed_consecutive_failures", "Failures since a feed's last success", ["feed"]);
  const token = gauge("assay_writer_fencing_token", "The token of the writer that holds the lease; 0 when none does");
  return async () => {
    const [lease, text] = await Promise.all([live.lease.current(), live.latest.get(FEEDS_DOCUMENT_KEY)]);
    token.set(lease?.token ?? 0);
    const document = text === null ? null : (JSON.parse(text) as FeedsDocument); // our writer wrote it in this shape
    for (const [feed, health] of Object.entries(document?.feeds ?? {})) {
      if (health.lastSuccessAtMs !== null) age.set({ feed }, Math.max(0, clock() - health.lastSuccessAtMs) / 1000);
      rejected.set({ feed }, health.rejectedObservations);
      failures.set({ feed }, health.consecutiveFailures);
    }
  };
};

/** Metrics of other parts in the Prometheus text format, appended to the registry's. */
const textOf = (readings: readonly MetricReading[]): Promise<string> => {
  const registry = new Registry();
  const known = new Map<string, Gauge | Counter>();
  for (const { name, help, kind, labels = {}, value } of readings) {
    const options = { name, help, labelNames: Object.keys(labels), registers: [registry] };
    const metric = known.get(name) ?? (kind === "gauge" ? new Gauge(options) : new Counter(options));
    known.set(name, metric);
    metric.inc(labels, value);
  }
  return registry.metrics();
};

/**
 * Listens for scrapes.
 * @throws AddressError when the address is unavailable
 */
export const openMetrics = async ({ host, port, live, clock, more }: MetricsOptions): Promise<Metrics> => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const readWriter = watchWriter(registry, live, clock);
  const requests = new Counter({
    name: "assay_http_requests_total",
    help: "Answered requests",
    labelNames: ["route", "status"],
    registers: [registry],
  });
  const duration = new Histogram({
    name: "assay_http_request_seconds",
    help: "Time to an answer",
    labelNames: ["route"],
    buckets: SECONDS,
    registers: [registry],
  });
  const answer: RequestListener = (request, response) => {
    if (request.method !== "GET" || request.url !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    // Without the live engines the gauges keep their last values; the process's own metrics still work.
    const scrape = readWriter().catch(() => undefined);
    scrape
      .then(async () => (await registry.metrics()) + (await textOf(more?.() ?? [])))
      .then(
        (text) => response.writeHead(200, { "Content-Type": registry.contentType }).end(text),
        () => response.writeHead(500).end(),
      );
  };
  const listening = await listenOn((create, settings) => create(settings, answer), { host, port, setting: "METRICS_PORT" });
  return {
    port: listening.port,
    observe: (route, status, seconds) => {
      requests.inc({ route, status });
      duration.observe({ route }, seconds);
    },
    close: () => listening.close(0),
  };
};
