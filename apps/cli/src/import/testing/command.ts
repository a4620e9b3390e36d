/**
 * `assay import` as a separate process. It runs compiled code, because Node does not run TypeScript; `npm test` builds first.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const APP = new URL("../../../", import.meta.url);

/** A run of the command. */
export interface Run {
  /** Waits for a matching line on stderr. */
  heard(line: RegExp): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** Its exit: the code, null when a signal ended it, and its output. */
  ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
}

/**
 * Starts the command.
 * @param settings its whole environment, except what a process needs to start
 */
export const startCommand = (args: readonly string[], settings: Readonly<Record<string, string>>): Run => {
  const { PATH = "", HOME = "", TMPDIR = "/tmp" } = process.env;
  const child: ChildProcess = spawn(process.execPath, [fileURLToPath(new URL("dist/bundle/assay.js", APP)), "import", ...args], {
    env: { PATH, HOME, TMPDIR, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout?.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((done, fail) => {
    child.once("error", fail);
    child.once("close", (code) => done({ code, stdout, stderr }));
  });
  return {
    ended,
    kill: (signal) => void child.kill(signal),
    heard: (line) =>
      new Promise((done, fail) => {
        const look = (): void => {
          if (line.test(stderr)) done();
        };
        child.stderr?.on("data", look);
        child.once("close", () => fail(new Error(`it ended without saying ${line}: ${stderr}`)));
        look();
      }),
  };
};
