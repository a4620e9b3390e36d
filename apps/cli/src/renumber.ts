/** `assay renumber`: run once after a restore, before the service starts again. */
import { parseSettings } from "@assay/config";
import { renumber } from "@assay/db";
import { createLogger, endFailedStart, Lifecycle, openClock, openEngines } from "@assay/process";
import { Command } from "commander";

const run = async (): Promise<void> => {
  // Redis is to be empty after a restore, and is not needed here.
  const settings = { ...parseSettings(process.env), redisUrl: undefined };
  const log = createLogger({ level: settings.logLevel, name: "renumber" });
  const clock = openClock(settings.clockOffsetMs);
  const lifecycle = new Lifecycle((error, message) => log.error({ err: error }, message));
  try {
    const { store } = await openEngines(settings, { clock, log, lifecycle });
    const shift = await renumber(store, clock());
    process.stdout.write(shift === null ? "there is nothing to renumber\n" : `sequence numbers were raised by ${shift}\n`);
  } finally {
    await lifecycle.close();
  }
};

const program = new Command("assay renumber")
  .description(
    "After a restore: raise sequence numbers above all that were used since the backup, so that no client sees one twice.",
  )
  .showHelpAfterError()
  .action(run);

/** Runs `assay renumber`. */
export const runRenumber = async (args: readonly string[]): Promise<void> => {
  await program.parseAsync(args, { from: "user" }).catch(endFailedStart);
};
