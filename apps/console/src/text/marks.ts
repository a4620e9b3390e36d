/** Invisible marks in text: what sets it apart, and what keeps it in one piece. */

/** Text set apart from what is around it, where that may run the other way. */
export const apart = (text: string): string => `\u2068${text}\u2069`;

/** A name that no line breaks at its hyphens. */
export const unbroken = (name: string): string => name.replaceAll("-", "\u2011");
