/** `assay signing-keys`: the keys that sign receipts. JSON on stdout; on failure one line on stderr. */
import { readSigningKeyFile, replaceSigningKeyFile, type SigningKeyPlace, signingKeyPlace } from "@assay/api";
import { parseSettings } from "@assay/config";
import { endFailedStart } from "@assay/process";
import { newSigningKeys, rotatedSigningKeys } from "@assay/services";
import { Command } from "commander";

const placeNow = (): SigningKeyPlace => signingKeyPlace(parseSettings(process.env));

const print = async (place: SigningKeyPlace): Promise<void> => {
  const found = await readSigningKeyFile(place);
  const keys = (found?.keys.publicKeys ?? []).map(({ kid, x }) => ({ kid, x, signs: kid === found?.keys.kid }));
  process.stdout.write(`${JSON.stringify({ file: place.path, keys }, null, 2)}\n`);
};

const rotate = async (): Promise<void> => {
  const place = placeNow();
  // A file that is named and missing is made here; the service itself only reads it.
  const found = await readSigningKeyFile(place, { mayBeMissing: true });
  await replaceSigningKeyFile(place, found === null ? await newSigningKeys() : await rotatedSigningKeys(found.text));
  await print(place);
};

const program = new Command("assay signing-keys")
  .description("List and rotate the keys that sign receipts; JSON on stdout, never a private key")
  .showHelpAfterError();

program
  .command("list")
  .description("list the public keys; the first signs")
  .action(() => print(placeNow()));

program
  .command("rotate")
  .description("make a new key that signs; earlier receipts still verify. A running service takes it within seconds")
  .action(rotate);

/** Runs `assay signing-keys`. */
export const runSigningKeys = async (args: readonly string[]): Promise<void> => {
  await program.parseAsync(args, { from: "user" }).catch(endFailedStart);
};
