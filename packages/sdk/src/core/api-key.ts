/** Validates the key for use in a header. */

/**
 * Checks a key without ever printing it.
 * @param key as given
 * @throws TypeError when it cannot be sent in a header
 */
export const checkApiKey = (key: string): void => {
  if (key === "") throw new TypeError("apiKey is empty; give null to call without a key");
  if (/^[\x21-\x7e]+$/.test(key)) return;
  throw new TypeError(
    "apiKey holds characters that no header can carry: a space, a line break at its end, or other than plain ASCII",
  );
};
