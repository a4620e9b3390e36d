/** `assay COMMAND`: runs one command. Exit 2 when there is no such command. */
import { readFileSync } from "node:fs";
import { survivesClosedOutput } from "./closed-output.ts";
import { COMMANDS, isCommand } from "./commands.ts";

/** The commands, one per line. */
const helpText = (): string => {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  return [
    "Usage: assay COMMAND [options]",
    "",
    "Commands:",
    ...Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    "assay COMMAND --help describes a command. Settings are read from the environment.",
  ].join("\n");
};

const readVersion = (): string => {
  const manifest: { readonly version: string } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return manifest.version;
};

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

survivesClosedOutput(process);
const [name, ...args] = process.argv.slice(2);
await run(name, args);
