/** `assay migrate`: brings the tables of a PostgreSQL database up to date, for processes whose role may not. */
import { parseSettings, SettingError } from "@assay/config";
import { createLogger, endFailedStart, Lifecycle, openClock, openEngines } from "@assay/process";
import { Command } from "commander";

/** Where it runs beside the database it may be started first; a Job or a unit that fails is started again. */
const WAIT_MS = 60_000;

const migrate = async (): Promise<void> => {
  // Redis is not needed, and may not be reachable from where this runs.
  const settings = { ...parseSettings(process.env), redisUrl: undefined };
  if (settings.databaseUrl === undefined) {
    const because = "the embedded database migrates itself";
    throw new SettingError({ variable: "DATABASE_URL", value: "", mayHold: "postgres://…, as the owner of the tables", because });
  }
  const log = createLogger({ level: settings.logLevel, name: "migrate" });
  const lifecycle = new Lifecycle((error, message) => log.error({ err: error }, message));
  try {
    const { store } = await openEngines(settings, { clock: openClock(0), log, lifecycle, waitMs: WAIT_MS });
    process.stdout.write(`the tables are up to date: ${store.description}\n`);
  } finally {
    await lifecycle.close();
  }
};

const program = new Command("assay migrate")
  .description(
    "Bring the tables of DATABASE_URL up to date, as their owner. Safe while processes of the previous release are running.",
  )
  .showHelpAfterError()
  .action(migrate);

/** Runs `assay migrate`. */
export const runMigrate = async (args: readonly string[]): Promise<void> => {
  await program.parseAsync(args, { from: "user" }).catch(endFailedStart);
};
