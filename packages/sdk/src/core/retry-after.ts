/** How long an answer asks to wait. */

/**
 * Parses `Retry-After`, seconds or an HTTP date.
 * @param headers the response headers
 * @param nowMs now, epoch milliseconds
 * @returns seconds from now, 0 for a date that has passed; null when missing or invalid
 */
export const readRetryAfter = (headers: Headers, nowMs: number): number | null => {
  const text = headers.get("retry-after")?.trim();
  if (text === undefined || text === "") return null;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  // An HTTP date starts with the name of a day; Date would guess at anything else.
  const dateMs = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(dateMs) ? null : Math.max(0, Math.ceil((dateMs - nowMs) / 1000));
};
