/** What an operator sees of a running service: metrics, readiness, traces at a collector, one id through all of them. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { contract, pages, type Route } from "@assay/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, read } from "./harness/call.ts";
import { eventually } from "./harness/eventually.ts";
import { type Folder, ROOT, readDemoKeys, temporaryFolder } from "./harness/files.ts";
import { named, type OtlpReceiver, openOtlpReceiver } from "./harness/otlp-receiver.ts";
import { freePort } from "./harness/own-servers.ts";
import { ASSAY, type Service, startService } from "./harness/service.ts";

/** Of alerts and dashboard, what a part of the text asks for. */
const METRIC = /\b(?:assay_|http_server_|db_client_|nodejs_|process_)\w+/g;
const metricsIn = (text: string): string[] => [...new Set(text.match(METRIC))].sort();
const shipped = (path: string): string => readFileSync(join(ROOT, path), "utf8");

describe("a service with metrics and a collector", () => {
  let folder: Folder;
  let receiver: OtlpReceiver;
  let service: Service;
  let ops: string;
  let key: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    receiver = await openOtlpReceiver();
    const port = await freePort();
    ops = `http://127.0.0.1:${port}`;
    service = await startService({
      DATA_DIR: folder.path,
      DISABLE: "",
      METRICS_PORT: String(port),
      LOG_LEVEL: "info",
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_METRIC_EXPORT_INTERVAL: "1000",
      OTEL_BSP_SCHEDULE_DELAY: "200",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
    });
    key = (await readDemoKeys(folder.path)).pro;
  });
  afterAll(async () => {
    await service?.stop("SIGKILL");
    await receiver?.close();
    await folder?.remove();
  });

  const scrape = async (): Promise<string> => (await ask(ops, "/metrics")).text;

  it("is ready once the database is migrated, the bus attached and a price available", async () => {
    const checks = { migrated: true, bus: true, price: true, serving: true };
    for (const url of [ops, service.url]) {
      const { json } = await eventually(
        "ready",
        () => ask(url, "/ready"),
        ({ status }) => status === 200,
      );
      expect(json).toEqual({ ready: true, checks });
    }
    expect((await ask(ops, "/live")).text).toBe("ok\n");
    expect((await ask(ops, "/anything")).status).toBe(404);
  });

  it("shows every figure the operator's page names, under routes of the contract only", async () => {
    await ask(service.url, "/v1/spot/gold", { key });
    await ask(service.url, "/v1/spot/garbage", { key });
    for (let at = 0; at < 20; at += 1) await ask(service.url, `/v1/nowhere-${at}`);
    // Archives are counted once their builder has looked.
    const text = await eventually("archives are counted", scrape, (each) => each.includes("assay_archives_pending "));
    const labels = 'http_request_method="GET",http_route="/v1/spot/{symbol}",http_response_status_code="200"';
    expect(text).toContain(`http_server_request_duration_seconds_count{${labels}}`);
    for (const name of [
      "assay_feed_age_seconds",
      "assay_feed_interval_seconds",
      "assay_writer_lease_held 1",
      "assay_writer_leading 1",
      'assay_build_info{version="0.1.0",commit="',
      'assay_price_usd{symbol="XAU-USD-SPOT"} ',
      'assay_engine_calls_waiting{db_system_name="pglite"} ',
      'assay_engine_pool_size{db_system_name="pglite"} 1',
      "assay_archives_pending ",
      "assay_archives_failing 0",
      "assay_database_size_bytes ",
      "assay_disk_free_bytes ",
      "assay_writer_queued_ticks",
      "assay_writer_unpublished_events",
      "assay_writer_compose_delay_seconds 0.",
      'assay_source_readings_total{source="simulated",instrument="XAU-USD-SPOT",result="accepted"}',
      'assay_source_slots_total{source="simulated",instrument="XAU-USD-SPOT",result="met"}',
      'assay_price_stale{symbol="XAU-USD-SPOT"} 0',
      'assay_streams_open{wire="ws"} 0',
      "assay_stream_lag_seconds",
      "assay_stream_bus_gaps_total",
      'db_client_operation_duration_seconds_count{db_system_name="pglite"}',
      "nodejs_eventloop_lag_p99_seconds",
      'assay_limited_calls_total{tier="keyless",code="rate_limit_exceeded"}',
    ])
      expect(text).toContain(name);
    expect(Number(/assay_calls_total\{tier="pro"\} (\d+)/.exec(text)?.[1])).toBeGreaterThanOrEqual(2);
    const routes = new Set([...text.matchAll(/http_route="([^"]+)"/g)].map(([, route]) => route));
    const declared = [contract, pages].flatMap((each) => Object.values(each).flatMap((of): Route[] => Object.values(of)));
    const known = new Set<string>(declared.map(({ path }) => path));
    expect([...routes].filter((route) => !known.has(route ?? ""))).toEqual([]);
  });

  it("logs its start with version, addresses and changed settings, and that it is ready; the lease's holder has one id everywhere", async () => {
    const lines = service
      .stderr()
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line));
    const holder = /assay_writer_lease_holder\{holder="([0-9a-f]{12})"\} 1/.exec(await scrape())?.[1];
    const { checks } = await read(service.url, contract.system.status, {});
    expect(checks.live_writer.lease_owner).toBe(holder);
    expect(lines.find(({ msg }) => msg === "writer: claiming → leader")).toMatchObject({ holder });
    const started = lines.filter(({ msg }) => msg === "started");
    const changed = { DATA_DIR: folder.path, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url };
    const places = { version: "0.1.0", address: service.url, metrics: `${ops}/metrics`, writer: holder };
    expect(started).toMatchObject([{ ...places, settings: changed }]);
    expect(started[0].settings).not.toHaveProperty("FEEDS");
    expect(lines.filter(({ msg }) => msg === "ready")).toMatchObject([{ service: service.url }]);
  });

  it("shows every figure that the alerts and the dashboard ask for", async () => {
    const text = await scrape();
    // These have a series only once there was one.
    const later = ["assay_feed_rejected_observations_total", "assay_streams_closed_total"];
    for (const path of ["deploy/alerts.yaml", "deploy/grafana/assay.json"]) {
      const asked = metricsIn(shipped(path));
      expect(asked.length, path).toBeGreaterThan(10);
      const unknown = asked.filter(
        (name) => !text.includes(`\n${name}{`) && !text.includes(`\n${name} `) && !later.includes(name),
      );
      expect(unknown, path).toEqual([]);
    }
  });

  it("sends a span of each request in the caller's trace, with the id of answer and error body, and its engine calls", async () => {
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    const parent = "00f067aa0ba902b7";
    const headers = { traceparent: `00-${traceId}-${parent}-01`, "x-request-id": "one-id.42" };
    const { headers: answered, json } = await ask(service.url, "/v1/spot/garbage", { key, headers });
    expect(answered.get("x-request-id")).toBe("one-id.42");
    expect(json).toMatchObject({ error: "invalid_symbol", request_id: "one-id.42" });
    await ask(service.url, "/v1/bars?symbol=XAU/USD&interval=1d&from=1999-01-01&to=1999-02-01", { key, headers });
    const span = await eventually(
      "the collector has the span",
      () => receiver.spans.find(({ traceId: of, name }) => of === traceId && name === "GET /v1/spot/{symbol}"),
      (found) => found !== undefined,
    );
    expect(span).toMatchObject({ parentSpanId: parent, kind: 2 });
    expect(named(span?.attributes ?? [])).toEqual({
      "http.request.method": "GET",
      "http.route": "/v1/spot/{symbol}",
      "http.response.status_code": "400",
      "http.request.header.x-request-id": "one-id.42",
    });
    const bars = receiver.spans.find(({ traceId: of, name }) => of === traceId && name === "GET /v1/bars");
    const inside = receiver.spans.filter(({ parentSpanId }) => parentSpanId === bars?.spanId);
    expect(inside.map(({ name }) => name)).toContain("pglite");
    expect(receiver.resources.at(-1)).toMatchObject({
      "service.name": "assay-standalone",
      "deployment.environment.name": "test",
    });
  });

  it("starts its own trace for a malformed traceparent", async () => {
    const headers = { traceparent: "00-not-a-trace-01", "x-request-id": "malformed-parent" };
    expect((await ask(service.url, "/v1/health", { headers })).status).toBe(200);
    const span = await eventually(
      "the collector has the span",
      () => receiver.spans.find((each) => named(each.attributes)["http.request.header.x-request-id"] === "malformed-parent"),
      (found) => found !== undefined,
    );
    expect(span?.parentSpanId ?? "").toBe("");
  });

  it("sends the same figures as OTLP, under OpenTelemetry's names", async () => {
    const duration = await eventually(
      "the collector has the durations",
      () => receiver.metrics().find(({ name }) => name === "http.server.request.duration"),
      (found) => found !== undefined,
    );
    expect(duration?.unit).toBe("s");
    const spot = duration?.histogram?.dataPoints.find(
      ({ attributes }) =>
        named(attributes)["http.route"] === "/v1/spot/{symbol}" && named(attributes)["http.response.status_code"] === "200",
    );
    expect(Number(spot?.count)).toBeGreaterThanOrEqual(1);
    expect(spot?.bucketCounts).toHaveLength((spot?.explicitBounds?.length ?? 0) + 1);
    const names = receiver.metrics().map(({ name }) => name);
    for (const name of ["db.client.operation.duration", "assay_writer_lease_held", "process_resident_memory_bytes"])
      expect(names).toContain(name);
  });

  it("sends what is left when it ends, and is not ready while it drains", async () => {
    const before = receiver.spans.length;
    await ask(service.url, "/v1/health", { headers: { "x-request-id": "the-last" } });
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    expect(service.stderr().match(/"signal":"SIGTERM","msg":"shutting down"/g)).toHaveLength(1);
    expect(receiver.spans.length).toBeGreaterThan(before);
    expect(receiver.spans.some(({ attributes }) => named(attributes)["http.request.header.x-request-id"] === "the-last")).toBe(
      true,
    );
  });
});

it("every alert has its section in the operator's page, and every section its alert", () => {
  const alerts = [...shipped("deploy/alerts.yaml").matchAll(/^\s+- alert: (\w+)$/gm)].map(([, name]) => name);
  const page = shipped("docs/operate/recover.md");
  const sections = [...page.matchAll(/^### (Assay\w+)\n\*\*Means\*\*: [^#]*\*\*Look at\*\*: [^#]*\*\*Do\*\*: /gm)].map(
    ([, name]) => name,
  );
  expect(alerts.length).toBeGreaterThan(10);
  expect(sections).toEqual(alerts);
});

it("OpenTelemetry's libraries are a separate file, which no process loads without a collector", () => {
  const folder = dirname(ASSAY);
  const holding = readdirSync(folder).filter((file) => readFileSync(`${folder}/${file}`, "utf8").includes("BatchSpanProcessor"));
  expect(holding).toHaveLength(1);
  expect(readFileSync(ASSAY, "utf8")).not.toContain(`from "./${holding[0]}"`);
});
