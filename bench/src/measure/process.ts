/** What a process has used so far, from the kernel (Linux only). */
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** The kernel counts CPU in hundredths of a second. */
export const TICK_MS = 10;

/** Whether this system says it. */
export const canReadProcesses = existsSync("/proc/self/stat");

/**
 * CPU time in a line of `/proc/<pid>/stat`, all threads, in milliseconds; in steps of 10.
 * @param withEnded also that of children that ended
 */
export const cpuMsOfLine = (stat: string, withEnded = false): number => {
  // The second field, the program's name, may contain spaces and parentheses; utime, stime, cutime and cstime are 14th to 17th.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = fields.slice(11, withEnded ? 15 : 13);
  return ticks.reduce((sum, text) => sum + Number(text), 0) * TICK_MS;
};

/** CPU time of a process. */
export const cpuMsOf = (pid: number): number => cpuMsOfLine(readFileSync(`/proc/${pid}/stat`, "latin1"));

/**
 * CPU time of a process's threads, in milliseconds: finer than `cpuMsOf`, but without that of threads that have ended, and of a
 * running one only up to the scheduler's last tick.
 */
export const threadsCpuMsOf = (pid: number): number => {
  const tasks = `/proc/${pid}/task`;
  const nanos = readdirSync(tasks).map((id) => Number(readFileSync(`${tasks}/${id}/schedstat`, "latin1").split(" ", 1)[0]));
  return nanos.reduce((sum, each) => sum + each, 0) / 1e6;
};

const numberIn = (path: string, line: RegExp): number => Number(line.exec(readFileSync(path, "latin1"))?.[1] ?? Number.NaN);

/** Memory a process holds, in MiB. */
export const residentMiBOf = (pid: number): number => numberIn(`/proc/${pid}/status`, /^VmRSS:\s+(\d+) kB$/m) / 1024;

/** Bytes a process caused to be written to a disk. */
export const writtenBytesOf = (pid: number): number => numberIn(`/proc/${pid}/io`, /^write_bytes: (\d+)$/m);

/** How many files and sockets a process may have open; Node raises its own limit to this at its start. */
export const mostOpenFiles = (): number => numberIn("/proc/self/limits", /^Max open files\s+\S+\s+(\d+)/m);

/** CPU time that this process uses for some work, in milliseconds. */
export const cpuMsOfWork = async (work: () => unknown): Promise<number> => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};
