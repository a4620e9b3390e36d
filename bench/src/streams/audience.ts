/** Stream servers and their clients, each in a separate process, and rounds of ticks from the ones to the others. */
import { setTimeout as pause } from "node:timers/promises";
import { type Child, startPart } from "../measure/child.ts";
import { mostOpenFiles, threadsCpuMsOf } from "../measure/process-figures.ts";
import { median } from "../measure/statistics.ts";
import type { ClientsOrder, ClientsReport, ClientsSettings } from "../measure/stream-clients-part.ts";
import type { PartName } from "../parts.ts";
import type { BroadcastOrder, BroadcastReport, StreamServerReady } from "./broadcaster.ts";

/** A transport. */
export type Kind = ClientsSettings["kind"];

/** A stream server. */
export interface StreamServer extends Child<StreamServerReady, BroadcastOrder, BroadcastReport> {
  readonly part: PartName;
}

/** Clients of one server. */
export type Clients = Child<null, ClientsOrder | "report", ClientsReport | null>;

const SYMBOLS = ["XAU-USD-SPOT", "XAG-USD-SPOT", "HG-USD-SPOT"];

const settingsOf = (kind: Kind, { part, ready: { port, key } }: StreamServer, count: number): ClientsSettings => {
  const bare = { port, kind, path: "/", count, headers: [], hello: [], welcome: null };
  if (part !== "assay-streams") return bare;
  if (kind === "sse") {
    return {
      ...bare,
      path: "/v1/prices/stream?symbol=XAU-USD-SPOT",
      headers: [`Authorization: Bearer ${key}`],
      welcome: "retry:",
    };
  }
  const hello = [
    JSON.stringify({ action: "auth", api_key: key }),
    JSON.stringify({ action: "subscribe", symbols: SYMBOLS, channels: [] }),
  ];
  return { ...bare, path: "/v1/stream", hello, welcome: '"type":"subscribed"' };
};

/**
 * Starts a server; on Node it can run a garbage collection on demand.
 * @param program another runtime
 * @param flags of Node
 */
export const startServer = async (part: PartName, program?: string, flags: readonly string[] = []): Promise<StreamServer> => {
  const host = program === undefined ? { nodeOptions: ["--expose-gc", ...flags] } : { program };
  const child: Child<StreamServerReady, BroadcastOrder, BroadcastReport> = await startPart(part, null, host);
  return { ...child, part };
};

/** Connects clients; resolves when all are open. */
export const connectClients = (server: StreamServer, kind: Kind, count: number): Promise<Clients> =>
  startPart("stream-clients", settingsOf(kind, server, count));

/** Files a process has open besides its connections. */
const OTHER_FILES = 100;
const ROUNDS = 5;
const CONNECT_SETTLE_MS = 1_000;
/** After everyone has a flush: the server may still be tidying up after its last writes. */
const FLUSH_SETTLE_MS = 20;
/** Long enough for four heartbeats and three pings of every connection. */
const UPKEEP_MS = 60_000;

/** A server with its clients. */
interface ServerGroup {
  readonly server: StreamServer;
  readonly clients: Clients;
}

/** Servers with their clients: one, unless a process may not have so many connections. */
export interface Audience {
  readonly groups: readonly ServerGroup[];
  readonly count: number;
}

/** One round. */
export interface Round {
  /** The server's CPU per tick and client of the median flush, from its start until everyone has it. */
  readonly cpuMicros: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly stallMs: number;
}

/** How many servers a number of clients needs on this system: each may have so many connections. */
export const serversFor = (clients: number): number => Math.ceil(clients / Math.max(mostOpenFiles() - OTHER_FILES, 1));

/** Connects clients to as many servers as they need. */
export const gather = async (part: PartName, kind: Kind, count: number, program?: string): Promise<Audience> => {
  const servers = serversFor(count);
  const groups: ServerGroup[] = [];
  while (groups.length < servers) {
    const server = await startServer(part, program);
    const share = Math.trunc(count / servers) + (groups.length < count % servers ? 1 : 0);
    groups.push({ server, clients: await connectClients(server, kind, share) });
  }
  await pause(CONNECT_SETTLE_MS);
  // Garbage from the start is collected before measuring.
  for (const { server } of groups) await server.run({ flushes: 0, perFlush: 1, everyMs: 0 });
  return { groups, count };
};

/** Stops its processes. */
export const end = async ({ groups }: Audience): Promise<void> => {
  for (const { server, clients } of groups) {
    await clients.stop();
    await server.stop();
  }
};

/** The CPU of its servers so far. */
const cpuMsOf = ({ groups }: Audience): number => groups.reduce((sum, { server }) => sum + server.cpuMs(), 0);

/** One flush to the clients of a server; complete when everyone has it. The CPU of the pause after it is not the message's. */
const flushOne = async ({ server, clients }: ServerGroup, order: BroadcastOrder) => {
  await clients.run({ ticks: order.perFlush, perFlush: order.perFlush });
  const before = threadsCpuMsOf(server.pid);
  const arrival = async () => {
    const report = await clients.run("report");
    await pause(FLUSH_SETTLE_MS);
    return { arrived: report?.arrivals[0], cpuMs: threadsCpuMsOf(server.pid) - before };
  };
  const [{ publishedMs, longestStallMs }, { arrived, cpuMs }] = await Promise.all([
    server.run({ ...order, flushes: 1 }),
    arrival(),
  ]);
  const since = publishedMs[0] ?? Number.NaN;
  return { cpuMs, p50Ms: (arrived?.p50Ms ?? Number.NaN) - since, p99Ms: (arrived?.p99Ms ?? Number.NaN) - since, longestStallMs };
};

/** One flush to everyone; of several servers the slowest counts. */
const flush = async ({ groups }: Audience, order: BroadcastOrder) => {
  const all = await Promise.all(groups.map((group) => flushOne(group, order)));
  const slowest = (figure: "p50Ms" | "p99Ms" | "longestStallMs"): number => Math.max(...all.map((each) => each[figure]));
  const cpuMs = all.reduce((sum, each) => sum + each.cpuMs, 0);
  return { cpuMs, p50Ms: slowest("p50Ms"), p99Ms: slowest("p99Ms"), longestStallMs: slowest("longestStallMs") };
};

/** A round: each flush waits until the previous one has arrived, as overlapping ones would be merged. */
const broadcast = async (audience: Audience, order: BroadcastOrder): Promise<Round> => {
  const { count } = audience;
  const { flushes, perFlush } = order;
  const done: Awaited<ReturnType<typeof flush>>[] = [];
  while (done.length < flushes) done.push(await flush(audience, order));
  const p99Ms = median(done.map((one) => one.p99Ms));
  return {
    // The median, as heartbeats to everyone or a garbage collection may fall into a flush: what idle connections cost is measured apart.
    cpuMicros: (median(done.map((one) => one.cpuMs)) * 1000) / (count * perFlush),
    perSecond: (count * perFlush * 1000) / p99Ms,
    p50Ms: median(done.map((one) => one.p50Ms)),
    p99Ms,
    stallMs: Math.max(...done.map((one) => one.longestStallMs)),
  };
};

/** The server's CPU per idle connection, with keep-alive traffic only, in microseconds per second. */
export const upkeep = async (audience: Audience): Promise<number> => {
  const before = cpuMsOf(audience);
  await pause(UPKEEP_MS);
  return ((cpuMsOf(audience) - before) * 1_000_000) / UPKEEP_MS / audience.count;
};

/** Rounds of several audiences, alternating; stalls are measured in a separate round, as that costs CPU. */
export const compare = async (audiences: readonly Audience[], order: BroadcastOrder): Promise<Round[][]> => {
  const rounds: Round[][] = audiences.map(() => []);
  for (const audience of audiences) for (let warm = 0; warm < 2; warm += 1) await broadcast(audience, order);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, audience] of audiences.entries()) rounds[index]?.push(await broadcast(audience, order));
  }
  const stallsMs: number[] = [];
  for (const audience of audiences) stallsMs.push((await broadcast(audience, { ...order, watchesStalls: true })).stallMs);
  return rounds.map((own, index) => own.map((round) => ({ ...round, stallMs: stallsMs[index] ?? Number.NaN })));
};
