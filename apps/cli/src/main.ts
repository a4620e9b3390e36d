/** `assay COMMAND`: runs one command. Exit 2 when there is no such command. */
import { COMMANDS, isCommand } from "./commands.ts";
import { helpText, readVersion } from "./help.ts";

const HELP = new Set(["help", "--help", "-h"]);
const VERSION = new Set(["version", "--version", "-v"]);

const refuse = (line: string): void => {
  process.stderr.write(`${line}\n`);
  process.exitCode = 2;
};

const run = async (name: string | undefined, args: readonly string[]): Promise<void> => {
  if (name === undefined) return refuse(helpText());
  if (isCommand(name)) return COMMANDS[name].run(args);
  const [topic] = args;
  if (HELP.has(name) && topic !== undefined && isCommand(topic)) return COMMANDS[topic].run(["--help"]);
  if (HELP.has(name)) process.stdout.write(`${helpText()}\n`);
  else if (VERSION.has(name)) process.stdout.write(`${readVersion()}\n`);
  else refuse(`assay: unknown command "${name}"; the commands are ${Object.keys(COMMANDS).join(", ")}`);
};

const [name, ...args] = process.argv.slice(2);
await run(name, args);
