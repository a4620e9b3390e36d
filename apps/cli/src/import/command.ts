/** `assay import`: imports historical bars from CSV files into the store. Exit 0 when every file was imported, else 1. */
import { parseSettings, type Settings } from "@assay/config/settings";
import { openStore, StoreHeldError } from "@assay/db";
import type { Live } from "@assay/live";
import { type Clock, openClock } from "@assay/ports";
import { CommanderError } from "commander";
import type { HostedCommand } from "../operator-command.ts";
import { type Output, openTerminal } from "../output.ts";
import { askService, heldLine } from "../socket/ask.ts";
import { stopped } from "../socket/protocol.ts";
import { readArguments } from "./arguments.ts";
import { ImportError } from "./import-error.ts";
import { type ImportTools, planImport, runImport } from "./run-import.ts";

type Target = Pick<ImportTools, "store" | "clock" | "signal" | "announce">;

const printed = ({ out, err, progress }: Output): Pick<ImportTools, "progress" | "say" | "warn"> => ({
  progress,
  say: (line) => out(`${line}\n`),
  warn: (line) => err(`${line}\n`),
});

const announcer =
  ({ bus }: Pick<Live, "bus">): Target["announce"] =>
  async (symbol) => {
    try {
      await bus.publish({ kind: "bars-replaced", symbol });
    } catch {
      throw new ImportError(
        "the bars are written, but Redis (REDIS_URL) does not respond, so running servers were not notified; run the import again",
      );
    }
  };

/** Notifies running servers through Redis; without Redis they see the import only after a restart. */
const openAnnouncer = async ({ redisUrl, databaseUrl }: Settings, clock: Clock, { err }: Output) => {
  if (redisUrl === undefined) {
    if (databaseUrl !== undefined) err("REDIS_URL is not set: running servers show the bars only after a restart\n");
    return { announce: async () => {}, close: async () => {} };
  }
  const { openLive } = await import("@assay/live");
  const live = await openLive({ redisUrl, clock });
  return { announce: announcer(live), close: () => live.close() };
};

const run = async (args: readonly string[], output: Output, signal: AbortSignal): Promise<number> => {
  const request = readArguments(args, output);
  const settings = parseSettings(process.env);
  const { databaseUrl, dataDir, clockOffsetMs } = settings;
  const clock = openClock(clockOffsetMs);
  const sources = await planImport(request, clock());
  const files = sources.map(({ file }) => file);
  const exit = await askService(settings, { command: "import", args: [...args], files }, output, signal);
  if (exit !== null) return exit;
  const store = await openStore(databaseUrl === undefined ? { dataDir } : { databaseUrl }, { now: clock }).catch(
    (error: unknown): never => {
      if (!(error instanceof StoreHeldError)) throw error;
      throw new ImportError(`${heldLine(error, dataDir)}, or import into PostgreSQL`);
    },
  );
  try {
    const announce = await openAnnouncer(settings, clock, output);
    try {
      await runImport(sources, request, { store, clock, signal, announce: announce.announce, ...printed(output) });
    } finally {
      output.progress.stop();
      await announce.close();
    }
  } finally {
    await store.close();
  }
  return 0;
};

/** Runs an import that another process sent to this service. */
export const runHostedImport = async ({ args, places, output, store, live, clock, signal }: HostedCommand): Promise<void> => {
  const request = readArguments(args, output);
  const sources = await planImport(request, clock(), places);
  await runImport(sources, request, { store, clock, signal, announce: announcer(live), ...printed(output) });
};

const lineOf = (error: unknown): string => {
  if (error instanceof ImportError) return error.message;
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n", 1)[0] || "the import failed";
};

export const runImportCommand = async (args: readonly string[]): Promise<void> => {
  // A closed pipe on stdout does not stop the import.
  process.stdout.on("error", () => {});
  const output = openTerminal();
  const stopping = new AbortController();
  const stop = (): void => stopping.abort(stopped());
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  try {
    process.exitCode = await run(args, output, stopping.signal);
  } catch (error) {
    if (!(error instanceof CommanderError)) output.err(`${lineOf(error)}\n`);
    process.exitCode = error instanceof CommanderError ? error.exitCode : 1;
  } finally {
    process.off("SIGINT", stop);
    process.off("SIGTERM", stop);
  }
};
