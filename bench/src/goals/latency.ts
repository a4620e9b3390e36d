/** P17: from a feed's reading to a WebSocket client, in one process, and over PostgreSQL and Redis. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocket } from "ws";
import type { Bench, BenchContext } from "../bench.ts";
import { makeDatabase } from "../fixtures/bars-database.ts";
import { clusterServers, startCluster } from "../fixtures/cluster.ts";
import { writePriceReplay } from "../fixtures/price-replay.ts";
import { quantile } from "../measure/statistics.ts";
import { type Service, startService } from "../ours/service.ts";
import { type BareEngines, barePushes } from "../references/bare-push.ts";

const SYMBOL = "XAU-USD-SPOT";
const TICKS = 30;
/**
 * A new writer catches up, and what it publishes then is late by as much as it took to start: ticks count once this many in a row
 * were less than a second late.
 */
const FIRST_TICKS = 10;
const LATE_MS = 1_000;

interface Heard {
  /** How long each tick took. */
  readonly times: readonly number[];
  /** The last frame. */
  readonly text: string;
}

/**
 * The time from the second at which the writer is due to compose what it read, until the client has the tick: a timer, composing, the
 * store and the way to the client. The readings come from a file, since the simulated market would make them within that time.
 * Nothing else runs in the client's process.
 */
const listen = (url: string, key: string): Promise<Heard> =>
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
      const text = String(data);
      const frame = JSON.parse(text) as { type: string; computed_at: string }; // the tick's frame, or another type
      if (frame.type !== "tick") return;
      const lateMs = nowMs - Date.parse(frame.computed_at);
      if (inTime < FIRST_TICKS) inTime = lateMs < LATE_MS ? inTime + 1 : 0;
      else times.push(lateMs);
      if (times.length < TICKS) return;
      socket.close();
      resolve({ times, text });
    });
    socket.on("error", reject);
    socket.on("close", (code) => reject(new Error(`the stream closed with ${code}`)));
  });

const reportOf = async (
  { report }: BenchContext,
  name: string,
  { url }: Service,
  key: string,
  engines: BareEngines,
  [p50, p99]: readonly [number, number],
): Promise<void> => {
  const { times, text } = await listen(url, key);
  const bare = await barePushes(engines, text);
  const [least, most] = [Math.min(...times).toFixed(1), Math.max(...times).toFixed(1)];
  const floor = `${quantile(bare, 0.5).toFixed(1)}, p99 ${quantile(bare, 0.99).toFixed(1)} ms`;
  const raw = `${TICKS} ticks, ${least} to ${most} ms; a timer, a commit of one row and the same bytes by ws.send: p50 ${floor}`;
  const what = `from a reading to a WebSocket client, ${name}`;
  report({ id: "P17", what: `${what}, p50`, figure: quantile(times, 0.5), unit: "ms", goal: { atMost: p50 }, raw });
  report({ id: "P17", what: `${what}, p99`, figure: quantile(times, 0.99), unit: "ms", goal: { atMost: p99 }, raw });
};

const EMBEDDED: BareEngines = { databaseUrl: null, redisUrl: null };

const inOneProcess = async (context: BenchContext, folder: string, feeds: string): Promise<void> => {
  const service = await startService("start", { DATA_DIR: folder, FEEDS: feeds, DISABLE: "download" });
  try {
    const keys = JSON.parse(await readFile(join(folder, "demo-keys.json"), "utf8")) as { realtime_pro: string }; // the demo's own
    await reportOf(context, "one process", service, keys.realtime_pro, EMBEDDED, [5, 20]);
  } finally {
    await service.stop();
  }
};

const overEngines = async (context: BenchContext, feeds: string): Promise<void> => {
  const servers = clusterServers(context);
  if (typeof servers === "string") return context.skip("P17", `over PostgreSQL and Redis: ${servers}`);
  const cluster = await startCluster(servers, { FEEDS: feeds });
  const bare = await makeDatabase(servers.databaseUrl);
  try {
    const engines = { databaseUrl: bare.url, redisUrl: servers.redisUrl };
    await reportOf(context, "over PostgreSQL and Redis", await cluster.start("stream"), cluster.key, engines, [15, 50]);
  } finally {
    await bare.drop();
    await cluster.close();
  }
};

/** The benchmark of latency. */
export const latency: Bench = {
  ids: ["P17"],
  run: async (context) => {
    const folder = await mkdtemp(join(tmpdir(), "assay-bench-"));
    try {
      const feeds = await writePriceReplay(join(folder, "prices.ndjson"));
      await inOneProcess(context, folder, feeds);
      await overEngines(context, feeds);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
