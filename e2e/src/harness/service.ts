/** A real Assay process: started with settings, watched until it serves, ended or killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";

const ROOT = resolve(import.meta.dirname, "../../..");
const START_WITHIN_MS = 120_000;

/** What a process is started with; settings as in the operator's table. */
export type Settings = Readonly<Record<string, string>>;

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A running service. */
export interface Service {
  readonly url: string;
  readonly child: ChildProcess;
  /** What it wrote to stderr so far. */
  stderr(): string;
  /** Signals it and waits for its end. */
  stop(signal?: NodeJS.Signals): Promise<Exit>;
}

/** A folder of its own under the system's temporary one. */
export const temporaryFolder = async (): Promise<{ readonly path: string; remove(): Promise<void> }> => {
  const path = await mkdtemp(join(tmpdir(), "assay-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
};

/** Environment without the settings of whoever runs the tests. */
const cleanEnvironment = (): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  HOME: process.env["HOME"] ?? "",
  LOG_LEVEL: "warn",
  HOST: "127.0.0.1",
  PORT: "0",
});

/** An entry of the repository's, as a child process. */
export const spawnEntry = (entry: string, settings: Settings, args: readonly string[] = []): ChildProcess =>
  spawn(process.execPath, [join(ROOT, entry), ...args], {
    cwd: ROOT,
    env: { ...cleanEnvironment(), ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });

/** Runs an entry to its end. */
export const runEntry = async (
  entry: string,
  settings: Settings,
  args: readonly string[] = [],
): Promise<Exit & { readonly stdout: string; readonly stderr: string }> => {
  const child = spawnEntry(entry, settings, args);
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    stdout += chunk.toString("utf8");
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk.toString("utf8");
  });
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null]; // what `close` tells
  return { code, signal, stdout, stderr };
};

/**
 * Starts a process that serves and waits for its `ready` line.
 * @throws Error with its stderr when it ends first or takes too long
 */
export const startService = async (settings: Settings, entry = "apps/standalone/dist/main.js"): Promise<Service> => {
  const child = spawnEntry(entry, settings);
  let stderr = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk.toString("utf8");
  });
  const exited = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>; // what `exit` tells
  const url = await new Promise<string>((fulfil, reject) => {
    const late = setTimeout(() => reject(new Error(`not ready in time: ${stderr}`)), START_WITHIN_MS);
    if (!child.stdout) return reject(new Error("no stdout"));
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (!line.startsWith("ready ")) return;
      clearTimeout(late);
      fulfil(line.slice("ready ".length).trim());
    });
    exited.then(([code]) => {
      clearTimeout(late);
      reject(new Error(`ended with ${code} before it served: ${stderr}`));
    }, reject);
  });
  return {
    url,
    child,
    stderr: () => stderr,
    stop: async (signal = "SIGTERM") => {
      child.kill(signal);
      const [code, by] = await exited;
      return { code, signal: by };
    },
  };
};

/** The demo keys a service left in its folder. */
export const readDemoKeys = async (dataDir: string): Promise<Record<string, string>> =>
  // The service's own file, in the form of the operator's page.
  JSON.parse(await readFile(join(dataDir, "demo-keys.json"), "utf8")) as Record<string, string>;
