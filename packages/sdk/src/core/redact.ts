/** Takes the key out of what errors say and hold. */

/** Anything shorter is no key of the service, and may be a part of ordinary words. */
const SHORTEST_KEY = 12;

/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

/**
 * What takes a key out of a text; a proxy's page may repeat the request that it could not pass on.
 * @param apiKey the key; null for none
 */
export const redactorOf = (apiKey: string | null): Redact =>
  apiKey === null || apiKey.length < SHORTEST_KEY ? (text) => text : (text) => text.replaceAll(apiKey, "[key]");
