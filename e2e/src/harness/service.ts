/** A real Assay process: started with settings, watched until it serves, ended or killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { ROOT } from "./root.ts";

/** The entries of the repository. */
export const STANDALONE = "apps/standalone/dist/main.js";
export const API = "apps/api/dist/main.js";
export const WRITER = "apps/writer/dist/main.js";
export const KEYS = "apps/api/dist/keys.js";
export const IMPORT = "apps/writer/dist/import.js";
export const STREAM = "apps/stream/dist/main.js";

/** Long, because a first start makes thirty years of history and the machine may be busy. */
const START_WITHIN_MS = 150_000;
const RUN_WITHIN_MS = 60_000;
/** What the operator's page promises of SIGTERM. */
const END_WITHIN_MS = 10_000;

/** What a process is started with; settings as in the operator's table. */
export type Settings = Readonly<Record<string, string>>;

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process as a test sees it. */
export interface Watched {
  readonly child: ChildProcess;
  readonly exited: Promise<Exit>;
  /** What it wrote so far. */
  stdout(): string;
  stderr(): string;
}

/** A running service. */
export interface Service extends Watched {
  readonly url: string;
  /** How long it took to serve, in milliseconds. */
  readonly startedInMs: number;
  /** Signals it and waits for its end. */
  stop(signal?: NodeJS.Signals): Promise<Exit>;
}

/** Environment without the settings of whoever runs the tests. */
const cleanEnvironment = (): Record<string, string> => ({
  PATH: process.env.PATH ?? "",
  HOME: process.env.HOME ?? "",
  LOG_LEVEL: "warn",
  HOST: "127.0.0.1",
  PORT: "0",
});

const living = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of living) child.kill("SIGKILL");
});

const watch = (command: string, args: readonly string[], settings: Settings, cwd = ROOT): Watched => {
  const child = spawn(command, args, {
    cwd,
    env: { ...cleanEnvironment(), ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  living.add(child);
  const written = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    written.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    written.stderr += text;
  });
  // What `close` tells: it comes when the process is gone and all it wrote was read.
  const closed = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
  const exited = closed.then(([code, signal]) => {
    living.delete(child);
    return { code, signal };
  });
  return { child, exited, stdout: () => written.stdout, stderr: () => written.stderr };
};

/** Starts an entry of the repository's as a child process, and leaves it to itself. */
export const spawnEntry = (entry: string, settings: Settings, args: readonly string[] = []): Watched =>
  watch(process.execPath, [join(ROOT, entry), ...args], settings);

/** Starts a program of somebody else's, with this Node, in its own folder. */
export const spawnProgram = (folder: string, settings: Settings, args: readonly string[]): Watched =>
  watch(process.execPath, args, settings, folder);

/** Starts the standalone service with no file able to grow past a size, in units of 512 bytes: writes fail as on a full disk. */
export const spawnCapped = (settings: Settings, fileBlocks: number): Watched =>
  watch("sh", ["-c", `ulimit -f ${fileBlocks} && exec "$@"`, "sh", process.execPath, join(ROOT, STANDALONE)], settings);

/** Starts a command of the repository's `package.json`. */
export const spawnCommand = (command: string, settings: Settings): Watched => watch("npm", [command], settings);

/** Fulfils with the end of a process, or kills it and says that it did not end. */
export const endOf = async ({ child, exited }: Watched, withinMs: number): Promise<Exit> => {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill("SIGKILL");
  }, withinMs);
  const exit = await exited;
  clearTimeout(timer);
  if (isLate) throw new Error(`process ${child.pid} did not end within ${withinMs} ms`);
  return exit;
};

/** Runs an entry to its end. */
export const runEntry = async (
  entry: string,
  settings: Settings,
  args: readonly string[] = [],
): Promise<Exit & { readonly stdout: string; readonly stderr: string }> => {
  const run = spawnEntry(entry, settings, args);
  const exit = await endOf(run, RUN_WITHIN_MS);
  return { ...exit, stdout: run.stdout(), stderr: run.stderr() };
};

/** Waits for the `ready` line; what stands behind the word. */
const readiness = ({ child, exited, stderr }: Watched): Promise<string> =>
  new Promise((fulfil, reject) => {
    const late = setTimeout(() => reject(new Error(`not ready within ${START_WITHIN_MS} ms: ${stderr()}`)), START_WITHIN_MS);
    if (child.stdout) {
      createInterface({ input: child.stdout }).on("line", (line) => {
        if (line.startsWith("ready ")) fulfil(line.slice("ready ".length).trim());
      });
    }
    exited
      .then(({ code, signal }) => reject(new Error(`ended with ${signal ?? code} before it was ready: ${stderr()}`)))
      .finally(() => clearTimeout(late));
  });

/**
 * Waits until a process serves.
 * @throws Error with its stderr when it ends first or takes too long; then it is killed, since nobody else knows of it
 */
export const untilReady = async (watched: Watched): Promise<Service> => {
  const startMs = performance.now();
  const url = await readiness(watched).catch((error: unknown) => {
    watched.child.kill("SIGKILL");
    throw error;
  });
  return {
    ...watched,
    url,
    startedInMs: performance.now() - startMs,
    stop: (signal = "SIGTERM") => {
      watched.child.kill(signal);
      return endOf(watched, END_WITHIN_MS);
    },
  };
};

/** Starts a process that serves and waits for its `ready` line. */
export const startService = (settings: Settings, entry: string = STANDALONE): Promise<Service> =>
  untilReady(spawnEntry(entry, settings));
