/** Removes the key from errors. */

/** A shorter text cannot be a key, and may be part of ordinary words. */
const SHORTEST_KEY = 12;

/** Removes secrets from text. */
export type Redact = (text: string) => string;

/**
 * Creates a function that removes a key from text; a proxy's error page may repeat the request.
 * @param apiKey the key; null for none
 */
export const redactorOf = (apiKey: string | null): Redact =>
  apiKey === null || apiKey.length < SHORTEST_KEY ? (text) => text : (text) => text.replaceAll(apiKey, "[key]");
