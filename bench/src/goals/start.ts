/** P13: a first start, a restart up to the first answer, and the memory it takes. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Bench } from "../bench.ts";
import { residentMiBOf } from "../measure/process-figures.ts";
import { median } from "../measure/statistics.ts";

const ASSAY = fileURLToPath(new URL("../../../apps/cli/dist/bundle/assay.js", import.meta.url));
const LATER_STARTS = 3;
const SETTLED_MS = 30_000;

interface Started {
  readonly child: ChildProcess;
  readonly url: string;
  readonly readySeconds: number;
}

const startService = async (dataDir: string): Promise<Started> => {
  const startedMs = performance.now();
  const env = { ...process.env, DATA_DIR: dataDir, PORT: "0", HOST: "127.0.0.1", LOG_LEVEL: "error" };
  for (const name of ["DATABASE_URL", "REDIS_URL", "FEEDS"]) delete (env as Record<string, string | undefined>)[name]; // the caller's settings
  const child = spawn(process.execPath, [ASSAY, "start"], { env, stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise<string>((resolve, reject) => {
    child.once("exit", () => reject(new Error("the service ended before it served")));
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line.startsWith("ready ")) resolve(line.slice("ready ".length));
    });
  });
  return { child, url, readySeconds: (performance.now() - startedMs) / 1000 };
};

const stop = async ({ child }: Started): Promise<void> => {
  child.kill("SIGTERM");
  await once(child, "exit");
};

/** The start benchmark. */
export const start: Bench = {
  ids: ["P13"],
  run: async ({ report }) => {
    const dataDir = await mkdtemp(join(tmpdir(), "assay-bench-"));
    try {
      const first = await startService(dataDir);
      const atStart = residentMiBOf(first.child.pid ?? 0);
      await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
      const settled = residentMiBOf(first.child.pid ?? 0);
      await stop(first);
      report({
        id: "P13",
        what: "first start to serving, 30 years of history made",
        figure: first.readySeconds,
        unit: "s",
        goal: { atMost: 20 },
        raw: "embedded engines, empty folder",
      });
      const later: number[] = [];
      for (let round = 0; round < LATER_STARTS; round += 1) {
        const startedMs = performance.now();
        const again = await startService(dataDir);
        const answer = await fetch(`${again.url}/v1/spot/gold`);
        if (answer.status === 200) later.push((performance.now() - startedMs) / 1000);
        await stop(again);
      }
      report({
        id: "P13",
        what: "later start to the first 200",
        figure: median(later),
        unit: "s",
        goal: { atMost: 3 },
        raw: `${later.length} starts`,
      });
      report({
        id: "P13",
        what: "resident memory after 30 s",
        figure: settled,
        unit: "MiB",
        raw: `${atStart.toFixed(0)} MiB when it began to serve`,
      });
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
