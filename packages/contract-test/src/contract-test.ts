/** The command from its arguments to its exit code. */
import { access, open, unlink, writeFile } from "node:fs/promises";
import { CommanderError } from "commander";
import { type Arguments, type Output, readArguments } from "./arguments.ts";
import { CannotRun } from "./introduce.ts";
import { junitOf } from "./report/junit.ts";
import { countsOf, type Report } from "./report/outcome.ts";
import { textOf } from "./report/text.ts";
import { runContractTest } from "./run.ts";

const KEY_FORM = /assay_live_[0-9A-Za-z]{20,}/g;

/** Creates the redaction through which all output passes: of the keys of the run, and anything else in the format of a key. */
export const redactor =
  (keys: readonly string[]) =>
  (text: string): string =>
    keys.reduce((hidden, key) => hidden.replaceAll(key, "[key]"), text).replace(KEY_FORM, "[key]");

/** The report as JSON, with the number of checks by status. */
export const jsonOf = ({ results, ...run }: Report): string =>
  `${JSON.stringify({ ...run, counts: countsOf(results), results }, null, 2)}\n`;

/** A file that cannot be written; the message is one line. */
class CannotWrite extends Error {
  override readonly name = "CannotWrite";
}

const orCannotWrite = async (path: string, use: () => Promise<void>): Promise<void> => {
  try {
    await use();
  } catch (error) {
    throw new CannotWrite(`${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
};

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * Makes sure that a file can be written; existing content is kept, and a file that did not exist is not left behind.
 * @throws CannotWrite when it cannot
 */
const ensureWritable = (path: string): Promise<void> =>
  orCannotWrite(path, async () => {
    const isOld = await exists(path);
    // Opened, not just checked for access: only that detects folders, read-only disks and parents that are files.
    const file = await open(path, "a");
    await file.close();
    if (!isOld) await unlink(path);
  });

/**
 * Writes a report.
 * @throws CannotWrite when it can no longer be written
 */
const writeReport = (path: string, text: string): Promise<void> => orCannotWrite(path, () => writeFile(path, text));

export const EXIT = { kept: 0, drift: 1, cannotRun: 2, unchecked: 3 } as const;

/** A progress line overwritten during the run; shown only on a terminal. */
const progress = (isShown: boolean, output: Output) => {
  if (!isShown) return { show: undefined, end: () => {} };
  return {
    show: (requests: number, checks: number) => output.err(`\r${requests} requests, ${checks} checks done `),
    end: () => output.err("\r\u001b[K"),
  };
};

/** The exit code of a run's findings. */
const exitOf = ({ results, wentAway, spent }: Report, { failOnUnchecked }: Arguments, output: Output): number => {
  const { passed, failed, notChecked } = countsOf(results);
  if (failed > 0 || wentAway !== undefined) return EXIT.drift;
  const isChecked = failOnUnchecked ? notChecked === 0 : passed > 0 && spent === undefined;
  if (isChecked) return EXIT.kept;
  output.err(`${failOnUnchecked ? "--fail-on-unchecked: " : ""}${notChecked} of ${results.length} checks could not be run\n`);
  return EXIT.unchecked;
};

const perform = async (given: Arguments, output: Output, isTerminal: boolean): Promise<number> => {
  const hide = redactor(given.keys.map(({ key }) => key));
  const line = progress(isTerminal, output);
  const { junit } = given;
  try {
    // Checked before a run of minutes whose report could not be saved.
    if (junit !== undefined) await ensureWritable(junit);
    const onWait = (text: string): void => output.err(hide(`${text}\n`));
    const report = await runContractTest({ ...given, onWait, ...(line.show ? { onProgress: line.show } : {}) });
    line.end();
    output.out(hide(given.json ? jsonOf(report) : textOf(report)));
    if (report.wentAway !== undefined)
      output.err(hide(`${report.baseUrl} stopped responding: ${report.wentAway}; the report covers the checks before that\n`));
    if (junit !== undefined) await writeReport(junit, hide(junitOf(report)));
    return exitOf(report, given, output);
  } catch (error) {
    line.end();
    if (!(error instanceof CannotRun || error instanceof CannotWrite)) throw error;
    output.err(hide(`${error.message}\n`));
    return EXIT.cannotRun;
  }
};

/**
 * Runs the command.
 * @param args the arguments after the command's name
 * @param isTerminal whether progress is shown on stderr
 * @returns the exit code
 */
export const contractTest = async (args: readonly string[], output: Output, isTerminal = false): Promise<number> => {
  let given: Arguments;
  try {
    // Commander's message may quote the argument, and with it a key.
    const hide = redactor([]);
    given = readArguments(args, { out: output.out, err: (text) => output.err(hide(text)) });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.kept : EXIT.cannotRun;
    throw error;
  }
  return perform(given, output, isTerminal);
};
