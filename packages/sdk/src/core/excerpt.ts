/** A short excerpt of a body that is not from the service, for an error's message. */

const LENGTH = 120;
/** Only this much is examined: a page may be of any size. */
const LOOKED_AT = 4_096;

/**
 * Returns a short excerpt: a page's title, else its text without tags, on one line.
 * @param text a body
 * @returns at most 120 characters; empty when there is no text
 */
export const excerpt = (text: string): string => {
  const head = text.slice(0, LOOKED_AT);
  const title = /<title[^>]*>([^<]*)/i.exec(head)?.[1]?.trim();
  const plain = (title || head.replace(/<(style|script)[^>]*>[\s\S]*?(<\/\1>|$)/gi, " ").replace(/<[^>]*(>|$)/g, " "))
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return plain.length > LENGTH ? `${plain.slice(0, LENGTH - 1)}…` : plain;
};
