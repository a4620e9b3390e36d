/** P17: from a feed's reading to a WebSocket client, in one process, and over PostgreSQL and Redis. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocket } from "ws";
import type { Bench, BenchContext } from "../bench.ts";
import { clusterServers, startCluster } from "../fixtures/cluster.ts";
import { quantile } from "../measure/statistics.ts";
import { type Service, startService, untilSettled } from "../ours/service.ts";

const SYMBOL = "XAU-USD-SPOT";
/** The simulated market makes one a second. */
const TICKS = 30;
/**
 * A new writer catches up, and what it publishes then is late by as much as it took to start: ticks count once this many in a row
 * were less than a second late.
 */
const FIRST_TICKS = 10;
const LATE_MS = 1_000;
const SETTLED_WITHIN_MS = 300_000;

/**
 * The time from a reading to the client, over many ticks. The simulated feed dates a reading at the whole second at which the
 * writer takes it, so the writer's own work, the store and the way to the client are all in it.
 */
const listen = (url: string, key: string): Promise<number[]> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace("http", "ws")}/v1/stream`);
    let inTime = 0;
    const times: number[] = [];
    socket.on("open", () => {
      socket.send(JSON.stringify({ action: "auth", api_key: key }));
      socket.send(JSON.stringify({ action: "subscribe", symbols: [SYMBOL], channels: [] }));
    });
    socket.on("message", (data) => {
      const nowMs = performance.timeOrigin + performance.now();
      const frame = JSON.parse(String(data)) as { type: string; computed_at: string }; // the tick's frame, or another type
      if (frame.type !== "tick") return;
      const lateMs = nowMs - Date.parse(frame.computed_at);
      if (inTime < FIRST_TICKS) inTime = lateMs < LATE_MS ? inTime + 1 : 0;
      else times.push(lateMs);
      if (times.length < TICKS) return;
      socket.close();
      resolve(times);
    });
    socket.on("error", reject);
    socket.on("close", (code) => reject(new Error(`the stream closed with ${code}`)));
  });

/** The floor: a timer of Node's that should fire at whole seconds. */
const timerText = async (): Promise<string> => {
  const late: number[] = [];
  while (late.length < 10) {
    await new Promise((resolve) => setTimeout(resolve, 1_000 - (Date.now() % 1_000)));
    late.push((performance.timeOrigin + performance.now()) % 1_000);
  }
  return `a bare timer is ${quantile(late, 0.5).toFixed(1)} ms late`;
};

const reportOf = async (
  { report }: BenchContext,
  name: string,
  { url }: Service,
  key: string,
  [p50, p99]: readonly [number, number],
): Promise<void> => {
  const times = await listen(url, key);
  const raw = `${TICKS} ticks, ${Math.min(...times).toFixed(1)} to ${Math.max(...times).toFixed(1)} ms; ${await timerText()}`;
  const what = `from a reading to a WebSocket client, ${name}`;
  report({ id: "P17", what: `${what}, p50`, figure: quantile(times, 0.5), unit: "ms", goal: { atMost: p50 }, raw });
  report({ id: "P17", what: `${what}, p99`, figure: quantile(times, 0.99), unit: "ms", goal: { atMost: p99 }, raw });
};

const inOneProcess = async (context: BenchContext): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "assay-bench-"));
  const service = await startService("start", { DATA_DIR: folder, SIM_HISTORY_DAYS: "1" });
  try {
    await untilSettled(service, SETTLED_WITHIN_MS);
    const keys = JSON.parse(await readFile(join(folder, "demo-keys.json"), "utf8")) as { realtime_pro: string }; // the demo's own
    await reportOf(context, "one process", service, keys.realtime_pro, [5, 20]);
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

const overEngines = async (context: BenchContext): Promise<void> => {
  const servers = clusterServers(context);
  if (typeof servers === "string") return context.skip("P17", `over PostgreSQL and Redis: ${servers}`);
  const cluster = await startCluster(servers);
  try {
    await reportOf(context, "over PostgreSQL and Redis", await cluster.start("stream"), cluster.key, [15, 50]);
  } finally {
    await cluster.close();
  }
};

/** The benchmark of latency. */
export const latency: Bench = {
  ids: ["P17"],
  run: async (context) => {
    await inOneProcess(context);
    await overEngines(context);
  },
};
