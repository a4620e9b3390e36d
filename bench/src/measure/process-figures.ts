/** A process's CPU time and memory, from the kernel. Linux only. */
import { existsSync, readFileSync } from "node:fs";

/** The kernel counts CPU in hundredths of a second. */
const TICK_MS = 10;

/** Whether this system provides them. */
export const canReadProcesses = existsSync("/proc/self/stat");

/** CPU time of a process so far, its threads included, in milliseconds; in steps of 10. */
export const cpuMsOf = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  // The second field, the program's name, may contain spaces and parentheses; utime and stime are the 14th and 15th.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
};

/** Memory a process holds, in MiB. */
export const residentMiBOf = (pid: number): number => {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"));
  return Number(line?.[1] ?? Number.NaN) / 1024;
};
