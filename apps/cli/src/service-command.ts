/** Commands that run a service: no arguments, settings from the environment. */
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import type { Command } from "./command.ts";

/**
 * How far the heap of long-lived objects may grow before it is collected, in percent of what the last collection left. V8 allows
 * up to 300 where memory is plentiful, and takes it under load: 50 MB of objects in use would take 150.
 */
const HEAP_GROWTH = 50;

/** Parses the arguments. @returns whether help is wanted; null, after a line on stderr, for unknown arguments */
const readHelpWanted = (name: string, args: readonly string[]): boolean | null => {
  try {
    return parseArgs({ args: [...args], options: { help: { type: "boolean", short: "h" } } }).values.help ?? false;
  } catch (error) {
    process.stderr.write(`assay ${name}: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
    return null;
  }
};

/**
 * Creates a command that runs a service until a signal ends it.
 * @param summary one line, in lower case
 * @param about what it needs to run, for the help
 * @param load loads its code
 */
export const serviceCommand = (
  name: string,
  summary: string,
  about: string,
  load: () => Promise<() => Promise<void>>,
): Command => ({
  summary,
  run: async (args) => {
    const isHelpWanted = readHelpWanted(name, args);
    if (isHelpWanted === null) return;
    if (isHelpWanted) {
      const lines = [`Usage: assay ${name}`, "", `${summary.charAt(0).toUpperCase()}${summary.slice(1)}. ${about}`];
      const end =
        "It prints `ready` and its address on stdout once it accepts requests, logs to stderr, and ends cleanly on SIGTERM or Ctrl-C.";
      process.stdout.write(
        `${[...lines, end, "Settings are read from the environment; docs/reference/settings.md lists them."].join("\n")}\n`,
      );
      return;
    }
    setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH}`);
    const run = await load();
    await run();
  },
});
