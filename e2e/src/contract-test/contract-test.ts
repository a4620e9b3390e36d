/** The command from its arguments to its exit code. */
import { writeFile } from "node:fs/promises";
import { CommanderError } from "commander";
import { type Arguments, type Output, readArguments } from "./arguments.ts";
import { CannotRun } from "./introduce.ts";
import { junitOf } from "./report/junit.ts";
import { countOf } from "./report/outcome.ts";
import { redactor } from "./report/redact.ts";
import { textOf } from "./report/text.ts";
import { runContractTest } from "./run.ts";

/** What the process ends with. */
export const EXIT = { kept: 0, drift: 1, cannotRun: 2 } as const;

/** A line that is written over itself while the run goes on; only people at a terminal see it. */
const progress = (isShown: boolean, output: Output) => {
  if (!isShown) return { tell: undefined, end: () => {} };
  return {
    tell: (requests: number, checks: number) => output.err(`\r${requests} requests, ${checks} checks done `),
    end: () => output.err("\r\u001b[K"),
  };
};

const perform = async (given: Arguments, output: Output, isTerminal: boolean): Promise<number> => {
  const hide = redactor(given.keys.map(({ key }) => key));
  const line = progress(isTerminal, output);
  try {
    const report = await runContractTest({ ...given, ...(line.tell ? { onProgress: line.tell } : {}) });
    line.end();
    output.out(hide(given.json ? `${JSON.stringify(report, null, 2)}\n` : textOf(report)));
    if (given.junit !== undefined) await writeFile(given.junit, hide(junitOf(report)));
    return countOf(report.results, "failed") === 0 ? EXIT.kept : EXIT.drift;
  } catch (error) {
    line.end();
    if (error instanceof CannotRun) output.err(hide(`${error.message}\n`));
    else if (error instanceof Error && "syscall" in error) output.err(`${given.junit} cannot be written: ${error.message}\n`);
    else throw error;
    return EXIT.cannotRun;
  }
};

/**
 * Runs the command.
 * @param args what stands behind its name
 * @param isTerminal whether progress is shown on stderr
 * @returns the exit code
 */
export const contractTest = async (args: readonly string[], output: Output, isTerminal = false): Promise<number> => {
  let given: Arguments;
  try {
    // What is wrong with a line is told in its own words, and a key may be among them.
    const hide = redactor([]);
    given = readArguments(args, { out: output.out, err: (text) => output.err(hide(text)) });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.kept : EXIT.cannotRun;
    throw error;
  }
  return perform(given, output, isTerminal);
};
