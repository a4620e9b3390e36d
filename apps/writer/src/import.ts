/** `npm run import`: historical bars from CSV files into the store. Exit 0 when every file is in, else 1. */
// Not the package as a whole: servers, logs and Redis take longer to load than a small file does to import.
import { openClock } from "@assay/config/clock";
import { parseSettings, type Settings } from "@assay/config/settings";
import { openStore, StoreHeldError } from "@assay/db";
import { readArguments } from "./import/arguments.ts";
import { ImportError } from "./import/import-error.ts";
import { lineProgress, terminalProgress } from "./import/progress.ts";
import { type ImportRequest, planImport, runImport } from "./import/run-import.ts";

const tell = (line: string): void => void process.stderr.write(`${line}\n`);

/** Tells running servers through Redis; without Redis there is nobody to be told but after a restart. */
const openAnnouncer = async ({ redisUrl, databaseUrl }: Settings, clock: () => number) => {
  if (redisUrl === undefined) {
    if (databaseUrl !== undefined) tell("REDIS_URL is not set: servers that run on this database show the bars after a restart");
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
          "the bars are written, but the Redis of REDIS_URL does not answer, so running servers were not told; start the import again",
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
    try {
      await runImport(sources, request, {
        ...{ store, clock, signal },
        progress: process.stderr.isTTY ? terminalProgress(process.stderr) : lineProgress(tell, clock),
        say: (line) => void process.stdout.write(`${line}\n`),
        warn: tell,
        announce: announcer.announce,
      });
    } finally {
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

// Whoever stops listening to the summary does not stop the import.
process.stdout.on("error", () => {});

const stopping = new AbortController();
const stop = (): void => stopping.abort(new ImportError("stopped; start the import again to finish it"));
process.once("SIGINT", stop);
process.once("SIGTERM", stop);

try {
  await run(readArguments(process.argv), parseSettings(process.env), stopping.signal);
} catch (error) {
  tell(lineOf(error));
  process.exitCode = 1;
} finally {
  process.off("SIGINT", stop);
  process.off("SIGTERM", stop);
}
