/** A mixed load on one service: requests at a given rate, each answer checked, and followers of the stream that miss no number. */
import { Agent, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { WebSocket } from "ws";

/** Of ten requests seven are of prices, two of bars, one opens the SSE stream and reads its first tick. */
const STREAM = "/v1/prices/stream?symbol=gold";
const PATHS = [
  "/v1/spot/gold",
  "/v1/prices?include=all",
  "/v1/spot/XAU-EUR-SPOT",
  "/v1/convert?from=XAU&to=EUR&amount=3",
  "/v1/carat?currency=USD",
  "/v1/prices/divergence",
  "/v1/spot/silver",
  "/v1/bars?symbol=XAU/USD&interval=1d&from=2015-01-01&to=2036-01-01&limit=200",
  "/v1/bars/latest?symbol=XAU/USD&interval=1m",
  STREAM,
] as const;
const SYMBOL = "XAU-USD-SPOT";

/** What was measured. */
export interface LoadReport {
  readonly requests: number;
  readonly perSecond: number;
  readonly latenciesMs: readonly number[];
  /** In words; none when every answer was valid and no number was lost. */
  readonly faults: readonly string[];
}

/** Makes one request; returns what is wrong with its answer, or null. Not by `fetch`, which costs more than most answers. */
const ask = (agent: Agent, url: string, path: string, key: string): Promise<string | null> =>
  new Promise((resolve) => {
    const sent = request(`${url}${path}`, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
        // A stream has no end: its first tick is its answer.
        if (path !== STREAM || !text.includes("\ndata:")) return;
        sent.destroy();
        resolve(null);
      });
      response.on("error", () => undefined);
      response.on("end", () => {
        if (response.statusCode !== 200) return resolve(`${path} answered ${response.statusCode}`);
        try {
          JSON.parse(text);
          resolve(null);
        } catch {
          resolve(`${path} answered no JSON`);
        }
      });
    });
    sent.on("error", (error) => resolve(`${path}: ${error.message}`)).end();
  });

/** Follows gold, and notes every number that is missing or comes twice. */
const follow = (url: string, key: string, faults: string[]): WebSocket => {
  const socket = new WebSocket(`${url.replace("http", "ws")}/v1/stream`);
  let last: number | null = null;
  socket.on("open", () => {
    socket.send(JSON.stringify({ action: "auth", api_key: key }));
    socket.send(JSON.stringify({ action: "subscribe", symbols: [SYMBOL], channels: [] }));
  });
  socket.on("message", (data) => {
    const frame = JSON.parse(String(data)) as { type: string; seq: number }; // a tick, or a frame of another type
    if (frame.type !== "tick") return;
    if (last !== null && frame.seq !== last + 1) faults.push(`a follower got ${frame.seq} after ${last}`);
    last = frame.seq;
  });
  socket.on("error", (error) => faults.push(`a follower: ${error.message}`));
  socket.on("close", (code) => faults.push(`a follower was disconnected with ${code}`));
  return socket;
};

/** What is asked of the load. */
export interface LoadOptions {
  readonly url: string;
  readonly key: string;
  readonly forMs: number;
  readonly clients: number;
  readonly followers: number;
  /** Requests a second over all clients; as many as they can without it. */
  readonly perSecond?: number;
}

/** Runs it. */
export const mixedLoad = async ({ url, key, forMs, clients, followers, perSecond }: LoadOptions): Promise<LoadReport> => {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const faults: string[] = [];
  const latenciesMs: number[] = [];
  const sockets = Array.from({ length: followers }, () => follow(url, key, faults));
  const startedMs = performance.now();
  let turn = 0;
  const work = async (): Promise<void> => {
    for (;;) {
      const elapsedMs = performance.now() - startedMs;
      if (elapsedMs >= forMs) return;
      const mine = turn++;
      // Each request has its time; one that is late is sent at once.
      if (perSecond !== undefined) await pause(Math.max(0, (mine * 1_000) / perSecond - elapsedMs));
      const path = PATHS[mine % PATHS.length] ?? STREAM;
      const sentMs = performance.now();
      const fault = await ask(agent, url, path, key);
      if (fault === null) latenciesMs.push(performance.now() - sentMs);
      else faults.push(fault);
    }
  };
  await Promise.all(Array.from({ length: clients }, work));
  const seconds = (performance.now() - startedMs) / 1_000;
  for (const socket of sockets) socket.removeAllListeners("close").terminate();
  agent.destroy();
  return { requests: turn, perSecond: turn / seconds, latenciesMs, faults };
};
