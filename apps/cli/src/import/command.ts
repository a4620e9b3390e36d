/** `assay import`: imports historical bars from CSV files into the store. Exit 0 when every file was imported, else 1. */
// Deep imports: loading servers, logs and Redis would take longer than importing a small file.

import { parseSettings, type Settings } from "@assay/config/settings";
import { openStore, StoreHeldError } from "@assay/db";
import { openClock } from "@assay/process/clock";
import { openProgress } from "@assay/process/progress";
import { readArguments } from "./arguments.ts";
import { ImportError } from "./import-error.ts";
import { type ImportRequest, planImport, runImport } from "./run-import.ts";

const tell = (line: string): void => void process.stderr.write(`${line}\n`);

/** Notifies running servers through Redis; without Redis they see the import only after a restart. */
const openAnnouncer = async ({ redisUrl, databaseUrl }: Settings, clock: () => number) => {
  if (redisUrl === undefined) {
    if (databaseUrl !== undefined) tell("REDIS_URL is not set: running servers show the bars only after a restart");
    return { announce: async () => {}, close: async () => {} };
  }
  const { openLive } = await import("@assay/live");
  const live = await openLive({ redisUrl, clock });
  return {
    announce: async (symbol: string): Promise<void> => {
      try {
        await live.bus.publish({ kind: "bars-replaced", symbol });
      } catch {
        throw new ImportError(
          "the bars are written, but Redis (REDIS_URL) does not respond, so running servers were not notified; run the import again",
        );
      }
    },
    close: () => live.close(),
  };
};

const run = async (request: ImportRequest, settings: Settings, signal: AbortSignal): Promise<void> => {
  const { databaseUrl, dataDir, clockOffsetMs } = settings;
  const clock = openClock(clockOffsetMs);
  const sources = await planImport(request, clock());
  const store = await openStore(databaseUrl === undefined ? { dataDir } : { databaseUrl }, { now: clock });
  try {
    const announcer = await openAnnouncer(settings, clock);
    const progress = openProgress({ print: tell, everyMs: 250, isAnnounced: true });
    try {
      await runImport(sources, request, {
        ...{ store, clock, signal },
        progress,
        say: (line) => void process.stdout.write(`${line}\n`),
        warn: tell,
        announce: announcer.announce,
      });
    } finally {
      progress.stop();
      await announcer.close();
    }
  } finally {
    await store.close();
  }
};

const lineOf = (error: unknown): string => {
  if (error instanceof StoreHeldError) return `${error.message}; stop the server first, or import into PostgreSQL`;
  if (error instanceof ImportError) return error.message;
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n", 1)[0] || "the import failed";
};

/** Runs an import. */
export const runImportCommand = async (args: readonly string[]): Promise<void> => {
  // A closed pipe on stdout does not stop the import.
  process.stdout.on("error", () => {});
  const stopping = new AbortController();
  const stop = (): void => stopping.abort(new ImportError("stopped; run the import again to finish"));
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  try {
    await run(readArguments(args), parseSettings(process.env), stopping.signal);
  } catch (error) {
    tell(lineOf(error));
    process.exitCode = 1;
  } finally {
    process.off("SIGINT", stop);
    process.off("SIGTERM", stop);
  }
};
