/** P24 and P16: an hour of the default process on live-shaped feeds that nobody asks anything: CPU, writes, disk and memory. */
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { DAY_MS, MINUTE_MS } from "@assay/contract";
import type { Figure, Goal } from "../goal.ts";
import { openLiveMarket } from "../measure/live-market.ts";
import { cpuMsOf, residentMiBOf, writtenBytesOf } from "../measure/process.ts";
import { startService, withFolder } from "../measure/service.ts";
import { slopePerHour } from "../measure/statistics.ts";

const HOUR_MINUTES = 60;
/** Until every feed was read, and the first checkpoint has been made. */
const SETTLE_MINUTES = 6;
const SAMPLE_MS = 10_000;
const MIB = 1_048_576;
/** The database's log, which is reused. */
const LOG_FOLDER = "db/pg_wal";

/** What a folder takes on the disk, in MiB. */
const mibBelow = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true, recursive: true }).reduce((sum, entry) => {
    // A file may be removed while the folder is read.
    const status = lstatSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false });
    return sum + (status?.isFile() ? (status.blocks * 512) / MIB : 0);
  }, 0);

const span = (samples: readonly number[]): string =>
  `${samples[0]?.toFixed(0)} at the start, ${samples.at(-1)?.toFixed(0)} at the end, at most ${Math.max(...samples).toFixed(0)} MiB`;

/** The goal of a process that only follows its feeds. */
export const idle: Goal = {
  id: "P24",
  what: "an hour on live-shaped feeds without callers",
  floor: null,
  isLong: true,
  run: ({ minutes = HOUR_MINUTES }) =>
    withFolder(async (folder) => {
      const market = await openLiveMarket();
      const service = await startService({ ...market.settings, DATA_DIR: folder, LOG_LEVEL: "warn" });
      const { pid } = service;
      const settleMs = Math.min(SETTLE_MINUTES, minutes / 2) * MINUTE_MS;
      await pause(settleMs);
      const startedMs = performance.now();
      const [cpuMs, written] = [cpuMsOf(pid), writtenBytesOf(pid)];
      const resident: number[] = [];
      const kept: number[] = [];
      while (settleMs + performance.now() - startedMs < minutes * MINUTE_MS) {
        resident.push(residentMiBOf(pid));
        kept.push(mibBelow(folder) - mibBelow(join(folder, LOG_FOLDER)));
        await pause(SAMPLE_MS);
      }
      const elapsedMs = performance.now() - startedMs;
      const gigabytes = (writtenBytesOf(pid) - written) / 1e9;
      const figures: Figure[] = [
        {
          what: "CPU, of a core",
          value: ((cpuMsOf(pid) - cpuMs) / elapsedMs) * 100,
          unit: "%",
          bound: { atMost: 2 },
          raw: `${((cpuMsOf(pid) - cpuMs) / 1_000).toFixed(1)} s in ${(elapsedMs / MINUTE_MS).toFixed(1)} minutes`,
        },
        {
          what: "written a day",
          value: (gigabytes * DAY_MS) / elapsedMs,
          unit: "GB",
          bound: { atMost: 1 },
          raw: `${(gigabytes * 1_000).toFixed(1)} MB meanwhile`,
        },
        {
          what: "kept a day, without the database's log",
          value: slopePerHour(kept, SAMPLE_MS) * 24,
          unit: "MiB",
          raw: span(kept),
        },
        {
          what: `resident memory after ${minutes} minutes (P16)`,
          value: resident.at(-1) ?? Number.NaN,
          unit: "MiB",
          bound: { atMost: 200 },
          raw: span(resident),
        },
      ];
      await service.stop();
      await market.close();
      return figures;
    }),
};
