/** The metrics of streams. */
import { silentLog } from "@assay/live";
import { Lifecycle, openTelemetry } from "@assay/process";
import { makeTick } from "@assay/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestStreams, type TestStreams } from "../testing/start-test-streams.ts";

let app: TestStreams;
beforeAll(async () => {
  app = await startTestStreams({ before: { ticks: [makeTick(1)] } });
});
afterAll(() => app.close());

const figure = (name: string, labels: Record<string, string> = {}): number =>
  app.service.streams
    .metrics()
    .find(
      (reading) => reading.name === name && Object.entries(labels).every(([label, value]) => reading.labels?.[label] === value),
    )?.value ?? 0;

test("count streams open and opened, ticks and writes, and why streams were closed", async () => {
  const key = await app.key("realtime_pro");
  const [client, sse, bad] = [await app.ws(key.key), await app.sse("?symbol=gold", key.key), await app.ws()];
  bad.send("{");
  await bad.closed;
  await client.subscribe(["XAU-USD-SPOT"]);
  await app.publish(makeTick(2, { computedAtMs: app.clock() }));
  await client.next("tick");
  await sse.next("message");
  await expect.poll(() => figure("assay_streams_open", { wire: "ws" })).toBe(1);
  expect(figure("assay_streams_open", { wire: "sse" })).toBe(1);
  expect(figure("assay_streams_opened_total", { wire: "ws" })).toBe(2);
  expect(figure("assay_streams_closed_total", { wire: "ws", reason: "bad_frame" })).toBe(1);
  expect(figure("assay_stream_entries_total")).toBe(2);
  expect(figure("assay_stream_writes_total")).toBe(2);
  client.socket.close();
  await expect.poll(() => figure("assay_streams_closed_total", { wire: "ws", reason: "client" })).toBe(1);
});

test("are scraped beside those of the process", async () => {
  const lifecycle = new Lifecycle((error) => {
    throw error;
  });
  const settings = { host: "127.0.0.1", maxPipelined: 32, metricsPort: 0, otlpEndpoint: null };
  const telemetry = await openTelemetry(settings, { role: "stream", log: silentLog, clock: Date.now, lifecycle });
  const scraped = await startTestStreams({ telemetry });
  try {
    await scraped.ws();
    const text = await (await fetch(`http://127.0.0.1:${telemetry.port}/metrics`)).text();
    expect(text).toContain('assay_streams_open{wire="ws"} 1');
    expect(text).toContain("process_cpu_seconds_total");
    expect(text).toContain('assay_calls_total{tier="realtime_pro"} 0');
    expect(text.match(/# TYPE assay_streams_open /g)).toHaveLength(1);
  } finally {
    await scraped.close();
    await lifecycle.close();
  }
});
