/** `assay check`: reads every setting and the files that settings name, as a start does, and starts nothing. */
import { readSigningKeyFile, signingKeyPlace } from "@assay/api";
import {
  changedSettings,
  type Environment,
  misspeltSettings,
  parseSettings,
  SettingError,
  type Settings,
  withSecretFiles,
} from "@assay/config";
import { archivePlace, endFailedStart, requireOwnPort } from "@assay/process";
import { chooseSources, KNOWN_FEEDS } from "@assay/writer";
import { Command } from "commander";

/** What is wrong, and what a service would run with; null when it would not start. */
interface Verdict {
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
  readonly settings: Settings | null;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Reads the settings, and those that are left once a faulty one is noted, so that all that are wrong are named. */
const readAll = (env: Environment, faults: string[]): Settings => {
  let left = env;
  for (;;) {
    try {
      return parseSettings(left, { knownFeeds: KNOWN_FEEDS });
    } catch (error) {
      if (!(error instanceof SettingError) || left[error.variable] === undefined) throw error;
      faults.push(error.message);
      left = { ...left, [error.variable]: undefined };
    }
  }
};

/** Checks an environment. */
export const check = async (env: Environment): Promise<Verdict> => {
  const faults: string[] = [];
  const warnings = misspeltSettings(env).map(({ given, meant }) => `${given} is not a setting; is ${meant} meant?`);
  const attempt = async (work: () => unknown): Promise<void> => {
    try {
      await work();
    } catch (error) {
      faults.push(messageOf(error));
    }
  };
  let settings: Settings | null = null;
  await attempt(() => {
    settings = readAll(env, faults);
  });
  const read = settings as Settings | null; // the compiler does not follow the assignment in the closure
  if (read === null) return { faults, warnings, settings: null };
  await attempt(() => requireOwnPort(read));
  await attempt(() => archivePlace(read));
  await attempt(() => readSigningKeyFile(signingKeyPlace(read)));
  await attempt(async () => {
    const sources = await chooseSources(read, withSecretFiles(env));
    warnings.push(...sources.warnings);
  });
  return { faults, warnings, settings: faults.length === 0 ? read : null };
};

const run = async (): Promise<void> => {
  const { faults, warnings, settings } = await check(process.env);
  for (const line of [...faults, ...warnings]) process.stderr.write(`${line}\n`);
  if (settings === null) process.exitCode = 1;
  else process.stdout.write(`${JSON.stringify({ settings: changedSettings(process.env) }, null, 2)}\n`);
};

/** Runs `assay check`. */
export const runCheck = async (args: readonly string[]): Promise<void> => {
  const program = new Command("assay check").description(
    "Read every setting and the files they name, and say what is wrong; nothing is started or opened. Exit 1 if a service would not start.",
  );
  await program.showHelpAfterError().action(run).parseAsync(args, { from: "user" }).catch(endFailedStart);
};
