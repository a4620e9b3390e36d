/** Processes of their own for tests: what they run is the built package, because Node runs no TypeScript. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const PACKAGE = new URL("../../", import.meta.url);

/** Builds the package when its sources are newer. */
export const build = (): void => {
  const compiler = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", PACKAGE));
  execFileSync(process.execPath, [compiler, "-b", fileURLToPath(PACKAGE)], { stdio: ["ignore", "inherit", "inherit"] });
};

const running = new Set<ChildProcess>();

/** Ends whatever a test left running, and waits for it. */
export const endChildren = async (): Promise<void> => {
  await Promise.all(
    [...running].map((child) => {
      child.kill("SIGKILL");
      return once(child, "exit");
    }),
  );
};

/** How long a test of real processes may take: a busy machine starts them slowly. */
export const PROCESS_TIMEOUT_MS = 180_000;

/** A running process and the lines it prints. */
export interface Child {
  readonly pid: number;
  /** The next line on its standard output; null when there are no more. */
  line(): Promise<string | null>;
  /** Sends a signal. */
  signal(name: NodeJS.Signals): void;
  /** Waits for its end. */
  ended(): Promise<void>;
}

/** Runs a command whose writes past this size of a file fail, as all do on a full disk. */
const CAPPED = 'ulimit -f "$1" && shift && exec "$@"';

/**
 * Runs a module's text in a process of its own.
 * @param body statements; `db` is this package, `folder` the lock of the embedded database
 * @param fileBlocks the largest file it may write, in units of 512 bytes
 */
export const runChild = (body: string, fileBlocks: number | "unlimited" = "unlimited"): Child => {
  const script = `
    import * as db from ${JSON.stringify(new URL("dist/index.js", PACKAGE).href)};
    import { lockFolder } from ${JSON.stringify(new URL("dist/open/folder-lock.js", PACKAGE).href)};
    const forever = () => new Promise(() => setInterval(() => {}, 1e9));
    ${body}`;
  const command = [process.execPath, "--input-type=module", "--eval", script];
  const child: ChildProcess = spawn("sh", ["-c", CAPPED, "sh", String(fileBlocks), ...command], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (!child.stdout || child.pid === undefined) throw new Error("the process did not start");
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const exit = once(child, "exit").finally(() => running.delete(child));
  running.add(child);
  return {
    pid: child.pid,
    line: async () => {
      const next = await lines.next();
      return next.done ? null : next.value;
    },
    signal: (name) => void child.kill(name),
    ended: () => exit.then(() => {}),
  };
};
