/** Jobs on the database alone: `assay migrate`, and `assay renumber` after a restore. */
import { parseSettings, SettingError, type Settings } from "@assay/config";
import { renumber, type Store } from "@assay/db";
import { openClock, type Time } from "@assay/ports";
import { createLogger, endFailedStart, Lifecycle, openEngines } from "@assay/process";
import { Command } from "commander";

/** Where a migration runs beside the database it may be started first; a Job or a unit that fails is started again. */
const WAIT_MS = 60_000;

interface JobOptions {
  readonly name: string;
  readonly settings: Settings;
  readonly clock: Time;
  readonly waitMs?: number;
}

/** Opens the store for one job, and prints the line it answers. Redis is not needed, and may be empty or out of reach. */
const withStore = async ({ name, settings, ...options }: JobOptions, work: (store: Store) => Promise<string>): Promise<void> => {
  const log = createLogger({ level: settings.logLevel, name });
  const lifecycle = new Lifecycle((error, message) => log.error({ err: error }, message));
  try {
    const { store } = await openEngines({ ...settings, redisUrl: undefined }, { ...options, log, lifecycle, mustExist: true });
    process.stdout.write(`${await work(store)}\n`);
  } finally {
    await lifecycle.close();
  }
};

const migrate = async (): Promise<void> => {
  const settings = parseSettings(process.env);
  if (settings.databaseUrl === undefined) {
    const because = "the embedded database migrates itself";
    throw new SettingError({ variable: "DATABASE_URL", value: "", mayHold: "postgres://…, as the owner of the tables", because });
  }
  await withStore(
    { name: "migrate", settings, clock: openClock(0), waitMs: WAIT_MS },
    async ({ description }) => `the tables are up to date: ${description}`,
  );
};

const raiseNumbers = async (): Promise<void> => {
  const settings = parseSettings(process.env);
  const clock = openClock(settings.clockOffsetMs);
  await withStore({ name: "renumber", settings, clock }, async (store) => {
    const shift = await renumber(store, clock());
    return shift === null ? "there is nothing to renumber" : `sequence numbers were raised by ${shift}`;
  });
};

const job = (name: string, about: string, run: () => Promise<void>) => {
  const program = new Command(`assay ${name}`).description(about).showHelpAfterError().action(run);
  return async (args: readonly string[]): Promise<void> => {
    await program.parseAsync(args, { from: "user" }).catch(endFailedStart);
  };
};

/** Runs `assay migrate`, for processes whose role may not bring the tables up to date. */
export const runMigrate = job(
  "migrate",
  "Bring the tables of DATABASE_URL up to date, as their owner. Safe while processes of the previous release are running.",
  migrate,
);

/** Runs `assay renumber`, once after a restore, before the service starts again. */
export const runRenumber = job(
  "renumber",
  "After a restore: raise sequence numbers above all that were used since the backup, so that no client sees one twice.",
  raiseNumbers,
);
