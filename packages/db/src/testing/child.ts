/** Child processes for tests. They run the built package, because Node does not run TypeScript; `npm test` builds first. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

const PACKAGE = new URL("../../", import.meta.url);

const running = new Set<ChildProcess>();

/** Kills any process a test left running, and waits for it. */
export const endChildren = async (): Promise<void> => {
  await Promise.all(
    [...running].map((child) => {
      child.kill("SIGKILL");
      return once(child, "exit");
    }),
  );
};

/** Timeout of a test with real processes: a busy machine starts them slowly. */
export const PROCESS_TIMEOUT_MS = 180_000;

/** A running process and the lines it prints. */
export interface Child {
  readonly pid: number;
  /** The next line on its standard output; null at the end. */
  line(): Promise<string | null>;
  signal(name: NodeJS.Signals): void;
  ended(): Promise<void>;
}

/** Runs a command whose writes past this file size fail, as on a full disk. */
const CAPPED = 'ulimit -f "$1" && shift && exec "$@"';

/**
 * Runs a module's source in a child process.
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
