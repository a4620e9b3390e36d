/** `assay keys`: manages keys for the operator. JSON on stdout; on failure one line on stderr. */
import { parseSettings, type Settings } from "@assay/config";
import { label, TIER_NAMES, type TierName } from "@assay/contract";
import { hasDatabase, StoreHeldError } from "@assay/db";
import { createLogger, type Engines, endFailedStart, Lifecycle, openClock, openEngines } from "@assay/process";
import { changeTier, createKey, listAllKeys, readInstant, revokeAnyKey } from "@assay/services";
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { type Output, openTerminal, printingTo } from "./output.ts";
import { askService, heldLine } from "./socket/ask.ts";
import type { HostedCommand } from "./socket/hosted-command.ts";

/** A command on the keys. */
interface KeysCommand {
  /** Its result is printed as JSON. */
  readonly work: (engines: Pick<Engines, "store" | "live">, nowMs: number) => Promise<unknown>;
  /** Whether it may come before the first start of a service: it then makes the database. */
  readonly mayBeFirst?: boolean;
}

const printResult = (result: unknown, { out }: Output): void => out(`${JSON.stringify(result, null, 2)}\n`);

/** Opens the engines for one command and closes them after it. */
const withEngines = async (settings: Settings, { work, mayBeFirst = false }: KeysCommand, output: Output): Promise<void> => {
  const isFirst = mayBeFirst && settings.databaseUrl === undefined && !hasDatabase(settings.dataDir);
  const log = createLogger({ level: settings.logLevel, format: settings.logFormat, name: "keys" });
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

const readLabel = (text: string): string => {
  const read = label.safeParse(text);
  if (!read.success) throw new InvalidArgumentError("It must have 1 to 64 characters, all of them visible.");
  return read.data;
};

const readEnd = (text: string): number => {
  const read = readInstant(text);
  if (!read)
    throw new InvalidArgumentError(
      "It must be a date or a time in ISO 8601: 2027-01-31 (its start in UTC) or 2027-01-31T18:00:00Z.",
    );
  return read.startMs;
};

/**
 * Parses the arguments.
 * @throws CommanderError when they are invalid or ask for help, after what is wrong, or the help, was printed
 */
const readArguments = (args: readonly string[], output: Output): KeysCommand => {
  let command: KeysCommand | undefined;
  const program = printingTo(new Command("assay keys"), output)
    .description("Create, list and revoke API keys, and change tiers; JSON on stdout")
    .showHelpAfterError();
  program
    .command("create")
    .description("create a key for an organisation; the whole key is printed only this once")
    .requiredOption("--org <name>", "the organisation; created if it does not exist", readLabel)
    .addOption(new Option("--tier <tier>", "the organisation's tier").choices(TIER_NAMES).makeOptionMandatory())
    .option("--name <name>", "a name for the key", readLabel, "default")
    .option("--expires <time>", "when the key ends: a date (its start in UTC) or a time; never by default", readEnd)
    .action(({ expires: expiresAtMs, ...owner }: { org: string; tier: TierName; name: string; expires?: number }) => {
      command = { work: ({ store }, nowMs) => createKey(store, { ...owner, expiresAtMs }, nowMs), mayBeFirst: true };
    });
  program
    .command("list")
    .description("list every key, newest first")
    .action(() => {
      command = { work: ({ store }) => listAllKeys(store) };
    });
  program
    .command("revoke")
    .description("revoke a key immediately")
    .argument("<id>", "the key's id, or its first 8 characters or more")
    .action((id: string) => {
      command = { work: ({ store, live }, nowMs) => revokeAnyKey({ store, bus: live.bus }, id, nowMs) };
    });
  program
    .command("tier")
    .description("change an organisation's tier, and so that of all its keys")
    .argument("<org>", "the organisation's name", readLabel)
    .addArgument(new Argument("<tier>", "its new tier").choices(TIER_NAMES))
    .action((org: string, tier: TierName) => {
      command = { work: ({ store, live }) => changeTier({ store, bus: live.bus }, { org, tier }) };
    });
  program.parse(args, { from: "user" });
  if (!command) throw new Error("commander accepted a command line without a command");
  return command;
};

/** Runs `assay keys` for another process, which asked this service. */
export const runHostedKeys = async ({ args, output, clock, ...engines }: HostedCommand): Promise<void> => {
  const { work } = readArguments(args, output);
  printResult(await work(engines, clock()), output);
};

const run = async (args: readonly string[], output: Output): Promise<number> => {
  const command = readArguments(args, output);
  const settings = parseSettings(process.env);
  const exit = await askService(settings, { command: "keys", args: [...args], files: [] }, output, new AbortController().signal);
  if (exit !== null) return exit;
  try {
    await withEngines(settings, command, output);
  } catch (error) {
    if (!(error instanceof StoreHeldError)) throw error;
    output.err(`${heldLine(error, settings.dataDir)}\n`);
    return 1;
  }
  return 0;
};

/** Runs `assay keys`. */
export const runKeys = async (args: readonly string[]): Promise<void> => {
  try {
    process.exitCode = await run(args, openTerminal());
  } catch (error) {
    if (!(error instanceof CommanderError)) return endFailedStart(error);
    process.exitCode = error.exitCode;
  }
};
