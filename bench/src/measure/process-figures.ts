/** A process's CPU time and memory, from the kernel (Linux only), and what it says of itself in its metrics. */
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";

/** The kernel counts CPU in hundredths of a second. */
export const TICK_MS = 10;

/** Whether this system provides them. */
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

/** CPU time of a process so far. */
export const cpuMsOf = (pid: number): number => cpuMsOfLine(readFileSync(`/proc/${pid}/stat`, "latin1"));

/**
 * CPU time of a process's threads so far, in milliseconds: finer than `cpuMsOf`, but without that of threads that have ended, and of a
 * running one only up to the scheduler's last tick.
 */
export const threadsCpuMsOf = (pid: number): number => {
  const tasks = `/proc/${pid}/task`;
  const nanos = readdirSync(tasks).map((id) => Number(readFileSync(`${tasks}/${id}/schedstat`, "latin1").split(" ", 1)[0]));
  return nanos.reduce((sum, each) => sum + each, 0) / 1e6;
};

/** Memory a process holds, in MiB. */
export const residentMiBOf = (pid: number): number => {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"));
  return Number(line?.[1] ?? Number.NaN) / 1024;
};

/** Files and sockets a process has open. */
export const openFilesOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

/** How many files and sockets a process may have open; Node raises its own limit to this at its start. */
export const mostOpenFiles = (): number => {
  const line = /^Max open files\s+\S+\s+(\S+)/m.exec(readFileSync("/proc/self/limits", "latin1"));
  return line?.[1] === "unlimited" ? Number.POSITIVE_INFINITY : Number(line?.[1] ?? Number.NaN);
};

/** The metrics of a process that is not started yet. */
export interface Metrics {
  /** What it is started with. */
  readonly settings: { readonly METRICS_PORT: string };
  /** Milliseconds from the second at which they were due. */
  composeDelayMs(): Promise<number>;
  /** The longest its event loop stood since this was last asked. */
  longestStallMs(): Promise<number>;
}

/** The metric is the time between two turns of a timer of this length. */
const TIMER_MS = 10;
const COMPOSE_DELAY = /^assay_writer_compose_delay_seconds ([\d.e-]+)$/m;
const LONGEST_LAG = /^nodejs_eventloop_lag_max_seconds(?:\{[^}]*\})? ([\d.e-]+)$/m;

/** Takes a port for them. */
export const openMetrics = async (): Promise<Metrics> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on TCP
  server.close();
  await once(server, "close");
  const millisecondsIn = async (line: RegExp): Promise<number> => {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    const seconds = line.exec(await answer.text())?.[1];
    if (seconds === undefined) throw new Error(`the metrics have no line ${line.source}`);
    return Number(seconds) * 1_000;
  };
  return {
    settings: { METRICS_PORT: String(port) },
    composeDelayMs: () => millisecondsIn(COMPOSE_DELAY),
    longestStallMs: async () => (await millisecondsIn(LONGEST_LAG)) - TIMER_MS,
  };
};
