/** Upper-cases names without folding look-alike letters of other scripts. */

const PLAIN = /^[\0-\x7f]*$/;

/**
 * Upper-cases the letters a to z.
 * @returns the text unchanged when it contains anything but ASCII: no name in Assay does, while "ı" would become "I" and "ſ" "S"
 */
export const upperCase = (text: string): string => (PLAIN.test(text) ? text.toUpperCase() : text);
