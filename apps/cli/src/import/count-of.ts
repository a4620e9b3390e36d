/** Counts in the import's messages. */

/** A count of something whose plural ends in s: `1 bar`, `2 bars`. */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
