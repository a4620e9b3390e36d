/** `npm run bench [-- P1 P3 … --clients=1000]`: side-by-side benchmarks, each a ratio within one run. */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { openLive } from "@assay/live";
import postgres from "postgres";
import { type Bench, type BenchContext, type Finding, isReached } from "./bench.ts";
import { aggregate } from "./goals/aggregate.ts";
import { bars } from "./goals/bars.ts";
import { compose } from "./goals/compose.ts";
import { depth } from "./goals/depth.ts";
import { ratios } from "./goals/ratios.ts";
import { sdk } from "./goals/sdk.ts";
import { spot } from "./goals/spot.ts";
import { start } from "./goals/start.ts";
import { store } from "./goals/store.ts";
import { streamMemory } from "./goals/stream-memory.ts";
import { streams } from "./goals/streams.ts";
import { surfaceAndPremiums } from "./goals/surface.ts";
import { killParts } from "./measure/child.ts";
import { canReadProcesses } from "./measure/process-figures.ts";

const BENCHES: readonly Bench[] = [
  compose,
  surfaceAndPremiums,
  spot,
  bars,
  ratios,
  store,
  streams,
  streamMemory,
  sdk,
  start,
  aggregate,
  depth,
];
const DEFAULT_SERVER = "postgres://postgres@127.0.0.1:5432/test";
const DEFAULT_REDIS = "redis://127.0.0.1:6379";

const goalText = ({ goal, unit }: Finding): string =>
  goal === undefined ? "—" : `${"atMost" in goal ? "≤" : "≥"} ${"atMost" in goal ? goal.atMost : goal.atLeast} ${unit}`;

const line = (finding: Finding): Record<string, string> => ({
  goal: finding.id,
  what: finding.what,
  figure: `${finding.figure.toFixed(finding.figure < 10 ? 2 : 1)} ${finding.unit}`,
  bound: goalText(finding),
  verdict: finding.goal === undefined ? "" : isReached(finding.figure, finding.goal) ? "reached" : "missed",
});

const findServer = async (): Promise<string | null> => {
  const url = process.env["TEST_DATABASE_URL"] ?? DEFAULT_SERVER;
  const client = postgres(url, { max: 1, connect_timeout: 3, onnotice: () => undefined });
  try {
    await client`select 1`;
    return url;
  } catch {
    return null;
  } finally {
    await client.end({ timeout: 1 });
  }
};

const findRedis = async (): Promise<string | null> => {
  const redisUrl = process.env["TEST_REDIS_URL"] ?? DEFAULT_REDIS;
  const live = await openLive({ redisUrl, prefix: "assay-bench:", clock: Date.now });
  try {
    await live.latest.ping();
    return redisUrl;
  } catch {
    return null;
  } finally {
    await live.close();
  }
};

const run = async (): Promise<void> => {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { clients: { type: "string", multiple: true } } });
  const wanted = positionals.map((id) => id.toUpperCase());
  const known = BENCHES.flatMap((bench) => bench.ids);
  const unknown = wanted.filter((id) => !known.includes(id));
  if (unknown.length > 0) throw new Error(`there is no goal ${unknown.join(", ")}; there are ${known.join(", ")}`);
  if (!canReadProcesses) throw new Error("CPU is read from /proc, which this system does not have");
  const findings: Finding[] = [];
  const context: BenchContext = {
    databaseUrl: await findServer(),
    redisUrl: await findRedis(),
    wantsClients: (count) => values.clients?.includes(String(count)) ?? true,
    wants: (id) => wanted.length === 0 || wanted.includes(id),
    report: (finding) => {
      findings.push(finding);
      const { goal, what, figure, bound, verdict } = line(finding);
      process.stdout.write(`${goal}  ${what}: ${figure} (goal ${bound}${verdict && `, ${verdict}`}) — ${finding.raw}\n`);
    },
    skip: (id, why) => process.stdout.write(`${id}  skipped: ${why}\n`),
  };
  for (const bench of BENCHES) if (bench.ids.some((id) => context.wants(id))) await bench.run(context);
  process.stdout.write(`\n${cpus().length} cores, ${cpus()[0]?.model ?? "unknown"}, Node ${process.version}\n`);
  console.table(findings.map(line));
};

run().catch((error: unknown) => {
  killParts();
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
