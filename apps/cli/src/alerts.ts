/** `assay alerts` and `assay endpoints`: what of an organisation runs later, for the operator to see and to stop. */
import { parseSettings } from "@assay/config";
import { listAlertsOf, listAllEndpoints, suspendAlertsOf } from "@assay/services";
import { Command } from "commander";
import { readLabel } from "./keys.ts";
import { hostedBy, type OperatorCommand, type ReadArguments, runBy } from "./operator-command.ts";
import { printingTo } from "./output.ts";

const readAlerts: ReadArguments = (args, output) => {
  let command: OperatorCommand | undefined;
  const program = printingTo(new Command("assay alerts"), output)
    .description("List and suspend the alerts of an organisation; JSON on stdout")
    .showHelpAfterError();
  const ofOrg = (name: string, description: string): Command =>
    program.command(name).description(description).argument("<org>", "the organisation's name", readLabel);
  ofOrg("list", "list its alerts, newest first, and why one is paused").action((org: string) => {
    command = { work: ({ store }, nowMs) => listAlertsOf(store, parseSettings(process.env).catalog, org, nowMs) };
  });
  ofOrg("suspend", "judge none of its alerts and send none of its events, from now on").action((org: string) => {
    command = { work: ({ store }, nowMs) => suspendAlertsOf(store, org, nowMs) };
  });
  ofOrg("resume", "judge them again, as if they were made now").action((org: string) => {
    command = { work: ({ store }) => suspendAlertsOf(store, org, null) };
  });
  program.parse(args, { from: "user" });
  if (!command) throw new Error("commander accepted a command line without a command");
  return command;
};

const readEndpoints: ReadArguments = (args, output) => {
  let command: OperatorCommand | undefined;
  const program = printingTo(new Command("assay endpoints"), output)
    .description("List the endpoints of all organisations, without their secrets; JSON on stdout")
    .showHelpAfterError();
  program
    .command("list")
    .description("list them, newest first: where they are, whether they fail, and how many events wait")
    .option("--failing", "only those that fail or are disabled")
    .action(({ failing = false }: { failing?: boolean }) => {
      command = { work: ({ store }) => listAllEndpoints(store, failing) };
    });
  program.parse(args, { from: "user" });
  if (!command) throw new Error("commander accepted a command line without a command");
  return command;
};

/** Run them for another process, which asked this service. */
export const runHostedAlerts = hostedBy(readAlerts);
export const runHostedEndpoints = hostedBy(readEndpoints);

export const runAlerts = runBy("alerts", readAlerts);
export const runEndpoints = runBy("endpoints", readEndpoints);
