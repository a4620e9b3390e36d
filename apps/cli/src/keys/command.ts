/** `assay keys`: manages keys for the operator. JSON on stdout; on failure one line on stderr. */

import { parseSettings } from "@assay/config";
import { TIER_NAMES, type TierName } from "@assay/contract";
import { createLogger, type Engines, endFailedStart, Lifecycle, openClock, openEngines } from "@assay/process";
import { createKey, listAllKeys, revokeAnyKey } from "@assay/services";
import { Command, InvalidArgumentError, Option } from "commander";

/** Opens the engines for one command and closes them after it. */
const withEngines = async (work: (engines: Engines, nowMs: number) => Promise<unknown>): Promise<void> => {
  const settings = parseSettings(process.env);
  const log = createLogger({ level: settings.logLevel, format: settings.logFormat, name: "keys" });
  const clock = openClock(settings.clockOffsetMs);
  const lifecycle = new Lifecycle((error, message) => log.error({ err: error }, message));
  try {
    const engines = await openEngines(settings, { clock, log, lifecycle });
    process.stdout.write(`${JSON.stringify(await work(engines, clock()), null, 2)}\n`);
  } finally {
    await lifecycle.close();
  }
};

const plainText = (text: string): string => {
  const trimmed = text.trim();
  if (trimmed.length < 1 || trimmed.length > 64) throw new InvalidArgumentError("It must have 1 to 64 characters.");
  return trimmed;
};

const program = new Command("assay keys").description("Create, list and revoke API keys; JSON on stdout").showHelpAfterError();

program
  .command("create")
  .description("create a key for an organisation; the whole key is printed only this once")
  .requiredOption("--org <name>", "the organisation; created if it does not exist", plainText)
  .addOption(new Option("--tier <tier>", "the organisation's tier").choices(TIER_NAMES).makeOptionMandatory())
  .option("--name <name>", "a name for the key", plainText, "default")
  .action((wanted: { org: string; tier: TierName; name: string }) =>
    withEngines(({ store }, nowMs) => createKey(store, wanted, nowMs)),
  );

program
  .command("list")
  .description("list every key, newest first")
  .action(() => withEngines(({ store }) => listAllKeys(store)));

program
  .command("revoke")
  .description("revoke a key immediately")
  .argument("<id>", "the key's id")
  .action((id: string) =>
    withEngines(async ({ store, live }, nowMs) => {
      const revoked = await revokeAnyKey(store, id, nowMs);
      if (!revoked) return program.error(`no key has the id ${id}`, { exitCode: 1 });
      await live.bus.publish({ kind: "key-changed", ...revoked });
      return { id, revoked_at: new Date(revoked.revokedAtMs).toISOString() };
    }),
  );

/** Runs `assay keys`. */
export const runKeys = async (args: readonly string[]): Promise<void> => {
  await program.parseAsync(args, { from: "user" }).catch(endFailedStart);
};
