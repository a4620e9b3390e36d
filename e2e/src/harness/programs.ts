/** Other people's programs, where they are installed. */
import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);
const WITHIN_MS = 120_000;

/** Those of the named programs that cannot be started. */
export const missingOf = (programs: readonly string[]): string[] =>
  programs.filter((program) => spawnSync("sh", ["-c", `command -v "${program}"`]).status !== 0);

/**
 * Runs a program to its end.
 * @returns what it printed
 * @throws Error with its output when it fails
 */
export const outputOf = async (program: string, ...args: string[]): Promise<string> =>
  (await execute(program, args, { timeout: WITHIN_MS, maxBuffer: 16 * 1024 * 1024 })).stdout;
