/** Takes secrets out of text, wherever in it they stand. */

const HIDDEN = "***";

/** A URL's password, up to the last `@`, since passwords hold `@`, `:` and `/` unescaped more often than they should. */
const URL_PASSWORD = /([a-z][a-z0-9+.-]*:\/\/[^\s:/@"\\]*):(?:\\.|[^\s"\\])*@/gi;

/** Query parameters that hold secrets. */
const QUERY_SECRET = /([?&](?:password|pass|pwd|token|secret|api_?key|access_?key|key|sslpassword)=)[^&\s"\\#]+/gi;

/** Assay's own keys: their prefix is public, the rest is not. */
const API_KEY = /(assay_live_[0-9A-Za-z]{5})[0-9A-Za-z]{8,}/g;

/** Fields that hold secrets, in JSON text. */
const SECRET_FIELD =
  /("(?:[a-z0-9_-]*[_-])?(?:authorization|x-api-key|api_?key|plaintext|password|cookie)"\s*:\s*)(?:"(?:\\.|[^"\\])*"|\[[^\]]*\])/gi;

/** Credentials as headers have them, in the middle of text. */
const BEARER = /\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi;

/**
 * Hides passwords in URLs, secret query parameters and API keys.
 * @param text anything that may be shown to an operator
 */
export const redactText = (text: string): string =>
  text.replace(URL_PASSWORD, `$1:${HIDDEN}@`).replace(QUERY_SECRET, `$1${HIDDEN}`).replace(API_KEY, `$1${HIDDEN}`);

/**
 * Hides the secrets of a line of JSON, at any depth.
 * @param line one log line
 */
export const redactLine = (line: string): string =>
  redactText(line).replace(SECRET_FIELD, `$1"${HIDDEN}"`).replace(BEARER, `$1 ${HIDDEN}`);
