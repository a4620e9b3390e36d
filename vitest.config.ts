/** All suites, from source: workspace packages resolve through their `source` condition. Which set runs is the mode; CONTRIBUTING.md. */
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { FixedOrder } from "./tools/test/time.mjs";

const conditions = ["source", "node", "import", "default"];

/** Suites that start programs (services, compilers, package managers), but for the one walk; and the proof of the route suite. */
const PROCESS = [
  "e2e/src/!(walk).test.ts",
  "packages/db/src/open/*.test.ts",
  "packages/*/src/package.test.ts",
  "packages/archives/src/disk-full.test.ts",
  "apps/api/src/suite-proof.test.ts",
  "tools/check-release.test.mjs",
  "apps/cli/src/import/command.test.ts",
];
/** Suites of these folders open engines. */
const ENGINES = ["apps/!(console)/src/**/*.test.ts", "packages/{db,live,services,archives,process}/src/**/*.test.ts"];
const ALL = ["{packages,apps}/*/src/**/*.test.ts", "{e2e,bench,world}/src/**/*.test.ts", "tools/**/*.test.mjs"];
const LONG = ["{packages,apps,e2e,bench}/**/src/**/*.long.test.ts"];

/** Suites that run more cases when there is time; they read TEST_DEPTH. */
const deepSuites = (): string[] =>
  ["packages", "apps"].flatMap((folder) =>
    readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".test.ts") && !/node_modules|dist/.test(path))
      .map((path) => join(folder, path))
      .filter((path) => readFileSync(join(import.meta.dirname, path), "utf8").includes("TEST_DEPTH")),
  );

const WORKERS = Math.max(2, availableParallelism());

const shared = {
  // For what hangs: however busy the machine is, no test fails because it was slow.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
  pool: "forks" as const,
  // Less collecting of what a test leaves behind: a tenth of all CPU.
  execArgv: ["--max-semi-space-size=64"],
  // One module graph for all files of a worker: loading it for each file took half of the whole run.
  isolate: false,
  globalSetup: "packages/testkit/src/run-setup.ts",
  setupFiles: ["./tools/test/each-file.mjs"],
  // It imports a package with a `source` condition of its own, which Node cannot run.
  server: { deps: { inline: [/@modelcontextprotocol\/client/, /eventsource-parser/] } },
};

/** Limits that only end what hangs: processes start slowly on a busy machine. */
const PATIENT = { testTimeout: 600_000, hookTimeout: 900_000, expect: { poll: { timeout: 120_000 } } };

const project = (name: string, groupOrder: number, include: string[], exclude: string[] = [], more = {}) => ({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ["source", "node", "import", "default"] } },
  test: { ...shared, ...more, name, include, exclude: ["**/node_modules/**", ...exclude], sequence: { groupOrder } },
});

const MODES: Record<string, readonly ReturnType<typeof project>[]> = {
  unit: [project("unit", 1, ALL, [...LONG, ...PROCESS, ...ENGINES])],
  // In one project: each would transform and load the modules again, which is a fifth of the whole. Four workers on two cores took
  // 205 s, where two took 259, three 294 and five 236: a suite also waits, for sockets and files.
  test: [project("test", 1, ALL, [...LONG, ...PROCESS], { maxWorkers: 2 * WORKERS })],
  // One more than cores: a suite waits for its processes, but more at once slow each other, and each worker starts services of its own.
  e2e: [project("e2e", 1, PROCESS, LONG, { maxWorkers: WORKERS + 1, ...PATIENT })],
  // Suites named `*.long.test.ts`, then more cases of those that read TEST_DEPTH.
  long: [
    project("long", 1, LONG, [], { maxWorkers: WORKERS + 1 }),
    project("deep", 2, deepSuites(), [], { env: { TEST_DEPTH: "deep" } }),
  ],
};

export default defineConfig(({ mode }) => ({
  test: { maxWorkers: WORKERS, sequence: { sequencer: FixedOrder }, projects: [...(MODES[mode] ?? Object.values(MODES).flat())] },
}));
