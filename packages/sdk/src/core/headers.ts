/** Merges the headers of a request. */
import type { HeaderOptions } from "./options.ts";

/**
 * Adds headers to others: later ones win, null removes one. An invalid value is refused here, since the runtime's own error
 * would print it.
 * @param base names in lower case
 * @param added names in any case
 * @returns names in lower case
 * @throws TypeError naming the header, never its value
 */
export const withHeaders = (
  base: Readonly<Record<string, string>>,
  added: HeaderOptions | undefined,
): Readonly<Record<string, string>> => {
  if (added === undefined) return base;
  const headers: Record<string, string> = { ...base };
  for (const [name, value] of Object.entries(added)) {
    const key = name.toLowerCase();
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(key)) throw new TypeError(`${JSON.stringify(name)} is not a valid header name`);
    if (value === undefined) continue;
    if (value === null) delete headers[key];
    else if (/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) headers[key] = value;
    else throw new TypeError(`the header ${name} contains characters that are not allowed in a header`);
  }
  return headers;
};
