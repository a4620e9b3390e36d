/** A real Assay process, as its operator starts it: watched until it serves, measured, stopped. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { cpuMsOf, openFilesOf, residentMiBOf, threadsCpuMsOf } from "../measure/process-figures.ts";

/** What the `assay` command is started with. */
export const FLAGS = ["--max-semi-space-size=2"];
const MEMORY = { MALLOC_TRIM_THRESHOLD_: "131072" };
/** The `assay` command, bundled. */
export const ASSAY = fileURLToPath(new URL("../../../apps/cli/dist/bundle/assay.js", import.meta.url));

const POLL_MS = 500;

/** Its settings; everything else is the default. */
export type ServiceSettings = Readonly<Record<string, string>>;

/** A running process. */
export interface Service {
  readonly url: string;
  readonly readyMs: number;
  /** CPU of its start. */
  readonly readyCpuMs: number;
  cpuMs(): number;
  /** The same of the threads that run, in finer steps. */
  threadsCpuMs(): number;
  residentMiB(): number;
  openFiles(): number;
  stop(): Promise<void>;
}

const environment = (settings: ServiceSettings) => ({
  ...MEMORY,
  PATH: process.env["PATH"],
  HOME: process.env["HOME"],
  HOST: "127.0.0.1",
  PORT: "0",
  LOG_LEVEL: "error",
  ...settings,
});

/** Starts a command of `assay` that serves; resolves when it says `ready`. */
export const startService = async (
  command: "start" | "api" | "stream" | "writer",
  settings: ServiceSettings,
): Promise<Service> => {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [...FLAGS, ASSAY, command], {
    env: environment(settings),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  const pid = child.pid ?? 0;
  const url = await new Promise<string>((resolve, reject) => {
    child.once("exit", () => reject(new Error(`assay ${command} ended before it served`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line.startsWith("ready ")) resolve(line.slice("ready ".length));
    });
  });
  return {
    url,
    readyMs: performance.now() - startedMs,
    readyCpuMs: cpuMsOf(pid),
    cpuMs: () => cpuMsOf(pid),
    threadsCpuMs: () => threadsCpuMsOf(pid),
    residentMiB: () => residentMiBOf(pid),
    openFiles: () => openFilesOf(pid),
    stop: async () => {
      process.off("exit", kill);
      if (child.exitCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
};

/** Waits until the history is filled in and every archive is built; returns how long that took, or null when it did not end in time. */
export const untilSettled = async ({ url }: Service, withinMs: number): Promise<number | null> => {
  const startedMs = performance.now();
  while (performance.now() - startedMs < withinMs) {
    const response = await fetch(`${url}/v1/status`);
    const status = (await response.json()) as {
      history: { complete: boolean };
      archives: { pending: number | null } | null;
    }; // as the contract declares it
    // A busy machine may refuse one.
    if (response.ok && status.history.complete && status.archives?.pending === 0) return performance.now() - startedMs;
    await pause(POLL_MS);
  }
  return null;
};

/** Mints a key in a shared database. */
export const mintKey = async (settings: ServiceSettings, tier: string): Promise<string> => {
  const options = ["keys", "create", "--org", "bench", "--tier", tier];
  const { stdout } = await promisify(execFile)(process.execPath, [ASSAY, ...options], { env: environment(settings) });
  return (JSON.parse(stdout) as { plaintext: string }).plaintext; // what the command prints
};
