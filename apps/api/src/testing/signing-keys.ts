/** Keys that sign the receipts of a test, made when they are first needed. */
import { newSigningKeys, readSigningKeys, type SigningKeyRing } from "@assay/services";

/** A ring of one key that is kept in memory. */
export const testSigningKeys = (): SigningKeyRing => {
  let keys: ReturnType<SigningKeyRing["current"]> | undefined;
  return {
    current: () => {
      keys ??= newSigningKeys().then(readSigningKeys);
      return keys;
    },
  };
};
