/** P17: from composed prices to a WebSocket client, in one process, and over PostgreSQL and Redis. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { INSTRUMENTS } from "@assay/pricing";
import { simulatedPrice } from "@assay/simulator";
import { WebSocket } from "ws";
import type { Bench, BenchContext, Goal } from "../bench.ts";
import { makeDatabase } from "../fixtures/bars-database.ts";
import { clusterServers, startCluster } from "../fixtures/cluster.ts";
import { type Metrics, openMetrics } from "../measure/process-figures.ts";
import { quantile } from "../measure/statistics.ts";
import { type Service, startService } from "../ours/service.ts";
import { type BareEngines, barePushes } from "../references/bare-push.ts";

/** Far longer than a benchmark reads it. */
const SECONDS = 900;
const SOURCES = ["replay-a", "replay-b", "replay-c"];

/** Every instrument from three sources at a whole second. */
const linesAt = (atMs: number): string[] =>
  INSTRUMENTS.flatMap((instrument) => {
    const reading = { instrument, price: simulatedPrice(instrument, atMs, 1), observed_at: new Date(atMs).toISOString() };
    return SOURCES.map((source) => JSON.stringify({ kind: "spot", source, ...reading }));
  });

/** Writes it. @returns the setting that replays it */
const writePriceReplay = async (file: string): Promise<string> => {
  const firstMs = Math.ceil(Date.now() / 1_000) * 1_000;
  const lines = Array.from({ length: SECONDS }, (_, second) => linesAt(firstMs + second * 1_000)).flat();
  await writeFile(file, `${lines.join("\n")}\n`);
  return `replay:${file}`;
};

const SYMBOL = "XAU-USD-SPOT";
const TICKS = 30;
/**
 * A new writer catches up, and what it publishes then is late by as much as it took to start: ticks count once this many in a row
 * were less than a second late.
 */
const FIRST_TICKS = 10;
const LATE_MS = 1_000;

interface Heard {
  /** How long each tick took from the second at which it was due: a timer, composing, the store and the way to the client. */
  readonly fromDue: readonly number[];
  /** The same without the timer and composing. */
  readonly fromComposed: readonly number[];
  /** The last frame. */
  readonly text: string;
}

/**
 * Follows ticks. Their readings come from a file, since the simulated market would make them within that time. Nothing else runs in
 * the client's process, and the writer is asked how late it composed a tick after the tick has arrived.
 */
const listen = (url: string, key: string, writer: Metrics): Promise<Heard> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace("http", "ws")}/v1/stream`);
    let inTime = 0;
    const [fromDue, fromComposed]: [number[], number[]] = [[], []];
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
      if (inTime < FIRST_TICKS) {
        inTime = lateMs < LATE_MS ? inTime + 1 : 0;
        return;
      }
      writer.composeDelayMs().then((delayMs) => {
        fromDue.push(lateMs);
        fromComposed.push(lateMs - delayMs);
        if (fromDue.length < TICKS) return;
        socket.close();
        resolve({ fromDue, fromComposed, text });
      }, reject);
    });
    socket.on("error", reject);
    socket.on("close", (code) => reject(new Error(`the stream closed with ${code}`)));
  });

const reportOf = async (
  { report }: BenchContext,
  name: string,
  { url }: Service,
  key: string,
  writer: Metrics,
  engines: BareEngines,
  goals: readonly [number, number],
): Promise<void> => {
  const { fromDue, fromComposed, text } = await listen(url, key, writer);
  const bare = await barePushes(engines, text);
  const floor = `${quantile(bare, 0.5).toFixed(1)}, p99 ${quantile(bare, 0.99).toFixed(1)} ms`;
  const reportBoth = (what: string, times: readonly number[], [p50, p99]: readonly Goal[]): void => {
    const [least, most] = [Math.min(...times).toFixed(1), Math.max(...times).toFixed(1)];
    const raw = `${TICKS} ticks, ${least} to ${most} ms; a timer, a commit of one row and the same bytes by ws.send: p50 ${floor}`;
    const whole = `${what} to a WebSocket client, ${name}`;
    report({ id: "P17", what: `${whole}, p50`, figure: quantile(times, 0.5), unit: "ms", ...(p50 && { goal: p50 }), raw });
    report({ id: "P17", what: `${whole}, p99`, figure: quantile(times, 0.99), unit: "ms", ...(p99 && { goal: p99 }), raw });
  };
  const bounds = goals.map((atMost) => ({ atMost }));
  reportBoth("from composed prices", fromComposed, bounds);
  reportBoth("from the second they are due", fromDue, []);
};

const EMBEDDED: BareEngines = { databaseUrl: null, redisUrl: null };

const inOneProcess = async (context: BenchContext, folder: string, feeds: string): Promise<void> => {
  const metrics = await openMetrics();
  const service = await startService("start", { DATA_DIR: folder, FEEDS: feeds, DISABLE: "download", ...metrics.settings });
  try {
    const keys = JSON.parse(await readFile(join(folder, "demo-keys.json"), "utf8")) as { realtime_pro: string }; // the demo's own
    await reportOf(context, "one process", service, keys.realtime_pro, metrics, EMBEDDED, [5, 20]);
  } finally {
    await service.stop();
  }
};

const overEngines = async (context: BenchContext, feeds: string): Promise<void> => {
  const servers = clusterServers(context);
  if (typeof servers === "string") return context.skip("P17", `over PostgreSQL and Redis: ${servers}`);
  const metrics = await openMetrics();
  const cluster = await startCluster(servers, { FEEDS: feeds }, metrics.settings);
  const bare = await makeDatabase(servers.databaseUrl);
  try {
    const engines = { databaseUrl: bare.url, redisUrl: servers.redisUrl };
    await reportOf(context, "over PostgreSQL and Redis", await cluster.start("stream"), cluster.key, metrics, engines, [15, 50]);
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
