/** How much of the machine others used while something was measured: beside them a figure means nothing. Linux only. */
import { readdirSync, readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { cpuMsOfLine, TICK_MS } from "../measure/process.ts";

/** The engine that works for a benchmark, by the kernel's name of the process. */
const ENGINE = "postgres";

/** More than this share of the CPU used by others, or taken by the host, and nothing is judged. */
const BUSY_FROM = 0.1;

/** One reading, in milliseconds of CPU since the machine started. */
export interface MachineReading {
  /** All CPU there was, idle included. */
  readonly capacityMs: number;
  /** CPU of all processes. */
  readonly workMs: number;
  /** CPU that the host gave to other machines. */
  readonly stolenMs: number;
  /** CPU of this process, its children and the engine. */
  readonly ownMs: number;
}

/** How the time between two readings was used, as shares of all CPU. */
export interface MachineUse {
  readonly others: number;
  readonly stolen: number;
}

interface ProcessLine {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
  /** With that of children that ended. */
  readonly cpuMs: number;
}

const sumOf = (lines: readonly ProcessLine[]): number => lines.reduce((sum, { cpuMs }) => sum + cpuMs, 0);

const processes = (): ProcessLine[] =>
  readdirSync("/proc").flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    try {
      const line = readFileSync(`/proc/${entry}/stat`, "latin1");
      const name = line.slice(line.indexOf("(") + 1, line.lastIndexOf(")"));
      const parent = Number(line.slice(line.lastIndexOf(")") + 2).split(" ")[1]);
      return [{ pid: Number(entry), parent, name, cpuMs: cpuMsOfLine(line, true) }];
    } catch {
      return []; // it ended in the meantime
    }
  });

/** Reads the machine's use so far. */
export const readMachine = (): MachineReading => {
  const lines = processes();
  const own = new Set([process.pid]);
  // Parents may come after their children in the list: repeated until nothing is added.
  for (let size = 0; size !== own.size; ) {
    size = own.size;
    for (const { pid, parent } of lines) if (own.has(parent)) own.add(pid);
  }
  const stat = readFileSync("/proc/stat", "latin1");
  const columns = stat.slice(0, stat.indexOf("\n")).split(/\s+/).slice(1, 9).map(Number);
  // Interrupts are the kernel's work for whoever sends and receives, mostly the benchmark itself.
  const [user = 0, nice = 0, system = 0, , , , , steal = 0] = columns;
  return {
    capacityMs: columns.reduce((sum, ticks) => sum + ticks, 0) * TICK_MS,
    workMs: (user + nice + system) * TICK_MS,
    stolenMs: steal * TICK_MS,
    ownMs: sumOf(lines.filter(({ pid, name }) => own.has(pid) || name === ENGINE)),
  };
};

/** The use between two readings. */
export const useBetween = (before: MachineReading, after: MachineReading): MachineUse => {
  const shareOf = (ms: number): number => Math.max(0, ms) / Math.max(1, after.capacityMs - before.capacityMs);
  return {
    others: shareOf(after.workMs - before.workMs - (after.ownMs - before.ownMs)),
    stolen: shareOf(after.stolenMs - before.stolenMs),
  };
};

/** Whether others used too much for a figure to be judged. */
export const isBusy = ({ others, stolen }: MachineUse): boolean => !(others + stolen <= BUSY_FROM);

/** The use in words. */
export const useText = ({ others, stolen }: MachineUse): string =>
  `other processes used ${(others * 100).toFixed(0)} % of ${cpus().length} cores, the host took ${(stolen * 100).toFixed(0)} %, ` +
  `load average ${loadavg()[0]?.toFixed(1)}`;
