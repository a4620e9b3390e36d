/** A few words of a body that is none of the service's own, for the message of an error. */

const LENGTH = 120;
/** Beyond this nothing is looked at: a page may be of any size. */
const LOOKED_AT = 4_096;

/**
 * A short excerpt: of a page its title, else its text without tags, on one line.
 * @param text a body
 * @returns at most 120 characters; empty where there is nothing to read
 */
export const excerpt = (text: string): string => {
  const head = text.slice(0, LOOKED_AT);
  const title = /<title[^>]*>([^<]*)/i.exec(head)?.[1]?.trim();
  const plain = (title || head.replace(/<(style|script)[^>]*>[\s\S]*?(<\/\1>|$)/gi, " ").replace(/<[^>]*(>|$)/g, " "))
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return plain.length > LENGTH ? `${plain.slice(0, LENGTH - 1)}…` : plain;
};
