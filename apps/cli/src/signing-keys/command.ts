/** `assay signing-keys`: the keys that sign receipts. JSON on stdout; on failure one line on stderr. */
import { type SigningKeyPlace, signingKeyPlace } from "@assay/api";
import { parseSettings } from "@assay/config";
import { endFailedStart } from "@assay/process";
import { Command } from "commander";
import { type ListedKeys, listKeys, rotateKeys } from "./rotate.ts";

const printed = (run: (place: SigningKeyPlace) => Promise<ListedKeys>) => async (): Promise<void> => {
  const listed = await run(signingKeyPlace(parseSettings(process.env)));
  process.stdout.write(`${JSON.stringify(listed, null, 2)}\n`);
};

const program = new Command("assay signing-keys")
  .description("List and rotate the keys that sign receipts; JSON on stdout, never a private key")
  .showHelpAfterError();

program.command("list").description("list the public keys; the first belongs to the key that signs").action(printed(listKeys));

program
  .command("rotate")
  .description("create a new signing key; earlier receipts still verify. A running service uses it within seconds")
  .action(printed(rotateKeys));

/** Runs `assay signing-keys`. */
export const runSigningKeys = async (args: readonly string[]): Promise<void> => {
  await program.parseAsync(args, { from: "user" }).catch(endFailedStart);
};
