/** P18 and G1: how requests grow with 1, 2 and 4 API processes on one PostgreSQL and one Redis. */
import { cpus } from "node:os";
import type { Bench, BenchContext } from "../bench.ts";
import { type Cluster, clusterServers, startCluster } from "../fixtures/cluster.ts";
import { startPart } from "../measure/child.ts";
import { type Loader, loadOnce, type Target } from "../measure/compare.ts";
import { enginesCpuMs } from "../measure/machine.ts";
import { requestOf } from "../measure/same-bytes.ts";
import { median } from "../measure/statistics.ts";
import type { Service } from "../ours/service.ts";

const PATH = "/v1/spot/XAU-USD-SPOT";
const COUNTS = [1, 2, 4] as const;
/** Of all processes together. */
const REQUESTS = 24_000;
const WARM_UP = 20_000;
const ROUNDS = 3;
const LOAD = { connections: 32 };
/** Two processes, what loads them, and the engines. */
const CORES_FOR_TWO = 6;

/** A process with its own load generator. */
interface Loaded {
  readonly loader: Loader;
  readonly target: Target;
}

/** One round of some processes. */
interface Growth {
  readonly perSecond: number;
  readonly cpuMicros: number;
  readonly enginesMicros: number;
}

const loadAll = async (processes: readonly Loaded[], count: number): Promise<Growth> => {
  const startedMs = performance.now();
  const engines = enginesCpuMs();
  const rounds = await Promise.all(processes.map(({ loader, target }) => loadOnce(loader, target, LOAD, count)));
  const all = count * processes.length;
  return {
    perSecond: (all * 1_000) / (performance.now() - startedMs),
    cpuMicros: rounds.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0) / rounds.length,
    enginesMicros: ((enginesCpuMs() - engines) * 1_000) / all,
  };
};

const addProcess = async (cluster: Cluster): Promise<Loaded> => {
  const service: Service = await cluster.start("api");
  const loader: Loader = await startPart("load", null);
  const target = { child: service, port: Number(new URL(service.url).port), request: requestOf(PATH, cluster.key) };
  await loadOnce(loader, target, LOAD, WARM_UP);
  return { loader, target };
};

const grow = async (cluster: Cluster, { report, wants }: BenchContext): Promise<void> => {
  const processes: Loaded[] = [];
  const grown: Growth[] = [];
  for (const count of COUNTS) {
    while (processes.length < count) processes.push(await addProcess(cluster));
    const rounds: Growth[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await loadAll(processes, REQUESTS / count));
    const of = (figure: keyof Growth): number => median(rounds.map((each) => each[figure]));
    grown.push({ perSecond: of("perSecond"), cpuMicros: of("cpuMicros"), enginesMicros: of("enginesMicros") });
  }
  for (const { loader } of processes) await loader.stop();
  const [one, two, four] = grown;
  const texts = (figure: keyof Growth): string => grown.map((each) => each[figure].toFixed(0)).join(" / ");
  const raw =
    `${COUNTS.join(" / ")} processes: ${texts("perSecond")} requests/s together, ${texts("cpuMicros")} µs CPU a request, ` +
    `${texts("enginesMicros")} µs of the engines`;
  const ratio = (more: Growth | undefined, figure: keyof Growth): number => (more?.[figure] ?? 0) / (one?.[figure] ?? 0);
  const hasCores = cpus().length >= CORES_FOR_TWO;
  const goal = hasCores ? { goal: { atLeast: 1.8 } } : {};
  const note = hasCores ? "" : `; ${cpus().length} cores are too few to judge a second process`;
  if (wants("P18")) {
    const what = "requests per second of two api processes against one";
    report({ id: "P18", what, figure: ratio(two, "perSecond"), unit: "×", ...goal, raw: `${raw}${note}` });
  }
  if (wants("G1")) {
    const what = "CPU per request of four api processes against one, PostgreSQL and Redis shared";
    report({ id: "G1", what, figure: ratio(four, "cpuMicros"), unit: "×", raw });
  }
};

/** The benchmark of growth. */
export const scale: Bench = {
  ids: ["P18", "G1"],
  run: async (context) => {
    const servers = clusterServers(context);
    if (typeof servers === "string") return context.skip("P18, G1", servers);
    const cluster = await startCluster(servers);
    try {
      await grow(cluster, context);
    } finally {
      await cluster.close();
    }
  },
};
