/** What is scraped, and what counting costs in label values. */
import { beforeEach, describe, expect, test } from "vitest";
import { EngineCalls, RequestDurations } from "./durations.ts";
import { Meter } from "./meter.ts";

describe("the metrics", () => {
  let meter: Meter;
  beforeEach(() => {
    meter = new Meter();
  });

  test("have OpenTelemetry's histogram of requests, by the contract's routes", async () => {
    const requests = new RequestDurations();
    meter.add(() => requests.read());
    const spot = requests.of("GET", "/v1/spot/{symbol}");
    for (const seconds of [0.0004, 0.0006, 20]) spot(200, seconds);
    spot(404, 0.001);
    expect(requests.of("GET", "/v1/spot/{symbol}"), "a second transport adds no second series").toBe(spot);
    const text = await meter.text();
    const labels = 'http_request_method="GET",http_route="/v1/spot/{symbol}",http_response_status_code="200"';
    expect(text).toContain("# TYPE http_server_request_duration_seconds histogram");
    for (const [bound, count] of [
      ["0.0005", 1],
      ["0.001", 2],
      ["10", 2],
      ["+Inf", 3],
    ]) {
      expect(text).toContain(`http_server_request_duration_seconds_bucket{${labels},le="${bound}"} ${count}`);
    }
    expect(text).toContain(`http_server_request_duration_seconds_count{${labels}} 3`);
    expect(text).toContain(`http_server_request_duration_seconds_sum{${labels}} 20.001`);
    expect(text.match(/^# TYPE http_server_request_duration_seconds /gm)).toHaveLength(1);
    expect(text).toContain('http_response_status_code="404"');
  });

  test("have Node's own, and those of every part under one heading a name", async () => {
    meter.add(() => [
      { name: "assay_streams_open", help: "Open", kind: "gauge", labels: { wire: "ws" }, value: 2 },
      { name: "assay_streams_open", help: "Open", kind: "gauge", labels: { wire: 's"e' }, value: 1 },
    ]);
    const text = await meter.text();
    expect(text).toContain(
      '# TYPE assay_streams_open gauge\nassay_streams_open{wire="ws"} 2\nassay_streams_open{wire="s\\"e"} 1',
    );
    expect(text).toContain("nodejs_eventloop_lag_p99_seconds");
    expect((await meter.readDefaults()).some(({ name }) => name === "process_resident_memory_bytes")).toBe(true);
  });

  test("count the calls to an engine that have no answer yet, failed ones included", async () => {
    const calls = new EngineCalls();
    meter.add(() => calls.depths());
    const around = calls.of("postgresql", null);
    const waiting = async (): Promise<string | undefined> =>
      /assay_engine_calls_waiting\{db_system_name="postgresql"\} (\d+)/.exec(await meter.text())?.[1];
    expect(await waiting()).toBe("0");
    const answers: ((error?: Error) => void)[] = [];
    const call = () =>
      around(() => new Promise<void>((resolve, reject) => answers.push((error) => (error ? reject(error) : resolve()))));
    const both = [call(), call()];
    expect(await waiting()).toBe("2");
    answers[0]?.();
    answers[1]?.(new Error("refused"));
    await Promise.allSettled(both);
    expect(await waiting()).toBe("0");
  });

  test("continue without a part that cannot be read", async () => {
    meter.add(() => Promise.reject(new Error("Redis is unavailable")));
    meter.add(() => [{ name: "assay_writer_leading", help: "Leads", kind: "gauge", value: 1 }]);
    expect(await meter.text()).toContain("assay_writer_leading 1");
  });
});
