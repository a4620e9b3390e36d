/** P1, P18 and P20: a spot price with every check, compared with bare node:http, limits in Redis, and other HTTP servers. */
import type { Bench, BenchContext } from "../bench.ts";
import { startPart } from "../measure/child.ts";
import { compare, type Loader, medianOf, type Plan, ratioOf } from "../measure/compare.ts";
import { installPeers } from "../measure/peer-packages.ts";
import { answerToRepeat, requestOf, startSameBytes } from "../measure/same-bytes.ts";
import type { ApiReady, ApiSettings } from "../ours/api-part.ts";
import type { PeerSettings } from "../references/http-servers.ts";

const PATH = "/v1/spot/XAU-USD-SPOT";
const PLAN: Plan = { connections: 64, rounds: 15, roundMs: 1_000, warmUp: 30_000 };

const startOurs = async (settings: ApiSettings) => {
  const child = await startPart<ApiReady>("assay-api", settings);
  return { child, port: child.ready.port, request: requestOf(PATH, child.ready.key) };
};

const againstBare = async ({ report }: BenchContext): Promise<void> => {
  const ours = await startOurs({ store: { temporary: true } });
  const loader: Loader = await startPart("load", null);
  const bare = await startSameBytes({ ...ours.child.ready, path: PATH });
  const [own, other] = await compare(loader, [ours, bare], { ...PLAN, isBusy: true });
  await Promise.all([ours.child.stop(), bare.child.stop(), loader.stop()]);
  report({
    id: "P1",
    what: "spot with every check on, CPU per request against bare node:http with the same bytes",
    figure: ratioOf(own, other, "cpuMicros"),
    unit: "×",
    goal: { atMost: 1.3 },
    raw:
      `${medianOf(own, "cpuMicros").toFixed(1)} against ${medianOf(other, "cpuMicros").toFixed(1)} µs; ` +
      `${medianOf(own, "perSecond").toFixed(0)} against ${medianOf(other, "perSecond").toFixed(0)} requests/s`,
  });
};

const inRedis = async ({ report, redisUrl, skip }: BenchContext): Promise<void> => {
  if (redisUrl === null) return skip("P18", "no Redis server answers");
  const redis = await startOurs({ store: { temporary: true }, redisUrl });
  const memory = await startOurs({ store: { temporary: true } });
  const loader: Loader = await startPart("load", null);
  const both = [redis, memory];
  for (const [who, targets] of [
    ["", both],
    [" without a key", both.map((each) => ({ ...each, request: requestOf(PATH, null) }))],
  ] as const) {
    const [own, other] = await compare(loader, targets, PLAN);
    report({
      id: "P18",
      what: `spot${who}, requests per second with limits in Redis against limits in memory`,
      figure: ratioOf(own, other, "perSecond"),
      unit: "×",
      goal: { atLeast: 0.8 },
      raw:
        `${medianOf(own, "perSecond").toFixed(0)} against ${medianOf(other, "perSecond").toFixed(0)} requests/s; ` +
        `${medianOf(own, "cpuMicros").toFixed(1)} against ${medianOf(other, "cpuMicros").toFixed(1)} µs CPU a request`,
    });
  }
  await Promise.all([redis.child.stop(), memory.child.stop(), loader.stop()]);
};

/** Other HTTP servers, which check nothing. */
const PEERS = ["fastify@5.12.8", "srvx@1.0.8"];
const NAMES = ["Assay with every check", "fastify", "srvx"] as const;

const besidePeers = async ({ report, skip }: BenchContext): Promise<void> => {
  const installed = await installPeers(PEERS);
  if ("why" in installed) return skip("P20", installed.why);
  const { folder, remove } = installed;
  const ours = await startOurs({ store: { temporary: true } });
  const answer = await answerToRepeat({ ...ours.child.ready, path: PATH });
  const start = (peer: PeerSettings["peer"]) =>
    startPart<{ port: number }>("peer-http", { ...answer, peer, folder } satisfies PeerSettings);
  const children = [
    await startPart<{ port: number }>("bare-http", answer),
    ours.child,
    await start("fastify"),
    await start("srvx"),
  ];
  const loader: Loader = await startPart("load", null);
  const targets = children.map((child) => ({ child, port: child.ready.port, request: ours.request }));
  const [floor, ...rounds] = await compare(loader, targets, { ...PLAN, rounds: 7, isBusy: true });
  for (const child of [...children, loader]) await child.stop();
  await remove();
  for (const [index, name] of NAMES.entries()) {
    report({
      id: "P20",
      what: `the answer of P1 from ${name}, CPU per request against bare node:http with the same bytes`,
      figure: ratioOf(rounds[index], floor, "cpuMicros"),
      unit: "×",
      raw: `${medianOf(rounds[index], "cpuMicros").toFixed(1)} against ${medianOf(floor, "cpuMicros").toFixed(1)} µs`,
    });
  }
};

/** The spot benchmarks. */
export const spot: Bench = {
  ids: ["P1", "P18", "P20"],
  run: async (context) => {
    if (context.wants("P1")) await againstBare(context);
    if (context.wants("P18")) await inRedis(context);
    if (context.wants("P20")) await besidePeers(context);
  },
};
