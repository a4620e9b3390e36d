/**
 * A command of the operator on what is stored: run by the service that holds the embedded database, or here. JSON on stdout; on failure
 * one line on stderr.
 */
import { parseSettings, type Settings } from "@assay/config";
import { hasDatabase, StoreHeldError } from "@assay/db";
import { type Clock, openClock } from "@assay/ports";
import { createLogger, type Engines, endFailedStart, Lifecycle, openEngines } from "@assay/process";
import { CommanderError } from "commander";
import { type Output, openTerminal } from "./output.ts";
import { askService, heldLine } from "./socket/ask.ts";
import type { CommandRequest } from "./socket/protocol.ts";

export interface OperatorCommand {
  /** Its result is printed as JSON. */
  readonly work: (engines: Pick<Engines, "store" | "live">, nowMs: number) => Promise<unknown>;
  /** Whether it may come before the first start of a service: it then makes the database. */
  readonly mayBeFirst?: boolean;
}

/**
 * Parses arguments.
 * @throws CommanderError when they are invalid or ask for help, after what is wrong, or the help, was printed
 */
export type ReadArguments = (args: readonly string[], output: Output) => OperatorCommand;

const printResult = (result: unknown, { out }: Output): void => out(`${JSON.stringify(result, null, 2)}\n`);

/** Opens the engines for one command and closes them after it. */
const withEngines = async (
  name: string,
  settings: Settings,
  { work, mayBeFirst = false }: OperatorCommand,
  output: Output,
): Promise<void> => {
  const isFirst = mayBeFirst && settings.databaseUrl === undefined && !hasDatabase(settings.dataDir);
  const log = createLogger({ level: settings.logLevel, format: settings.logFormat, name });
  const clock = openClock(settings.clockOffsetMs);
  const lifecycle = new Lifecycle((error, message) => log.error({ err: error }, message));
  try {
    const engines = await openEngines(settings, { clock, log, lifecycle, mustExist: !mayBeFirst });
    if (isFirst) output.err(`There was no database in ${settings.dataDir} yet; it is made now.\n`);
    printResult(await work(engines, clock()), output);
  } finally {
    await lifecycle.close();
  }
};

/** A command that a running service runs for another process. */
export interface HostedCommand extends Pick<Engines, "store" | "live"> {
  readonly clock: Clock;
  /** The arguments after the command's name. */
  readonly args: readonly string[];
  /** Where the files it was sent are. */
  readonly places: readonly string[];
  readonly output: Output;
  /** Aborts, with an ImportError, when the other process hangs up or the service shuts down. */
  readonly signal: AbortSignal;
}

/** Runs a command for another process, which asked this service. */
export const hostedBy =
  (read: ReadArguments) =>
  async ({ args, output, clock, ...engines }: HostedCommand): Promise<void> => {
    const { work } = read(args, output);
    printResult(await work(engines, clock()), output);
  };

/** Runs a command in this process, unless a service holds the database. */
export const runBy =
  (name: CommandRequest["command"], read: ReadArguments) =>
  async (args: readonly string[]): Promise<void> => {
    try {
      process.exitCode = await run(name, read, args, openTerminal());
    } catch (error) {
      if (!(error instanceof CommanderError)) return endFailedStart(error);
      process.exitCode = error.exitCode;
    }
  };

const run = async (
  name: CommandRequest["command"],
  read: ReadArguments,
  args: readonly string[],
  output: Output,
): Promise<number> => {
  const command = read(args, output);
  const settings = parseSettings(process.env);
  const asked = { command: name, args: [...args], files: [] };
  const exit = await askService(settings, asked, output, new AbortController().signal);
  if (exit !== null) return exit;
  try {
    await withEngines(name, settings, command, output);
  } catch (error) {
    if (!(error instanceof StoreHeldError)) throw error;
    output.err(`${heldLine(error, settings.dataDir)}\n`);
    return 1;
  }
  return 0;
};
