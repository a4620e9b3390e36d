/** `npm run import` as a process of its own: what it runs is compiled, because Node runs no TypeScript. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const APP = new URL("../../../", import.meta.url);

/** Compiles the app when its sources are newer. */
export const buildCommand = (): void => {
  const compiler = createRequire(import.meta.url)
    .resolve("typescript/package.json")
    .replace(/package\.json$/, "bin/tsc");
  execFileSync(process.execPath, [compiler, "-b", fileURLToPath(APP)], { stdio: ["ignore", "inherit", "inherit"] });
};

/** A run of the command. */
export interface Run {
  /** Waits for a line on stderr that fits. */
  heard(line: RegExp): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** Its end: the code, null when a signal ended it, and what it said. */
  ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
}

/**
 * Starts the command.
 * @param settings its whole environment but for what a process needs to start
 */
export const startCommand = (args: readonly string[], settings: Readonly<Record<string, string>>): Run => {
  const { PATH = "", HOME = "", TMPDIR = "/tmp" } = process.env;
  const child: ChildProcess = spawn(process.execPath, [fileURLToPath(new URL("dist/import.js", APP)), ...args], {
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
