/** A command that a running service runs for another process: what it has for it, and where it prints. */
import type { Store } from "@assay/db";
import type { Clock, Live, Log } from "@assay/live";
import { openProgress, type Progress } from "@assay/process/progress";
import type { Command } from "commander";

/** What a command prints, and shows of its progress. */
export interface Output {
  /** To stdout. */
  readonly out: (text: string) => void;
  /** To stderr. */
  readonly err: (text: string) => void;
  readonly progress: Progress;
}

/** The output of this process. */
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

/** What a running service has for commands. */
export interface ServiceParts {
  readonly dataDir: string;
  readonly store: Store;
  readonly live: Live;
  readonly clock: Clock;
  readonly log: Log;
}

/** A command that a running service runs for another process. */
export interface HostedCommand extends Pick<ServiceParts, "store" | "live" | "clock"> {
  /** The arguments after the command's name. */
  readonly args: readonly string[];
  /** Where the files it was sent are. */
  readonly places: readonly string[];
  readonly output: Output;
  /** Aborts, with an ImportError, when the other process hangs up or the service shuts down. */
  readonly signal: AbortSignal;
}
