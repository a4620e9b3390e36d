/** What `assay --help` and `assay --version` print. */
import { readFileSync } from "node:fs";
import { COMMANDS } from "./commands.ts";

/** The commands, one per line. */
export const helpText = (): string => {
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

/** The version of this package. */
export const readVersion = (): string => {
  const manifest: { readonly version: string } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return manifest.version;
};
