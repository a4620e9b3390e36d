/** Starts real processes and watches them; mints keys with `assay keys`; and one service for all read-only suites of a worker. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type KeyMintResponse, keyMintResponse, type TierName } from "@assay/contract";
import { copyMade } from "@assay/db/testing";
import { movedClock } from "@assay/testkit";
import { ROOT, readDemoKeys, type TierKeys, temporaryFolder } from "./files.ts";

/** The `assay` command, compiled. */
export const ASSAY = join(ROOT, "apps/cli/dist/bundle/assay.js");

export const STANDALONE = "start";
export const API = "api";
export const WRITER = "writer";
export const MIGRATE = "migrate";
export const RENUMBER = "renumber";
export const KEYS = "keys";
export const IMPORT = "import";
export const STREAM = "stream";

/** Limits that only end what hangs, however busy the machine is. */
const START_WITHIN_MS = 400_000;
const RUN_WITHIN_MS = 300_000;
const END_WITHIN_MS = 120_000;

/** Settings of a process, as in the operator's table. */
export type Settings = Readonly<Record<string, string>>;

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Watched {
  readonly child: ChildProcess;
  readonly exited: Promise<Exit>;
  stdout(): string;
  stderr(): string;
}

export interface Service extends Watched {
  readonly url: string;
  /** How long it took until it served, in milliseconds. */
  readonly startedInMs: number;
  stop(signal?: NodeJS.Signals): Promise<Exit>;
}

/** The environment without Assay settings of the person running the tests. */
const cleanEnvironment = (): Record<string, string> => ({
  PATH: process.env.PATH ?? "",
  HOME: process.env.HOME ?? "",
  TMPDIR: process.env.TMPDIR ?? "/tmp",
  LOG_LEVEL: "warn",
  // Two days are as good as thirty where the number does not matter: a service has them before it is ready.
  SIM_HISTORY_DAYS: "1",
  HOST: "127.0.0.1",
  PORT: "0",
  ...movedClock(),
});

const living = new Set<ChildProcess>();
const endAll = (): void => {
  for (const child of living) child.kill("SIGKILL");
};
process.once("exit", endAll);
// vitest stops its workers with this signal: a service shared by suites lives until then.
process.once("SIGTERM", () => {
  endAll();
  process.exit();
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
  // `close` is emitted when the process has exited and all its output was read.
  const closed = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
  const exited = closed.then(([code, signal]) => {
    living.delete(child);
    return { code, signal };
  });
  return { child, exited, stdout: () => written.stdout, stderr: () => written.stderr };
};

/** Starts a command of `assay` as a child process without waiting for it. */
export const spawnEntry = (entry: string, settings: Settings, args: readonly string[] = []): Watched =>
  watch(process.execPath, [ASSAY, entry, ...args], settings);

/** Starts another program with this Node, in its own folder. */
export const spawnProgram = (folder: string, settings: Settings, args: readonly string[]): Watched =>
  watch(process.execPath, args, settings, folder);

export const spawnFile = (command: string, args: readonly string[], settings: Settings): Watched =>
  watch(command, args, settings);

/** Starts the standalone service with a file size limit, in units of 512 bytes: writes fail as on a full disk. */
export const spawnCapped = (settings: Settings, fileBlocks: number): Watched =>
  watch("sh", ["-c", `ulimit -f ${fileBlocks} && exec "$@"`, "sh", process.execPath, ASSAY, STANDALONE], settings);

/** Starts a command of the repository's `package.json`. */
export const spawnCommand = (command: string, settings: Settings): Watched => watch("npm", [command], settings);

/** Resolves when a process exits, or kills it and reports that it did not exit. */
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

/** Runs an entry until it exits. */
export const runEntry = async (
  entry: string,
  settings: Settings,
  args: readonly string[] = [],
): Promise<Exit & { readonly stdout: string; readonly stderr: string }> => {
  const run = spawnEntry(entry, settings, args);
  const exit = await endOf(run, RUN_WITHIN_MS);
  return { ...exit, stdout: run.stdout(), stderr: run.stderr() };
};

/** The line in the log of a service that is started and not ready. */
const NOT_READY = /"service":"([^"]+)".*"msg":"started; not ready yet"/;

/** Waits for the `ready` line, or for the one in the log before it; returns the service's address or name. */
const readiness = ({ child, exited, stderr }: Watched, { unready }: { readonly unready: boolean }): Promise<string> =>
  new Promise((fulfil, reject) => {
    const late = setTimeout(() => reject(new Error(`not ready within ${START_WITHIN_MS} ms: ${stderr()}`)), START_WITHIN_MS);
    if (child.stdout) {
      createInterface({ input: child.stdout }).on("line", (line) => {
        if (line.startsWith("ready ")) fulfil(line.slice("ready ".length).trim());
      });
    }
    if (child.stderr && unready) {
      createInterface({ input: child.stderr }).on("line", (line) => {
        const [, address] = NOT_READY.exec(line) ?? [];
        if (address !== undefined) fulfil(address);
      });
    }
    exited
      .then(({ code, signal }) => reject(new Error(`ended with ${signal ?? code} before it was ready: ${stderr()}`)))
      .finally(() => clearTimeout(late));
  });

/**
 * Waits until a process is ready.
 * @param unready whether one that is started will do: without a price of gold none is ready
 * @throws Error with its stderr when it exits first or takes too long; then it is killed, since no one else would
 */
export const untilReady = async (watched: Watched, { unready = false } = {}): Promise<Service> => {
  const startMs = performance.now();
  const url = await readiness(watched, { unready }).catch((error: unknown) => {
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

/** With one of these settings a service has another market, or another history, than the default. */
const OWN_MARKET = ["FEEDS", "SIM_SEED", "SIM_HOURS", "SIM_HISTORY_DAYS", "CLOCK_OFFSET_MS"];

/** The files a first start of the simulated market creates, without archives. */
const makeHistory = async (folder: string): Promise<void> => {
  const service = await untilReady(spawnEntry(STANDALONE, { DATA_DIR: folder, DISABLE: "download" }));
  await service.stop();
};

/** Fills an empty folder with the database prepared for the run, and its demo keys: suites about a first start use `startAnew`. */
export const lendDatabase = async (settings: Settings): Promise<void> => {
  const { DATA_DIR, DATABASE_URL } = settings;
  if (DATA_DIR === undefined || DATABASE_URL !== undefined || existsSync(join(DATA_DIR, "db"))) return;
  if (!OWN_MARKET.some((name) => settings[name] !== undefined)) await copyMade("history", DATA_DIR, makeHistory);
};

/** Starts the standalone service in a market without a price of gold. */
export const startUnready = async (settings: Settings): Promise<Service> => {
  await lendDatabase(settings);
  return untilReady(spawnEntry(STANDALONE, settings), { unready: true });
};

/** Archives cost a service as much as its start; suites about them have `DISABLE: ""`. */
const WITHOUT_ARCHIVES = { DISABLE: "download" };

/** Starts a process on an existing database, and waits for its `ready` line; a standalone service builds no archives. */
export const startService = async (settings: Settings, entry: string = STANDALONE): Promise<Service> => {
  await lendDatabase(settings);
  return untilReady(spawnEntry(entry, entry === STANDALONE ? { ...WITHOUT_ARCHIVES, ...settings } : settings));
};

export const startAnew = (settings: Settings): Promise<Service> => untilReady(spawnEntry(STANDALONE, settings));

/** The service, and a key of each tier. */
export interface SharedService {
  readonly service: Service;
  readonly keys: TierKeys;
}

const start = async (): Promise<SharedService> => {
  const folder = await temporaryFolder();
  const service = await startService({ DATA_DIR: folder.path });
  return { service, keys: await readDemoKeys(folder.path) };
};

let started: Promise<SharedService> | undefined;

/** Starts it on the first call; it ends with the worker. */
export const sharedService = (): Promise<SharedService> => {
  started ??= start();
  return started;
};

/** Mints a key. @throws Error with the command's output when it fails */
export const mintKey = async (settings: Settings, tier: TierName, org = `e2e ${tier}`): Promise<KeyMintResponse> => {
  const { code, stdout, stderr } = await runEntry(KEYS, settings, ["create", "--org", org, "--tier", tier]);
  if (code !== 0) throw new Error(`the key desk ended with ${code}: ${stderr}`);
  return keyMintResponse.parse(JSON.parse(stdout));
};
