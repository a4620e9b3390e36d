/** Validates the key for use in a header. */

/**
 * Checks a key without ever printing it.
 * @param key as given
 * @throws TypeError when it cannot be sent in a header
 */
export const checkApiKey = (key: string): void => {
  if (key === "") throw new TypeError("apiKey is empty; pass null to call without a key");
  if (/^[\x21-\x7e]+$/.test(key)) return;
  throw new TypeError(
    "apiKey contains characters that are not allowed in a header: a space, a trailing line break, or one that is not ASCII",
  );
};
