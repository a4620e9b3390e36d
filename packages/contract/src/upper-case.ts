/** Names in any case, without the letters of other scripts that only look like them when raised. */

const PLAIN = /^[\0-\x7f]*$/;

/**
 * Raises the letters a to z.
 * @returns the text itself when it holds anything but ASCII: no name of Assay does, while "ı" would become "I" and "ſ" "S"
 */
export const upperCase = (text: string): string => (PLAIN.test(text) ? text.toUpperCase() : text);
