/** P13 and P16: a first start and later ones on embedded engines, and the memory they settle at. */
import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { MINUTE_MS } from "@assay/contract";
import type { Bench, BenchContext } from "../bench.ts";
import { startPart } from "../measure/child.ts";
import { residentMiBOf } from "../measure/process-figures.ts";
import { type Service, startService, untilSettled } from "../ours/service.ts";

const ARCHIVES_WITHIN_MS = 10 * MINUTE_MS;
const LATER_STARTS = 3;

const seconds = (ms: number): string => (ms / 1_000).toFixed(2);

/** The floor of any start: Node alone. */
const bareStartMs = (): number => {
  const startedMs = performance.now();
  spawnSync(process.execPath, ["-e", ""]);
  return performance.now() - startedMs;
};

/** The floor of any server's memory: node:http alone. */
const bareMiB = async (): Promise<number> => {
  const bare = await startPart<{ port: number }>("bare-http", { headers: {}, body: "" });
  const resident = residentMiBOf(bare.pid);
  await bare.stop();
  return resident;
};

const startTimes = ({ report }: BenchContext, name: string, { readyMs, readyCpuMs }: Service, atMost: number): void => {
  const raw = `${seconds(readyCpuMs)} s of CPU; node alone ${seconds(bareStartMs())} s`;
  report({ id: "P13", what: `${name} to ready`, figure: readyMs / 1_000, unit: "s", goal: { atMost }, raw });
  report({ id: "P13", what: `${name} to ready, CPU`, figure: readyCpuMs / 1_000, unit: "s", raw });
};

const memory = async ({ report, isDeep }: BenchContext, first: Service): Promise<void> => {
  const raw = `${first.residentMiB().toFixed(0)} MiB at ready; bare node:http ${(await bareMiB()).toFixed(0)} MiB`;
  const reportNow = (when: string, atMost: number, more = ""): void =>
    report({
      id: "P16",
      what: `resident memory ${when}`,
      figure: first.residentMiB(),
      unit: "MiB",
      goal: { atMost },
      raw: `${raw}${more}`,
    });
  await pause(MINUTE_MS - first.readyMs);
  reportNow("a minute after the first start", 180);
  const settledMs = await untilSettled(first, ARCHIVES_WITHIN_MS);
  if (settledMs === null) throw new Error("the archives were not built in time");
  reportNow("after the archives are built", 200, `; built within ${seconds(first.readyMs + MINUTE_MS + settledMs)} s`);
  if (!isDeep) return;
  await pause(60 * MINUTE_MS);
  reportNow("idle an hour", 200);
};

/** The start benchmark. */
export const start: Bench = {
  ids: ["P13", "P16"],
  run: async (context) => {
    const dataDir = await mkdtemp(join(tmpdir(), "assay-bench-"));
    try {
      const first = await startService("start", { DATA_DIR: dataDir });
      const answer = await fetch(`${first.url}/v1/spot/gold`);
      if (answer.status !== 200) throw new Error(`ready, and a spot price is answered with ${answer.status}`);
      if (context.wants("P13")) startTimes(context, "first start on an empty folder", first, 6);
      if (context.wants("P16")) await memory(context, first);
      await first.stop();
      if (!context.wants("P13")) return;
      const later: Service[] = [];
      for (let round = 0; round < LATER_STARTS; round += 1) {
        const again = await startService("start", { DATA_DIR: dataDir });
        later.push(again);
        await again.stop();
      }
      const middle = later.toSorted((left, right) => left.readyMs - right.readyMs)[LATER_STARTS >> 1];
      if (middle) startTimes(context, "later start", middle, 0.8);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
