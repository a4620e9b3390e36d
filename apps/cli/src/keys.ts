/** `assay keys`: manages keys for the operator. */
import { parseSettings } from "@assay/config";
import { label, TIER_NAMES, type TierName } from "@assay/contract";
import { machineRandom } from "@assay/ports";
import { changeTier, createKey, listAllKeys, readInstant, revokeAnyKey, suspendOrg, topUsage } from "@assay/services";
import { Argument, Command, InvalidArgumentError, Option } from "commander";
import { hostedBy, type OperatorCommand, type ReadArguments, runBy } from "./operator-command.ts";
import { printingTo } from "./output.ts";

export const readLabel = (text: string): string => {
  const read = label.safeParse(text);
  if (!read.success) throw new InvalidArgumentError("It must have 1 to 64 characters, all of them visible.");
  return read.data;
};

const readEnd = (text: string): number => {
  const read = readInstant(text);
  if (!read)
    throw new InvalidArgumentError(
      "It must be a date or a time in ISO 8601: 2027-01-31 (its start in UTC) or 2027-01-31T18:00:00Z.",
    );
  return read.startMs;
};

const readArguments: ReadArguments = (args, output) => {
  let command: OperatorCommand | undefined;
  const program = printingTo(new Command("assay keys"), output)
    .description("Create, list, revoke and suspend API keys, change tiers, and show usage; JSON on stdout")
    .showHelpAfterError();
  program
    .command("create")
    .description("create a key for an organisation; the whole key is printed only this once")
    .requiredOption("--org <name>", "the organisation; created if it does not exist", readLabel)
    .addOption(new Option("--tier <tier>", "the organisation's tier").choices(TIER_NAMES).makeOptionMandatory())
    .option("--name <name>", "a name for the key", readLabel, "default")
    .option("--expires <time>", "when the key ends: a date (its start in UTC) or a time; never by default", readEnd)
    .action(({ expires: expiresAtMs, ...owner }: { org: string; tier: TierName; name: string; expires?: number }) => {
      command = {
        work: ({ store }, nowMs) => createKey(store, { ...owner, expiresAtMs }, nowMs, machineRandom),
        mayBeFirst: true,
      };
    });
  program
    .command("list")
    .description("list every key, newest first")
    .action(() => {
      command = { work: ({ store }) => listAllKeys(store) };
    });
  program
    .command("revoke")
    .description("revoke a key immediately")
    .argument("<id>", "the key's id, or its first 8 characters or more")
    .action((id: string) => {
      command = { work: ({ store, live }, nowMs) => revokeAnyKey({ store, bus: live.bus }, id, nowMs) };
    });
  program
    .command("tier")
    .description("change an organisation's tier, and so that of all its keys")
    .argument("<org>", "the organisation's name", readLabel)
    .addArgument(new Argument("<tier>", "its new tier").choices(TIER_NAMES))
    .action((org: string, tier: TierName) => {
      command = { work: ({ store, live }) => changeTier({ store, bus: live.bus }, { org, tier }) };
    });
  const readMost = (text: string): number => {
    const most = Number(text);
    if (!Number.isInteger(most) || most < 1 || most > 1_000)
      throw new InvalidArgumentError("It must be a number from 1 to 1000.");
    return most;
  };
  program
    .command("usage")
    .description("list the organisations that called most this month, with their quotas")
    .option("--top <number>", "how many", readMost, 20)
    .action(({ top }: { top: number }) => {
      command = { work: ({ store }, nowMs) => topUsage(store, parseSettings(process.env).catalog, top, nowMs) };
    });
  const ofOrg = (name: string, description: string): Command =>
    program.command(name).description(description).argument("<org>", "the organisation's name", readLabel);
  ofOrg("suspend", "refuse all keys of an organisation, and close its streams").action((org: string) => {
    command = { work: ({ store, live }, nowMs) => suspendOrg({ store, bus: live.bus }, org, nowMs) };
  });
  ofOrg("resume", "let its keys work again").action((org: string) => {
    command = { work: ({ store, live }) => suspendOrg({ store, bus: live.bus }, org, null) };
  });
  program.parse(args, { from: "user" });
  if (!command) throw new Error("commander accepted a command line without a command");
  return command;
};

/** Runs `assay keys` for another process, which asked this service. */
export const runHostedKeys = hostedBy(readArguments);

/** Runs `assay keys`. */
export const runKeys = runBy("keys", readArguments);
