/** P4 to P8: ticks to many clients over WebSocket and SSE, against bare loops over `ws.send` and `response.write`. */
import type { Bench, BenchContext } from "../bench.ts";
import { type Child, startPart } from "../measure/child.ts";
import { residentMiBOf } from "../measure/process-figures.ts";
import { median } from "../measure/statistics.ts";
import type { ClientsOrder, ClientsReport, ClientsSettings } from "../measure/stream-clients-part.ts";
import type { PartName } from "../parts.ts";
import type { BroadcastOrder, BroadcastReport, StreamServerReady } from "../streams/broadcaster.ts";

/** Numbers of clients, and how often each is sent ticks in a round. */
const SIZES: readonly { readonly clients: number; readonly flushes: number; readonly everyMs: number }[] = [
  { clients: 1_000, flushes: 30, everyMs: 60 },
  { clients: 5_000, flushes: 12, everyMs: 250 },
  { clients: 10_000, flushes: 8, everyMs: 500 },
];
const ROUNDS = 5;
const CONNECT_SETTLE_MS = 1_000;

type Kind = ClientsSettings["kind"];

/** A server with its clients, each in a process of its own. */
interface Audience {
  readonly server: Child<StreamServerReady, BroadcastOrder, BroadcastReport>;
  readonly clients: Child<null, ClientsOrder, ClientsReport>;
  readonly count: number;
  readonly bytesPerConnection: number;
}

/** One round. */
interface Round {
  /** CPU of the server for one tick to one client. */
  readonly cpuMicros: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly stallMs: number;
}

const SYMBOLS = ["XAU-USD-SPOT", "XAG-USD-SPOT", "HG-USD-SPOT"];

const asking = (kind: Kind, part: PartName, port: number, key: string, count: number): ClientsSettings => {
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

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const gather = async (part: PartName, kind: Kind, count: number): Promise<Audience> => {
  const server: Audience["server"] = await startPart(part, null, ["--expose-gc"]);
  const nothing: BroadcastOrder = { flushes: 0, perFlush: 1, everyMs: 0 };
  await server.run(nothing);
  const before = residentMiBOf(server.pid);
  const clients: Audience["clients"] = await startPart(
    "stream-clients",
    asking(kind, part, server.ready.port, server.ready.key, count),
  );
  await pause(CONNECT_SETTLE_MS);
  await server.run(nothing);
  return { server, clients, count, bytesPerConnection: ((residentMiBOf(server.pid) - before) * 1024 * 1024) / count };
};

const end = async ({ server, clients }: Audience): Promise<void> => {
  await clients.stop();
  await server.stop();
};

const broadcast = async ({ server, clients, count }: Audience, order: BroadcastOrder): Promise<Round> => {
  const before = server.cpuMs();
  const heard = clients.run({ ticks: order.flushes * order.perFlush, perFlush: order.perFlush });
  const { publishedMs, longestStallMs } = await server.run(order);
  const { arrivals } = await heard;
  const messages = count * order.flushes * order.perFlush;
  const delays = arrivals.map(({ p50Ms, p99Ms }, flush) => {
    const since = publishedMs[flush] ?? Number.NaN;
    return { p50Ms: p50Ms - since, p99Ms: p99Ms - since };
  });
  const p99Ms = median(delays.map((delay) => delay.p99Ms));
  return {
    cpuMicros: ((server.cpuMs() - before) * 1000) / messages,
    perSecond: (count * order.perFlush * 1000) / p99Ms,
    p50Ms: median(delays.map((delay) => delay.p50Ms)),
    p99Ms,
    stallMs: longestStallMs,
  };
};

/** Rounds of several audiences, in turns. */
const compare = async (audiences: readonly Audience[], order: BroadcastOrder): Promise<Round[][]> => {
  const rounds: Round[][] = audiences.map(() => []);
  for (const audience of audiences) for (let warm = 0; warm < 2; warm += 1) await broadcast(audience, order);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, audience] of audiences.entries()) rounds[index]?.push(await broadcast(audience, order));
  }
  return rounds;
};

const ratio = (ours: readonly Round[] | undefined, theirs: readonly Round[] | undefined, figure: keyof Round): number =>
  median((ours ?? []).map((round, index) => round[figure] / (theirs?.[index]?.[figure] ?? Number.NaN)));

const middle = (rounds: readonly Round[] | undefined, figure: keyof Round): number =>
  median((rounds ?? []).map((round) => round[figure]));

const told = (rounds: readonly Round[] | undefined): string =>
  `${middle(rounds, "cpuMicros").toFixed(2)} µs a message, ${middle(rounds, "perSecond").toFixed(0)}/s, ` +
  `p50 ${middle(rounds, "p50Ms").toFixed(1)} ms, p99 ${middle(rounds, "p99Ms").toFixed(1)} ms, ` +
  `longest stall ${middle(rounds, "stallMs").toFixed(1)} ms`;

const overWebSocket = async ({ report, wants }: BenchContext): Promise<void> => {
  for (const { clients, flushes, everyMs } of SIZES) {
    const ours = await gather("assay-streams", "ws", clients);
    const loop = await gather("ws-send-loop", "ws", clients);
    const one = { flushes, everyMs, perFlush: 1 };
    const [own, bare] = await compare([ours, loop], one);
    const raw = `ours ${told(own)}; ws.send ${told(bare)}`;
    const many = `${clients} WebSocket clients`;
    const figure = ratio(own, bare, "cpuMicros");
    if (wants("P4"))
      report({ id: "P4", what: `CPU per message against ws.send, ${many}`, figure, unit: "×", goal: { atMost: 0.88 }, raw });
    if (wants("P5")) {
      const [joined] = await compare([ours], { ...one, perFlush: 4 });
      const share = middle(joined, "cpuMicros") / middle(bare, "cpuMicros");
      const what = `CPU per tick when four are flushed together, against ws.send, ${many}`;
      report({ id: "P5", what, figure: share, unit: "×", goal: { atMost: 0.3 }, raw: told(joined) });
    }
    if (clients === 10_000) {
      if (wants("P6")) {
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
      if (wants("P8")) {
        const held = (audience: Audience): number => audience.bytesPerConnection / 1024;
        const bareRaw = `ws alone ${held(loop).toFixed(1)} KiB`;
        report({
          id: "P8",
          what: `resident memory per connection, ${many}`,
          figure: held(ours),
          unit: "KiB",
          goal: { atMost: 12 },
          raw: bareRaw,
        });
      }
    }
    await end(ours);
    await end(loop);
  }
};

const overSse = async ({ report, wants }: BenchContext): Promise<void> => {
  for (const { clients, flushes, everyMs } of SIZES) {
    const ours = await gather("assay-streams", "sse", clients);
    const loop = await gather("sse-write-loop", "sse", clients);
    const one = { flushes, everyMs, perFlush: 1 };
    const [own, bare] = await compare([ours, loop], one);
    const raw = `ours ${told(own)}; response.write ${told(bare)}`;
    const many = `${clients} SSE clients`;
    if (wants("P7")) {
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
          raw: told(streamed),
        });
        await end(hono);
      }
    }
    if (clients === 10_000 && wants("P8")) {
      const held = (audience: Audience): number => audience.bytesPerConnection / 1024;
      const what = `resident memory per connection, ${many}`;
      report({
        id: "P8",
        what,
        figure: held(ours),
        unit: "KiB",
        goal: { atMost: 18 },
        raw: `node:http alone ${held(loop).toFixed(1)} KiB`,
      });
    }
    await end(ours);
    await end(loop);
  }
};

/** The benchmarks of the streams. */
export const streams: Bench = {
  ids: ["P4", "P5", "P6", "P7", "P8"],
  run: async (context) => {
    if (["P4", "P5", "P6", "P8"].some((id) => context.wants(id))) await overWebSocket(context);
    if (["P7", "P8"].some((id) => context.wants(id))) await overSse(context);
  },
};
