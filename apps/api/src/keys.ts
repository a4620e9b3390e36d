/** `npm run keys`: the operator's key desk. JSON on stdout, one clear line on stderr when it cannot be done. */

import { createLogger, type Engines, endFailedStart, Lifecycle, openClock, openEngines, parseSettings } from "@assay/config";
import { TIER_NAMES, type TierName } from "@assay/contract";
import { createKey, listAllKeys, revokeAnyKey } from "@assay/services";
import { Command, InvalidArgumentError, Option } from "commander";

/** Opens the engines for one job and ends them after it. */
const withEngines = async (work: (engines: Engines, nowMs: number) => Promise<unknown>): Promise<void> => {
  const settings = parseSettings(process.env);
  const log = createLogger({ level: settings.logLevel, name: "keys" });
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

const program = new Command("keys").description("Mint, list and revoke API keys").showHelpAfterError();

program
  .command("create")
  .description("mint a key for an organisation; the whole key is printed this once")
  .requiredOption("--org <name>", "the organisation; it is made when there is none of that name", plainText)
  .addOption(new Option("--tier <tier>", "its tier").choices(TIER_NAMES).makeOptionMandatory())
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
  .description("end a key at once")
  .argument("<id>", "the key's id")
  .action((id: string) =>
    withEngines(async ({ store, live }, nowMs) => {
      const revoked = await revokeAnyKey(store, id, nowMs);
      if (!revoked) return program.error(`there is no key ${id}`, { exitCode: 1 });
      await live.bus.publish({ kind: "key-changed", ...revoked });
      return { id, revoked_at: new Date(revoked.revokedAtMs).toISOString() };
    }),
  );

await program.parseAsync().catch(endFailedStart);
