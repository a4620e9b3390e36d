/** Lists and rotates the keys of receipts. */
import { readSigningKeyFile, replaceSigningKeyFile, type SigningKeyPlace } from "@assay/api";
import { newSigningKeys, rotatedSigningKeys } from "@assay/services";

/** The public keys of a file, the one that signs first. */
export interface ListedKeys {
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
