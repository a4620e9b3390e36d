/** P13 and P16: a first start and later ones on the embedded engines, and the memory the first settles at. */
import { spawnSync } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { MINUTE_MS } from "@assay/contract";
import type { Figure, Goal } from "../goal.ts";
import { residentMiBOf } from "../measure/process.ts";
import { type Service, startService, untilSettled, withFolder } from "../measure/service.ts";
import { median } from "../measure/statistics.ts";

const LATER_STARTS = 3;

/** The floor of any start. */
const bareStartMs = (): number => {
  const startedMs = performance.now();
  spawnSync(process.execPath, ["-e", ""]);
  return performance.now() - startedMs;
};

const toReady = (name: string, starts: readonly Service[], atMost: number): Figure => {
  const of = (figure: "readyMs" | "readyCpuMs"): number => median(starts.map((each) => each[figure])) / 1_000;
  const raw = `${of("readyCpuMs").toFixed(2)} s of CPU; node alone ${(bareStartMs() / 1_000).toFixed(2)} s`;
  return { what: `${name} to ready`, value: of("readyMs"), unit: "s", bound: { atMost }, raw };
};

/** The goal of starts. */
export const start: Goal = {
  id: "P13",
  what: "a first start on an empty folder, and later ones",
  floor: "node alone",
  run: () =>
    withFolder(async (folder) => {
      const starts: Service[] = [];
      while (starts.length < 1 + LATER_STARTS) {
        const service = await startService({ DATA_DIR: folder });
        const answer = await fetch(`${service.url}/v1/spot/gold`);
        await service.stop();
        if (answer.status !== 200) throw new Error(`ready, and a spot price is answered with ${answer.status}`);
        starts.push(service);
      }
      return [toReady("first start", starts.slice(0, 1), 6), toReady("later start", starts.slice(1), 0.8)];
    }),
};

/** The goal of memory. */
export const memory: Goal = {
  id: "P16",
  what: "resident memory of a first start: after a minute, with its archives, and idle for as long as --minutes says",
  floor: "the process when it says ready",
  run: ({ minutes }) =>
    withFolder(async (folder) => {
      const service = await startService({ DATA_DIR: folder });
      const raw = `${residentMiBOf(service.pid).toFixed(0)} MiB at ready`;
      const resident = (when: string, atMost: number): Figure => {
        const value = residentMiBOf(service.pid);
        return { what: `resident memory ${when}`, value, unit: "MiB", bound: { atMost }, raw };
      };
      await pause(MINUTE_MS - service.readyMs);
      const figures = [resident("a minute after the first start", 180)];
      await untilSettled(service);
      figures.push(resident("after the archives are built", 200));
      if (minutes !== undefined) {
        await pause(minutes * MINUTE_MS);
        figures.push(resident(`idle for ${minutes} minutes`, 200));
      }
      await service.stop();
      return figures;
    }),
};
