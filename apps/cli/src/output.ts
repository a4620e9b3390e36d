/** Where a command prints: this terminal, or what a running service sends back to it. */
import { openProgress, type Progress } from "@assay/process/progress";
import type { Command } from "commander";

/** What a command prints, and shows of its progress. */
export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly progress: Progress;
}

export const openTerminal = (): Output => ({
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  progress: openProgress({ print: (line) => void process.stderr.write(`${line}\n`), everyMs: 250 }),
});

/**
 * Has a command print its help and errors there, and throw a CommanderError instead of ending the process, which may be the service.
 * To be called before its subcommands are added: they inherit it.
 */
export const printingTo = (command: Command, { out, err }: Output): Command =>
  command.exitOverride().configureOutput({ writeOut: out, writeErr: err });
