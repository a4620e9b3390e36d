/** S1 to S4: what the SDK costs a caller in time and bytes, and how long building it takes a contributor. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Bench, BenchContext } from "../bench.ts";
import { type BundleSize, bundleSize } from "../measure/bundle.ts";
import { type Child, startPart } from "../measure/child.ts";
import { installPeers } from "../measure/peer-packages.ts";
import { median } from "../measure/statistics.ts";
import type { ApiReady, ApiSettings } from "../ours/api-part.ts";
import type { CallerOrder, CallerReport, CallerSettings } from "../ours/spot-caller-part.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const ROUNDS = 9;
const CALLS: CallerOrder = { count: 4_000, atOnce: 16 };
/** Clients whose size is compared with ours. */
const PEERS = ["openai@6.49.0", "@polygon.io/client-js@8.2.0"];

type Caller = Child<null, CallerOrder, CallerReport>;

interface Round {
  readonly perSecond: number;
  readonly cpuMicros: number;
}

const round = async (caller: Caller): Promise<Round> => {
  const before = caller.cpuMs();
  const { elapsedMs } = await caller.run(CALLS);
  return { perSecond: (CALLS.count * 1000) / elapsedMs, cpuMicros: ((caller.cpuMs() - before) * 1000) / CALLS.count };
};

const callRates = async ({ report }: BenchContext): Promise<void> => {
  const api: ApiSettings = { store: { temporary: true } };
  const server = await startPart<ApiReady>("assay-api", api);
  const start = (how: CallerSettings["how"]): Promise<Caller> =>
    startPart("spot-caller", { how, url: server.ready.url, key: server.ready.key } satisfies CallerSettings);
  const ours = await start("sdk");
  const bare = await start("fetch");
  for (const caller of [ours, bare, ours, bare]) await round(caller); // until the code is compiled
  const pairs: { ours: Round; bare: Round }[] = [];
  for (let index = 0; index < ROUNDS; index += 1) pairs.push({ ours: await round(ours), bare: await round(bare) });
  await Promise.all([ours.stop(), bare.stop(), server.stop()]);
  const of = (who: "ours" | "bare", figure: keyof Round): string => median(pairs.map((pair) => pair[who][figure])).toFixed(0);
  report({
    id: "S1",
    what: "spot through the SDK, calls per second against bare fetch and JSON.parse",
    figure: median(pairs.map((pair) => pair.ours.perSecond / pair.bare.perSecond)),
    unit: "×",
    raw:
      `${of("ours", "perSecond")} against ${of("bare", "perSecond")} calls/s; ` +
      `${of("ours", "cpuMicros")} against ${of("bare", "cpuMicros")} µs of the caller's CPU; ${CALLS.atOnce} calls at once`,
  });
};

const kib = (bytes: number): string => (bytes / 1024).toFixed(1);

const sizeText = ({ minified, gzipped }: BundleSize): string => `${kib(gzipped)} KiB gzipped, ${kib(minified)} KiB minified`;

const ownSize = (): Promise<BundleSize> => bundleSize('import { Assay } from "@assay/sdk"; console.log(new Assay());', ROOT);

const bundleSizes = async ({ report, skip }: BenchContext): Promise<void> => {
  const installed = await installPeers(PEERS);
  if ("why" in installed) return skip("S2", installed.why);
  const { folder, remove } = installed;
  try {
    const rest = await ownSize();
    const openai = await bundleSize('import OpenAI from "openai"; console.log(new OpenAI());', folder);
    const polygon = await bundleSize(
      'import { restClient } from "@polygon.io/client-js"; console.log(restClient("key"));',
      folder,
    );
    for (const [name, peer] of [
      [PEERS[0], openai],
      [PEERS[1], polygon],
    ] as const) {
      report({
        id: "S2",
        what: `bundle of the SDK, REST only, gzipped, against ${name}`,
        figure: rest.gzipped / peer.gzipped,
        unit: "×",
        raw: `${sizeText(rest)} against ${sizeText(peer)}`,
      });
    }
  } finally {
    await remove();
  }
};

const seconds = (command: string, ...args: readonly string[]): number => {
  const startedMs = performance.now();
  const { status } = spawnSync(process.execPath, [command, ...args], { cwd: ROOT });
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
  return (performance.now() - startedMs) / 1000;
};

const making = async ({ report }: BenchContext): Promise<void> => {
  report({
    id: "S3",
    what: "npm run gen when everything is built",
    figure: median([1, 2, 3].map(() => seconds("tools/gen.mjs"))),
    unit: "s",
    raw: "median of 3",
  });
  report({
    id: "S3",
    what: "types of all code and tests, from nothing",
    figure:
      seconds("node_modules/typescript/bin/tsc", "-b", "--force", "e2e", "bench", "apps/standalone") +
      seconds("node_modules/typescript/bin/tsc", "-p", "tsconfig.tests.json"),
    unit: "s",
    raw: "tsc -b --force of everything, then the tests",
  });
};

/** The benchmarks of the SDK. */
export const sdk: Bench = {
  ids: ["S1", "S2", "S3", "S4"],
  run: async (context) => {
    if (context.wants("S1")) await callRates(context);
    if (context.wants("S2")) await bundleSizes(context);
    if (context.wants("S3")) await making(context);
    if (context.wants("S4")) {
      const size = await ownSize();
      const figure = size.gzipped / 1024;
      context.report({
        id: "S4",
        what: "bundle of the SDK, REST only, gzipped",
        figure,
        unit: "KiB",
        isCount: true,
        raw: sizeText(size),
      });
    }
  },
};
