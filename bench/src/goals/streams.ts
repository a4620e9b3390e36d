/**
 * P4 to P7: ticks to many clients over WebSocket and SSE, compared with bare loops over `ws.send` and `response.write`; P20:
 * with Bun's `publish`.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Bench, BenchContext } from "../bench.ts";
import { findBun } from "../measure/peer-packages.ts";
import { mostOpenFiles, threadsCpuMsOf } from "../measure/process-figures.ts";
import { median } from "../measure/statistics.ts";
import type { PartName } from "../parts.ts";
import { type Clients, connectClients, type Kind, type StreamServer, startServer } from "../streams/audience.ts";
import type { BroadcastOrder } from "../streams/broadcaster.ts";

/** Numbers of clients, and how many times each is sent ticks per round. */
const SIZES: readonly { readonly clients: number; readonly flushes: number; readonly everyMs: number }[] = [
  { clients: 1_000, flushes: 60, everyMs: 60 },
  { clients: 5_000, flushes: 12, everyMs: 250 },
  { clients: 10_000, flushes: 8, everyMs: 500 },
  { clients: 50_000, flushes: 3, everyMs: 2_000 },
];
/** Files a process has open besides its connections. */
const OTHER_FILES = 100;
/** Where a process may not have so many connections, clients are spread over several servers: at most this many. */
const MOST_SERVERS = 4;
const ROUNDS = 5;
const CONNECT_SETTLE_MS = 1_000;
/** After everyone has a flush: the server may still be tidying up after its last writes. */
const FLUSH_SETTLE_MS = 20;
/** Long enough for four heartbeats and three pings of every connection. */
const UPKEEP_MS = 60_000;

/** A server with its clients. */
interface Hall {
  readonly server: StreamServer;
  readonly clients: Clients;
}

/** Servers with their clients: one, unless a process may not have so many connections. */
interface Audience {
  readonly halls: readonly Hall[];
  readonly count: number;
}

/** One round. */
interface Round {
  /** The server's CPU per tick and client of the median flush, from its start until everyone has it. */
  readonly cpuMicros: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly stallMs: number;
}

/** How many servers a number of clients needs on this system: each may have so many connections. */
const serversFor = (clients: number): number => Math.ceil(clients / Math.max(mostOpenFiles() - OTHER_FILES, 1));

/** Whether a number of clients was selected and this system allows so many connections. */
const isPossible = (id: string, clients: number, { wantsClients, skip }: BenchContext): boolean => {
  if (!wantsClients(clients)) return false;
  if (serversFor(clients) <= MOST_SERVERS) return true;
  skip(`${id} with ${clients} clients`, `a process may have ${mostOpenFiles()} open files`);
  return false;
};

const described = (clients: number, wire: "WebSocket" | "SSE"): string => {
  const servers = serversFor(clients);
  return `${clients} ${wire} clients${servers > 1 ? ` of ${servers} processes` : ""}`;
};

const gather = async (part: PartName, kind: Kind, count: number, program?: string): Promise<Audience> => {
  const servers = serversFor(count);
  const halls: Hall[] = [];
  while (halls.length < servers) {
    const server = await startServer(part, program);
    const share = Math.trunc(count / servers) + (halls.length < count % servers ? 1 : 0);
    halls.push({ server, clients: await connectClients(server, kind, share) });
  }
  await pause(CONNECT_SETTLE_MS);
  // Garbage from the start is collected before measuring.
  for (const { server } of halls) await server.run({ flushes: 0, perFlush: 1, everyMs: 0 });
  return { halls, count };
};

const end = async ({ halls }: Audience): Promise<void> => {
  for (const { server, clients } of halls) {
    await clients.stop();
    await server.stop();
  }
};

/** The CPU of its servers so far. */
const cpuMsOf = ({ halls }: Audience): number => halls.reduce((sum, { server }) => sum + server.cpuMs(), 0);

/** One flush to the clients of a server; complete when everyone has it. The CPU of the pause after it is not the message's. */
const flushOne = async ({ server, clients }: Hall, order: BroadcastOrder) => {
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
const flush = async ({ halls }: Audience, order: BroadcastOrder) => {
  const all = await Promise.all(halls.map((hall) => flushOne(hall, order)));
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
    // The median, as heartbeats to everyone or a garbage collection may fall into a flush: what idle connections cost is told apart.
    cpuMicros: (median(done.map((one) => one.cpuMs)) * 1000) / (count * perFlush),
    perSecond: (count * perFlush * 1000) / p99Ms,
    p50Ms: median(done.map((one) => one.p50Ms)),
    p99Ms,
    stallMs: Math.max(...done.map((one) => one.longestStallMs)),
  };
};

/** The server's CPU per idle connection, with keep-alive traffic only, in microseconds per second. */
const upkeep = async (audience: Audience): Promise<number> => {
  const before = cpuMsOf(audience);
  await pause(UPKEEP_MS);
  return ((cpuMsOf(audience) - before) * 1_000_000) / UPKEEP_MS / audience.count;
};

/** Rounds of several audiences, alternating; stalls are measured in a separate round, as that costs CPU. */
const compare = async (audiences: readonly Audience[], order: BroadcastOrder): Promise<Round[][]> => {
  const rounds: Round[][] = audiences.map(() => []);
  for (const audience of audiences) for (let warm = 0; warm < 2; warm += 1) await broadcast(audience, order);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, audience] of audiences.entries()) rounds[index]?.push(await broadcast(audience, order));
  }
  const stallsMs: number[] = [];
  for (const audience of audiences) stallsMs.push((await broadcast(audience, { ...order, watchesStalls: true })).stallMs);
  return rounds.map((own, index) => own.map((round) => ({ ...round, stallMs: stallsMs[index] ?? Number.NaN })));
};

const ratio = (ours: readonly Round[] | undefined, theirs: readonly Round[] | undefined, figure: keyof Round): number =>
  median((ours ?? []).map((round, index) => round[figure] / (theirs?.[index]?.[figure] ?? Number.NaN)));

const middle = (rounds: readonly Round[] | undefined, figure: keyof Round): number =>
  median((rounds ?? []).map((round) => round[figure]));

const told = (rounds: readonly Round[] | undefined): string =>
  `${middle(rounds, "cpuMicros").toFixed(2)} µs a message, ${middle(rounds, "perSecond").toFixed(0)}/s, ` +
  `p50 ${middle(rounds, "p50Ms").toFixed(1)} ms, p99 ${middle(rounds, "p99Ms").toFixed(1)} ms, ` +
  `longest stall ${middle(rounds, "stallMs").toFixed(1)} ms`;

/** Bun frames a message once in native code and hands it to uWebSockets' topics; its clock is its own, so only CPU compares. */
const besideBun = async (bun: string, ours: Audience, loop: Audience, order: BroadcastOrder, { report }: BenchContext) => {
  const publish = await gather("bun-publish", "ws", loop.count, bun);
  const [theirs, own, bare] = await compare([publish, ours, loop], order);
  const [micros, mine, send] = [theirs, own, bare].map((rounds) => middle(rounds, "cpuMicros").toFixed(2));
  report({
    id: "P20",
    what: `Bun's publish, CPU per message against ws.send, ${described(loop.count, "WebSocket")}`,
    figure: ratio(theirs, bare, "cpuMicros"),
    unit: "×",
    raw: `Bun ${micros} µs a message, ours ${mine} µs, ws.send ${send} µs`,
  });
  await end(publish);
};

const overWebSocket = async (context: BenchContext): Promise<void> => {
  const { report, wants, skip } = context;
  const bun = wants("P20") ? await findBun() : null;
  if (bun !== null && "why" in bun) skip("P20", bun.why);
  for (const { clients, flushes, everyMs } of SIZES) {
    if (!isPossible("P4 to P6", clients, context)) continue;
    const ours = await gather("assay-streams", "ws", clients);
    const loop = await gather("ws-send-loop", "ws", clients);
    const one = { flushes, everyMs, perFlush: 1 };
    const [own, bare] = await compare([ours, loop], one);
    const raw = `ours ${told(own)}; ws.send ${told(bare)}`;
    const many = described(clients, "WebSocket");
    const figure = ratio(own, bare, "cpuMicros");
    if (wants("P4"))
      report({ id: "P4", what: `CPU per message against ws.send, ${many}`, figure, unit: "×", goal: { atMost: 0.85 }, raw });
    if (wants("P5")) {
      const [joined] = await compare([ours], { ...one, perFlush: 4 });
      const share = middle(joined, "cpuMicros") / middle(bare, "cpuMicros");
      const what = `CPU per tick when four are flushed together, against ws.send, ${many}`;
      report({
        id: "P5",
        what,
        figure: share,
        unit: "×",
        goal: { atMost: 0.3 },
        raw: `ours ${told(joined)}; ws.send ${told(bare)}`,
      });
    }
    if (clients === 10_000 && wants("P4")) {
      const [kept, left] = [await upkeep(ours), await upkeep(loop)];
      report({
        id: "P4",
        what: `CPU a second of a connection that is idle, ${many}`,
        figure: kept,
        unit: "µs",
        raw: `with heartbeats, pings and pongs; ws, which has none of them, ${left.toFixed(2)} µs`,
      });
    }
    if (clients === 10_000 && wants("P6")) {
      report({
        id: "P6",
        what: `p99 of a broadcast against ws.send, ${many}`,
        figure: ratio(own, bare, "p99Ms"),
        unit: "×",
        goal: { atMost: 0.9 },
        raw,
      });
      report({
        id: "P6",
        what: `longest stall of the loop, ${many}`,
        figure: middle(own, "stallMs"),
        unit: "ms",
        goal: { atMost: 15 },
        raw,
      });
    }
    if (bun !== null && "program" in bun) await besideBun(bun.program, ours, loop, one, context);
    await end(ours);
    await end(loop);
  }
  if (bun !== null && "program" in bun) await bun.remove();
};

const overSse = async (context: BenchContext): Promise<void> => {
  const { report } = context;
  for (const { clients, flushes, everyMs } of SIZES) {
    if (!isPossible("P7", clients, context)) continue;
    const ours = await gather("assay-streams", "sse", clients);
    const loop = await gather("sse-write-loop", "sse", clients);
    const one = { flushes, everyMs, perFlush: 1 };
    const [own, bare] = await compare([ours, loop], one);
    const raw = `ours ${told(own)}; response.write ${told(bare)}`;
    const many = described(clients, "SSE");
    const figure = ratio(own, bare, "cpuMicros");
    report({
      id: "P7",
      what: `CPU per message against response.write, ${many}`,
      figure,
      unit: "×",
      goal: { atMost: 0.95 },
      raw,
    });
    if (clients === 1_000) {
      const hono = await gather("hono-stream-sse", "sse", clients);
      const [again, streamed] = await compare([ours, hono], one);
      const what = `CPU per message against Hono's streamSSE, ${many}`;
      report({
        id: "P7",
        what,
        figure: ratio(again, streamed, "cpuMicros"),
        unit: "×",
        goal: { atMost: 0.25 },
        raw: `ours ${told(again)}; streamSSE ${told(streamed)}`,
      });
      await end(hono);
    }
    await end(ours);
    await end(loop);
  }
};

/** The benchmarks of the streams. */
export const streams: Bench = {
  ids: ["P4", "P5", "P6", "P7", "P20"],
  run: async (context) => {
    if (["P4", "P5", "P6", "P20"].some((id) => context.wants(id))) await overWebSocket(context);
    if (context.wants("P7")) await overSse(context);
  },
};
