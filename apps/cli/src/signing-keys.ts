/** `assay signing-keys`: lists and rotates the keys that sign receipts. JSON on stdout; on failure one line on stderr. */
import { readSigningKeyFile, replaceSigningKeyFile, type SigningKeyPlace, signingKeyPlace } from "@assay/api";
import { parseSettings } from "@assay/config";
import { endFailedStart } from "@assay/process";
import { newSigningKeys, rotatedSigningKeys } from "@assay/services";
import { Command } from "commander";

/** The public keys of a file, the one that signs first. */
interface ListedKeys {
  readonly file: string;
  readonly keys: readonly { readonly kid: string; readonly x: string; readonly signs: boolean }[];
}

/**
 * Lists the public keys.
 * @throws SettingError when the file cannot be used, or is named and missing
 */
export const listKeys = async (place: SigningKeyPlace): Promise<ListedKeys> => {
  const found = await readSigningKeyFile(place);
  const keys = (found?.keys.publicKeys ?? []).map(({ kid, x }) => ({ kid, x, signs: kid === found?.keys.kid }));
  return { file: place.path, keys };
};

/**
 * Makes a new key that signs. A file that is named and missing is made here; the service itself only reads it.
 * @throws SettingError when the file cannot be used
 */
export const rotateKeys = async (place: SigningKeyPlace): Promise<ListedKeys> => {
  const found = await readSigningKeyFile(place, { mayBeMissing: true });
  await replaceSigningKeyFile(place, found === null ? await newSigningKeys() : await rotatedSigningKeys(found.text));
  return listKeys(place);
};

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
