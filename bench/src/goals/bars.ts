/** P2, P3 and P22: pages of bars from memory, compared with bare node:http, with JSON built in SQL and with drizzle rows. */
import type { Bench, BenchContext } from "../bench.ts";
import { makeBarsDatabase } from "../fixtures/bars-database.ts";
import { startPart } from "../measure/child.ts";
import { compare, type Loader, loadOnce, medianOf, ratioOf } from "../measure/compare.ts";
import { requestOf, startSameBytes } from "../measure/same-bytes.ts";
import { median } from "../measure/statistics.ts";
import type { ApiReady, ApiSettings } from "../ours/api-part.ts";
import type { BarsReferenceSettings } from "../references/bars-servers.ts";

const PAGE = "/v1/bars?symbol=XAU-USD-SPOT&interval=1d&from=1996-01-01&to=2026-10-31";

/** How long ago known_at asks for; the fixture was recorded before. */
const KNOWN_MS = 10 * 60_000;

/** One page size and its goals. */
interface PageGoal {
  readonly id: string;
  readonly limit: number;
  readonly connections: number;
  readonly overBare: number;
  readonly overSql: number;
  readonly overDrizzle: number;
}

const GOALS: readonly PageGoal[] = [
  { id: "P2", limit: 100, connections: 64, overBare: 1.5, overSql: 6, overDrizzle: 15 },
  { id: "P3", limit: 10_000, connections: 16, overBare: 1.15, overSql: 25, overDrizzle: 90 },
];

const measure = async (goal: PageGoal, databaseUrl: string, { report }: BenchContext): Promise<void> => {
  const settings: ApiSettings = { store: { databaseUrl } };
  const reference: BarsReferenceSettings = { databaseUrl, limit: goal.limit };
  const ours = await startPart<ApiReady>("assay-api", settings);
  const sql = await startPart<{ port: number }>("sql-json-bars", reference);
  const drizzle = await startPart<{ port: number }>("drizzle-bars", reference);
  const loader: Loader = await startPart("load", null);
  const path = `${PAGE}&limit=${goal.limit}`;
  const own = { child: ours, port: ours.ready.port, request: requestOf(path, ours.ready.key) };
  const plain = (child: typeof sql) => ({ child, port: child.ready.port, request: "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" });
  const plan = { connections: goal.connections, rounds: 5, roundMs: 1_500 };
  const [mine, bySql, byDrizzle] = await compare(loader, [own, plain(sql), plain(drizzle)], plan);
  const raw = [mine, bySql, byDrizzle].map((rounds) => medianOf(rounds, "perSecond").toFixed(0)).join(" / ");
  const rates = `${raw} requests/s (ours / SQL / drizzle)`;
  const floor = await startSameBytes({ ...ours.ready, path });
  const [busy, byFloor] = await compare(loader, [own, floor], { ...plan, rounds: 9, isBusy: true });
  report({
    id: goal.id,
    what: `bars of ${goal.limit}, CPU per request against bare node:http with the same bytes`,
    figure: ratioOf(busy, byFloor, "cpuMicros"),
    unit: "×",
    goal: { atMost: goal.overBare },
    raw: `${medianOf(busy, "cpuMicros").toFixed(1)} against ${medianOf(byFloor, "cpuMicros").toFixed(1)} µs`,
  });
  const what = `bars of ${goal.limit}, requests per second against`;
  report({
    id: goal.id,
    what: `${what} JSON built in SQL`,
    figure: ratioOf(mine, bySql, "perSecond"),
    unit: "×",
    goal: { atLeast: goal.overSql },
    raw: rates,
  });
  report({
    id: goal.id,
    what: `${what} drizzle rows`,
    figure: ratioOf(mine, byDrizzle, "perSecond"),
    unit: "×",
    goal: { atLeast: goal.overDrizzle },
    raw: rates,
  });
  const knownAt = new Date(Date.now() - KNOWN_MS).toISOString();
  const past = { ...own, request: requestOf(`${path}&known_at=${knownAt}`, ours.ready.key) };
  const [now, then] = await compare(loader, [own, past], plan);
  report({
    id: "P22",
    what: `bars of ${goal.limit} with known_at, CPU per request against the same page of now`,
    figure: ratioOf(then, now, "cpuMicros"),
    unit: "×",
    goal: { atMost: 2 },
    raw: `${medianOf(then, "cpuMicros").toFixed(1)} against ${medianOf(now, "cpuMicros").toFixed(1)} µs`,
  });
  if (goal.limit === 10_000) {
    const rounds = [];
    for (let round = 0; round < 5; round += 1) rounds.push(await loadOnce(loader, own, { connections: 4 }, 2_000));
    report({
      id: goal.id,
      what: "bars of 10000 at 4 connections, p99",
      figure: median(rounds.map((round) => round.p99Ms)),
      unit: "ms",
      goal: { atMost: 10 },
      raw: `${median(rounds.map((round) => round.cpuMicros)).toFixed(0)} µs CPU a page`,
    });
  }
  await Promise.all([ours.stop(), floor.child.stop(), sql.stop(), drizzle.stop(), loader.stop()]);
};

/** The bars benchmarks. */
export const bars: Bench = {
  ids: ["P2", "P3", "P22"],
  run: async (context) => {
    if (context.databaseUrl === null) return context.skip("P2, P3, P22", "no PostgreSQL server answers");
    const database = await makeBarsDatabase(context.databaseUrl);
    try {
      for (const goal of GOALS) if (context.wants(goal.id) || context.wants("P22")) await measure(goal, database.url, context);
    } finally {
      await database.drop();
    }
  },
};
