/** Parses the command line and reports what is wrong with it. */
import { catalogueFault } from "@assay/catalogue";
import { TIER_NAMES, type TierName, VERSION } from "@assay/contract";
import { Command, InvalidArgumentError } from "commander";
import type { GivenKey } from "./introduce.ts";
import { EVERY_ROUTE, namedRoutes, SERVICE } from "./routes.ts";
import type { RunOptions } from "./run.ts";

export interface Arguments extends Omit<RunOptions, "onProgress" | "onWait"> {
  readonly junit: string | undefined;
  readonly json: boolean;
  readonly failOnUnchecked: boolean;
}

/** An error in an option that may hold a secret: commander would print the value, so these are checked afterwards. */
class SecretArgumentError extends Error {}

const readBaseUrl = (text: string): string => {
  const refuse = (message: string): never => {
    throw new SecretArgumentError(`option '--base-url <url>' is invalid. ${message}`);
  };
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) {
    return refuse("It must be an http or https address, for example https://prices.example.com.");
  }
  if (url.username !== "" || url.password !== "") return refuse("It must not contain a user name or password.");
  if (url.search !== "" || url.hash !== "") return refuse("It must not contain a query or a fragment.");
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
};

const isTier = (text: string): text is TierName => (TIER_NAMES as readonly string[]).includes(text); // compared as text

const readKeys = (texts: readonly string[]): readonly GivenKey[] => {
  const refuse = (message: string): never => {
    throw new SecretArgumentError(`option '--key <tier=key>' is invalid. ${message}`);
  };
  const keys: GivenKey[] = [];
  for (const text of texts) {
    const at = text.indexOf("=");
    const [tier, key] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
    if (at < 1) return refuse(`It must be TIER=KEY, TIER one of ${TIER_NAMES.join(", ")}.`);
    if (!isTier(tier)) return refuse(`The tier before the = must be one of ${TIER_NAMES.join(", ")}.`);
    if (!/^[\x21-\x7e]+$/.test(key)) return refuse(`The key of ${tier} is empty or contains characters that no key has.`);
    if (keys.some((each) => each.tier === tier)) return refuse(`The tier ${tier} is given twice.`);
    keys.push({ tier, key });
  }
  return keys;
};

const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    return value;
  };

const collect = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

const readRoute = (text: string, before?: readonly string[]): readonly string[] => {
  const names = [...namedRoutes(EVERY_ROUTE).map(({ name }) => name), SERVICE];
  if (!names.includes(text)) throw new InvalidArgumentError(`It must be one of ${names.join(", ")}.`);
  return collect(text, before);
};

const MOST_SEED = 2_147_483_647;

const EXAMPLES = `
Without keys, only public routes are tested, within the keyless limit. With one key per tier, every restriction is tested.
Checks that do not fit into the service's rate limits are reported as "not checked", never silently skipped; with --fail-on-unchecked they fail the run.

A deployment with its own catalogue is tested with the same one: set CATALOG as it is set there.

Exit status: 0 the service keeps the contract; 1 it does not, or stopped responding during the run; 2 invalid arguments, no Assay service at the address, or a report that cannot be written; 3 it could not be checked: nothing failed, and an allowance was spent before the run began.

Examples:
  $ npx assay-contract-test --base-url http://127.0.0.1:8080
  $ npx assay-contract-test --base-url https://prices.example.com --key free="$FREE_KEY" --key pro="$PRO_KEY" --junit contract.xml
  $ npx assay-contract-test --base-url http://127.0.0.1:8080 --only bars.list --seed 42 --runs 100`;

const program = (): Command =>
  new Command("assay-contract-test")
    .description("Tests a deployment of Assay against the contract, as a black box over HTTP.")
    .version(VERSION, "--version", "print the version of the contract that is tested")
    // Checked after parsing: commander would report it before an unknown option.
    .option("--base-url <url>", "the address of the deployment (required)")
    .option("--key <tier=key>", "a key of a tier; repeat for each tier", collect)
    .option("--only <route>", "test only this route, for example bars.list; may be repeated", readRoute)
    .option("--seed <n>", "repeat the requests of an earlier run (default: random, and printed)", wholeNumber(0, MOST_SEED))
    .option("--runs <n>", "how many valid requests to generate from each route's schema", wholeNumber(1, 10_000), 10)
    .option("--max-wait <seconds>", "the longest time to wait for any one rate limit, in total", wholeNumber(0, 86_400), 120)
    .option(
      "--wait <seconds>",
      "wait this long for history and archives that the service says it is still making; what they lack then is not checked",
      wholeNumber(0, 86_400),
      0,
    )
    .option(
      "--allow-key-rotation",
      "also test POST /v1/account/keys: this ROTATES every key you pass, and the new keys are not shown",
      false,
    )
    .option("--junit <file>", "write a JUnit report as well")
    .option("--fail-on-unchecked", "exit with 3 if anything could not be checked", false)
    .option("--json", "print the report as JSON instead of a table", false)
    .addHelpText("after", EXAMPLES)
    .showHelpAfterError("(run with --help for all options)");

interface CommandOptions extends Pick<Arguments, "runs" | "allowKeyRotation" | "failOnUnchecked" | "json"> {
  readonly baseUrl?: string;
  readonly key?: readonly string[];
  readonly only?: readonly string[];
  readonly seed?: number;
  readonly maxWait: number;
  readonly wait: number;
  readonly junit?: string;
}

/** Where help and error messages go. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
}

/**
 * Parses a command line.
 * @param args the arguments after the command's name
 * @throws CommanderError when it is invalid, or only asks for help; the message has been printed by then
 */
export const readArguments = (args: readonly string[], output: Output): Arguments => {
  const command = program()
    .exitOverride()
    .configureOutput({ writeOut: (text) => output.out(text), writeErr: (text) => output.err(text) });
  command.parse(args, { from: "user" });
  if (command.args.length > 0) command.error(`error: too many arguments: ${command.args.length} without an option's name`);
  if (catalogueFault !== null)
    command.error(`error: the catalogue that the variable CATALOG names cannot be used: ${catalogueFault}`);
  const { baseUrl, key = [], only = [], seed, maxWait, wait, junit, ...rest } = command.opts<CommandOptions>();
  if (baseUrl === undefined) return command.error("error: required option '--base-url <url>' not specified");
  try {
    return {
      ...rest,
      baseUrl: readBaseUrl(baseUrl),
      keys: readKeys(key),
      only,
      seed: seed ?? Math.floor(Math.random() * MOST_SEED),
      maxWaitMs: maxWait * 1_000,
      waitMs: wait * 1_000,
      junit,
    };
  } catch (error) {
    if (error instanceof SecretArgumentError) return command.error(`error: ${error.message}`);
    throw error;
  }
};
