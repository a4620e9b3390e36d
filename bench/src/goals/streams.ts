/**
 * P4 to P7: ticks to many clients over WebSocket and SSE, compared with bare loops over `ws.send` and `response.write`; P20:
 * with Bun's `publish`.
 */
import type { Bench, BenchContext } from "../bench.ts";
import { findBun } from "../measure/peer-packages.ts";
import { mostOpenFiles } from "../measure/process-figures.ts";
import { median } from "../measure/statistics.ts";
import { type Audience, compare, end, gather, type Round, serversFor, upkeep } from "../streams/audience.ts";
import type { BroadcastOrder } from "../streams/broadcaster.ts";

/** Numbers of clients, and how many times each is sent ticks per round. */
const SIZES: readonly { readonly clients: number; readonly flushes: number; readonly everyMs: number }[] = [
  { clients: 1_000, flushes: 60, everyMs: 60 },
  { clients: 5_000, flushes: 12, everyMs: 250 },
  { clients: 10_000, flushes: 8, everyMs: 500 },
  { clients: 50_000, flushes: 3, everyMs: 2_000 },
];
/** Where a process may not have so many connections, clients are spread over several servers: at most this many. */
const MOST_SERVERS = 4;

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

const ratio = (ours: readonly Round[] | undefined, theirs: readonly Round[] | undefined, figure: keyof Round): number =>
  median((ours ?? []).map((round, index) => round[figure] / (theirs?.[index]?.[figure] ?? Number.NaN)));

const middle = (rounds: readonly Round[] | undefined, figure: keyof Round): number =>
  median((rounds ?? []).map((round) => round[figure]));

const inWords = (rounds: readonly Round[] | undefined): string =>
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
    const raw = `ours ${inWords(own)}; ws.send ${inWords(bare)}`;
    const many = described(clients, "WebSocket");
    const figure = ratio(own, bare, "cpuMicros");
    if (wants("P4"))
      report({ id: "P4", what: `CPU per message against ws.send, ${many}`, figure, unit: "×", goal: { atMost: 0.88 }, raw });
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
        raw: `ours ${inWords(joined)}; ws.send ${inWords(bare)}`,
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
    const raw = `ours ${inWords(own)}; response.write ${inWords(bare)}`;
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
        raw: `ours ${inWords(again)}; streamSSE ${inWords(streamed)}`,
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
