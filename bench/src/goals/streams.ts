/** P4: ticks to many WebSocket clients, CPU against a bare loop over `ws.send`. */
import { setTimeout as pause } from "node:timers/promises";
import type { AssayReady } from "../children/assay.ts";
import type { BroadcastOrder, BroadcastReport } from "../children/broadcast.ts";
import { type Child, startChild } from "../children/child.ts";
import type { ClientsOrder, ClientsReport, ClientsSettings } from "../children/stream-clients.ts";
import type { Figure, Goal } from "../goal.ts";
import { NotMeasured } from "../goal.ts";
import { mostOpenFiles, threadsCpuMsOf } from "../measure/process.ts";
import { median } from "../measure/statistics.ts";

/** Numbers of clients, and how many ticks each is sent in a round. */
const SIZES = [
  { clients: 1_000, ticks: 60 },
  { clients: 5_000, ticks: 12 },
  { clients: 10_000, ticks: 8 },
] as const;
const ROUNDS = 5;
const WARM_UP_ROUNDS = 2;
/** Files a process has open besides its connections. */
const OTHER_FILES = 100;
const CONNECT_SETTLE_MS = 1_000;
/** After everyone has a tick: the server may still be tidying up after its last writes. */
const TICK_SETTLE_MS = 20;

const SYMBOLS = ["XAU-USD-SPOT", "XAG-USD-SPOT", "HG-USD-SPOT"];

/** A server with its clients. */
interface Audience {
  readonly server: Child<unknown, BroadcastOrder, BroadcastReport>;
  readonly clients: Child<unknown, ClientsOrder, ClientsReport>;
  readonly count: number;
  /** Ticks sent so far. */
  ticks: number;
}

const gather = async (server: Audience["server"], settings: ClientsSettings): Promise<Audience> => {
  const clients: Audience["clients"] = await startChild("stream-clients", settings);
  await pause(CONNECT_SETTLE_MS);
  await server.ask("collect");
  return { server, clients, count: settings.count, ticks: 0 };
};

const CAN_COLLECT = ["--expose-gc"];

const gatherOurs = async (count: number): Promise<Audience> => {
  const server = await startChild<AssayReady, BroadcastOrder, BroadcastReport>("assay", { hasMarket: false }, CAN_COLLECT);
  const { port, key } = server.ready;
  const hello = [
    JSON.stringify({ action: "auth", api_key: key }),
    JSON.stringify({ action: "subscribe", symbols: SYMBOLS, channels: [] }),
  ];
  return gather(server, { port, count, path: "/v1/stream", hello, welcome: '"type":"subscribed"' });
};

const gatherLoop = async (count: number): Promise<Audience> => {
  const server = await startChild<{ port: number }, BroadcastOrder, BroadcastReport>("ws-loop", {}, CAN_COLLECT);
  return gather(server, { port: server.ready.port, count, path: "/", hello: [], welcome: null });
};

/** What a tick costs until everyone has it, and when they have it. */
interface Sent {
  /** The server's CPU per client. */
  readonly cpuMicros: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Sends one; complete when everyone has it. The CPU of the pause before the next is not the message's. */
const sendTick = async (audience: Audience): Promise<Sent> => {
  const { server, clients, count } = audience;
  const beforeMs = threadsCpuMsOf(server.pid);
  const [{ atMs }, arrival] = await Promise.all([server.ask("tick"), clients.ask({ tick: audience.ticks++ })]);
  await pause(TICK_SETTLE_MS);
  const cpuMicros = ((threadsCpuMsOf(server.pid) - beforeMs) * 1_000) / count;
  return { cpuMicros, p50Ms: arrival.p50Ms - atMs, p99Ms: arrival.p99Ms - atMs };
};

/** The medians, as heartbeats to everyone or a garbage collection may fall into a tick. */
const middle = (sent: readonly Sent[]): Sent => ({
  cpuMicros: median(sent.map(({ cpuMicros }) => cpuMicros)),
  p50Ms: median(sent.map(({ p50Ms }) => p50Ms)),
  p99Ms: median(sent.map(({ p99Ms }) => p99Ms)),
});

/** A round: each tick waits until the one before has arrived, as they would be merged otherwise. */
const broadcast = async (audience: Audience, ticks: number): Promise<Sent> => {
  const sent: Sent[] = [];
  while (sent.length < ticks) sent.push(await sendTick(audience));
  return middle(sent);
};

const inWords = (rounds: readonly Sent[]): string => {
  const { cpuMicros, p50Ms, p99Ms } = middle(rounds);
  return `${cpuMicros.toFixed(2)} µs a message, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;
};

const figureOf = async ({ clients, ticks }: (typeof SIZES)[number]): Promise<Figure> => {
  const ours = await gatherOurs(clients);
  const loop = await gatherLoop(clients);
  const own: Sent[] = [];
  const bare: Sent[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    own.push(await broadcast(ours, ticks));
    bare.push(await broadcast(loop, ticks));
  }
  for (const rounds of [own, bare]) rounds.splice(0, WARM_UP_ROUNDS);
  for (const { server, clients: connected } of [ours, loop]) {
    await connected.stop();
    await server.stop();
  }
  return {
    what: `CPU per message against ws.send, ${clients} WebSocket clients`,
    value: median(own.map(({ cpuMicros }, round) => cpuMicros / (bare[round]?.cpuMicros ?? Number.NaN))),
    unit: "×",
    bound: { atMost: 0.88 },
    raw: `ours ${inWords(own)}; ws.send ${inWords(bare)}`,
  };
};

/** The goal of the streams. */
export const streams: Goal = {
  id: "P4",
  what: "a tick to many WebSocket clients",
  floor: "a loop over ws.send",
  run: async ({ isCheck }) => {
    const sizes = SIZES.filter(({ clients }) => clients + OTHER_FILES <= mostOpenFiles() && (clients === 1_000 || !isCheck));
    if (sizes.length === 0) throw new NotMeasured(`a process may have ${mostOpenFiles()} open files`);
    const figures: Figure[] = [];
    for (const size of sizes) figures.push(await figureOf(size));
    return figures;
  },
};
