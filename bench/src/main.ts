/**
 * `npm run bench [-- P1 P3 …]`: benchmarks beside their references, several runs of each. `--check` compares the figures of
 * `baseline.json` for a machine of this speed, `--write-baseline` writes them.
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { openLive } from "@assay/live";
import postgres from "postgres";
import { type Bench, type BenchContext, isReached } from "./bench.ts";
import { aggregate } from "./goals/aggregate.ts";
import { alerts } from "./goals/alerts.ts";
import { bars } from "./goals/bars.ts";
import { compose } from "./goals/compose.ts";
import { counter } from "./goals/counter.ts";
import { dear } from "./goals/dear.ts";
import { depth } from "./goals/depth.ts";
import { latency } from "./goals/latency.ts";
import { load } from "./goals/load.ts";
import { past } from "./goals/past.ts";
import { scale } from "./goals/scale.ts";
import { sdk } from "./goals/sdk.ts";
import { soak } from "./goals/soak.ts";
import { spot } from "./goals/spot.ts";
import { start } from "./goals/start.ts";
import { store } from "./goals/store.ts";
import { streamMemory } from "./goals/stream-memory.ts";
import { streams } from "./goals/streams.ts";
import { surface } from "./goals/surface.ts";
import { type BaselineFigure, comparison, isWorse, readBaseline, withPoint, writeBaseline } from "./measure/baseline.ts";
import { killParts } from "./measure/child.ts";
import { floorMicros } from "./measure/floor.ts";
import { useText } from "./measure/machine.ts";
import { canReadProcesses } from "./measure/process-figures.ts";
import { isDisturbed, JUDGED_FROM, type Measured, measure } from "./measure/runs.ts";

const BENCHES: readonly Bench[] = [
  compose,
  alerts,
  surface,
  spot,
  bars,
  store,
  streams,
  streamMemory,
  sdk,
  start,
  latency,
  scale,
  dear,
  counter,
  aggregate,
  depth,
  past,
  load,
  soak,
];
const DEFAULT_SERVER = "postgres://postgres@127.0.0.1:5432/test";
const DEFAULT_REDIS = "redis://127.0.0.1:6379";

const MACHINE = `${cpus().length} cores, ${cpus()[0]?.model ?? "unknown"}, Node ${process.version}`;
/** The baseline is compared within minutes: with this many streaming clients. */
const CHECKED_CLIENTS = 1_000;
/** More are connected only when asked for. */
const USUAL_CLIENTS = 10_000;
/** A comparison starts no other benchmark after this, so that a slow machine does not hold up who waits for it. */
const CHECK_MS = 180_000;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const numberText = (figure: number): string => figure.toFixed(figure < 10 ? 2 : 1);

const verdictOf = (measured: Measured): string => {
  const { figures, use } = measured;
  const { figure, goal } = measured.finding;
  if (goal === undefined) return isDisturbed(measured) ? "on a busy machine" : "";
  if (isDisturbed(measured)) return `not judged, ${useText(use)}`;
  if (figures.length < JUDGED_FROM) return `not judged by fewer than ${JUDGED_FROM} runs`;
  return isReached(figure, goal) ? "reached" : "missed";
};

const columnsOf = (measured: Measured): Record<string, string> => {
  const { finding, figures } = measured;
  const { goal, unit } = finding;
  return {
    goal: finding.id,
    what: finding.what,
    figure: `${numberText(finding.figure)} ${unit}`,
    spread: `${numberText(figures[0] ?? Number.NaN)} to ${numberText(figures.at(-1) ?? Number.NaN)} in ${figures.length}`,
    bound: goal === undefined ? "—" : "atMost" in goal ? `≤ ${goal.atMost} ${unit}` : `≥ ${goal.atLeast} ${unit}`,
    verdict: verdictOf(measured),
  };
};

const lineOf = (measured: Measured): string => {
  const { goal, what, figure, spread, bound, verdict } = columnsOf(measured);
  return `${goal}  ${what}: ${figure} (${spread} runs; goal ${bound}${verdict && `, ${verdict}`}) — ${measured.finding.raw}`;
};

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

type Context = Omit<BenchContext, "report">;

const measureAll = async function* (
  context: Context,
  runs: number,
  withinMs = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly [Bench, Measured[]]> {
  const startedMs = performance.now();
  for (const bench of BENCHES) {
    const ids = bench.ids.filter((id) => context.wants(id)).join(", ");
    if (ids === "") continue;
    if (performance.now() - startedMs > withinMs) {
      context.skip(ids, "no time is left");
      yield [bench, []];
      continue;
    }
    const times = bench.isLong ? 1 : runs;
    const onRun = (run: number): void => void process.stderr.write(`${ids}: run ${run} of ${times}\n`);
    yield [bench, await measure(bench, context, times, onRun)];
  }
};

const print = async (context: Context, runs: number): Promise<void> => {
  const all: Measured[] = [];
  for await (const [, measured] of measureAll(context, runs)) {
    for (const each of measured) say(lineOf(each));
    all.push(...measured);
  }
  say(`\n${MACHINE}`);
  console.table(all.map(columnsOf));
};

type Outcome = "ok" | "WORSE" | "not judged";

/** What a figure of the baseline has become, and how to say it. */
const judge = (
  base: BaselineFigure,
  floor: number,
  found: Measured | undefined,
  wasSkipped: boolean,
): readonly [Outcome, string] => {
  if (!found) return wasSkipped ? ["not judged", "skipped"] : ["WORSE", "nothing measures it any more"];
  const { finding, use } = found;
  const compared = comparison(base, floor, finding.figure);
  if (isDisturbed(found)) return ["not judged", `${compared}; ${useText(use)}`];
  return [isWorse(base, floor, finding) ? "WORSE" : "ok", `${compared} — ${finding.raw}`];
};

/** Compares with the baseline. What seems worse is run again: a regression shows in the median of several runs too. */
const check = async (context: Context): Promise<boolean> => {
  const { figures } = readBaseline();
  const floor = await floorMicros();
  const outcomes: Outcome[] = [];
  const skipped = new Set<string>();
  const skip = (id: string, why: string): void => {
    for (const each of id.split(", ")) skipped.add(each);
    context.skip(id, why);
  };
  say(`${MACHINE}: a bare answer takes ${floor.toFixed(1)} µs, and the baseline is that of such a machine`);
  for await (const [bench, once] of measureAll({ ...context, skip }, 1, CHECK_MS)) {
    const bases = figures.filter(({ id }) => bench.ids.includes(id) && context.wants(id));
    const judgeAll = (measured: readonly Measured[]) =>
      bases.map((base) => {
        const found = measured.find(({ finding }) => finding.id === base.id && finding.what === base.what);
        return { base, judged: judge(base, floor, found, skipped.has(base.id)) };
      });
    const first = judgeAll(once);
    const seemsWorse = first.some(({ judged: [outcome] }) => outcome === "WORSE");
    const all = seemsWorse ? judgeAll(await measure(bench, context, JUDGED_FROM, () => undefined)) : first;
    for (const { base, judged } of all) {
      const [outcome, why] = judged;
      outcomes.push(outcome);
      say(`${outcome}: ${base.id}  ${base.what}: ${why}`);
    }
  }
  const count = (outcome: Outcome): number => outcomes.filter((each) => each === outcome).length;
  if (count("not judged") > 0) say(`NOT JUDGED: ${count("not judged")} of ${outcomes.length} figures, neither passed nor failed`);
  say(`${count("ok")} passed, ${count("WORSE")} failed`);
  return count("WORSE") === 0;
};

/** Writes what was measured on a quiet machine; the other figures stay. */
const write = async (context: Context): Promise<boolean> => {
  let isWhole = true;
  const floor = await floorMicros();
  for await (const [, measured] of measureAll(context, JUDGED_FROM)) {
    const { figures } = readBaseline();
    const written = figures.map((base) => {
      const found = measured.find(({ finding }) => finding.id === base.id && finding.what === base.what);
      if (!found) return base;
      say(`${isDisturbed(found) ? "not written" : "written"}: ${lineOf(found)}`);
      if (!isDisturbed(found)) return { ...base, at: withPoint(base.at, { floor, figure: found.finding.figure }) };
      isWhole = false;
      return base;
    });
    writeBaseline({ figures: written });
  }
  return isWhole;
};

const run = async (): Promise<boolean> => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      clients: { type: "string", multiple: true },
      runs: { type: "string", default: String(JUDGED_FROM) },
      deep: { type: "boolean", default: false },
      minutes: { type: "string", default: "60" },
      check: { type: "boolean", default: false },
      "write-baseline": { type: "boolean", default: false },
    },
  });
  const ofBaseline = values.check || values["write-baseline"];
  const based = new Set(ofBaseline ? readBaseline().figures.map(({ id }) => id) : []);
  const wanted = positionals.map((id) => id.toUpperCase());
  const known = BENCHES.flatMap((bench) => bench.ids);
  const long = new Set(BENCHES.flatMap((bench) => (bench.isLong ? bench.ids : [])));
  const unknown = wanted.filter((id) => !known.includes(id));
  if (unknown.length > 0) throw new Error(`unknown goal ${unknown.join(", ")}; the goals are ${known.join(", ")}`);
  if (!canReadProcesses) throw new Error("CPU is read from /proc, which this system does not have");
  const context: Context = {
    databaseUrl: await findServer(),
    redisUrl: await findRedis(),
    isDeep: values.deep,
    minutes: Number(values.minutes),
    wantsClients: (count) =>
      ofBaseline ? count === CHECKED_CLIENTS : (values.clients?.includes(String(count)) ?? count <= USUAL_CLIENTS),
    wants: (id) => (wanted.length === 0 ? !long.has(id) : wanted.includes(id)) && (!ofBaseline || based.has(id)),
    skip: (id, why) => say(`${id}  skipped: ${why}`),
  };
  if (values.check) return check(context);
  if (values["write-baseline"]) return write(context);
  await print(context, Math.max(1, Math.trunc(Number(values.runs)) || JUDGED_FROM));
  return true;
};

run().then(
  (isGood) => process.exit(isGood ? 0 : 1),
  (error: unknown) => {
    killParts();
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
