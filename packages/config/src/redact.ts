/** Takes secrets out of text, wherever in it they stand. */

const HIDDEN = "***";

/**
 * A URL's password, up to the last `@`, since passwords hold `@`, `:` and `/` unescaped more often than they should.
 * Repetitions are bounded here and below, so that no text, however made, takes long.
 */
const URL_PASSWORD = /([a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/@"\\]{0,200}):(?:\\.|[^\s"\\]){0,1000}@/gi;

/** Query parameters that hold secrets. */
const QUERY_SECRET = /([?&](?:password|pass|pwd|token|secret|api_?key|access_?key|key|sslpassword)=)[^&\s"\\#]+/gi;

/** Assay's own keys: their prefix is public, the rest is not. */
const API_KEY = /(assay_live_[0-9A-Za-z]{5})[0-9A-Za-z]{8,}/g;

const SECRET_NAME = "(?:[a-z0-9_-]{0,40}[_-])?(?:authorization|x-api-key|api_?key|plaintext|password|cookie)";

/** A field that holds a secret, in a line of JSON: text, or a list of texts. */
const SECRET_FIELD = new RegExp(String.raw`("${SECRET_NAME}":)(?:"(?:\\.|[^"\\])*"|\[(?:"(?:\\.|[^"\\])*",?)*\])`, "gi");

/** The same in JSON that is quoted in a text. */
const QUOTED_SECRET_FIELD = new RegExp(String.raw`(?<!\\)(\\"${SECRET_NAME}\\":\\")(?:[^"\\]|\\[^"])*?\\"`, "gi");

/** Credentials as headers have them, in the middle of text. */
const BEARER = /\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi;

/**
 * Hides passwords in URLs, secret query parameters and API keys.
 * @param text anything that may be shown to an operator
 */
export const redactText = (text: string): string =>
  text.replace(URL_PASSWORD, `$1:${HIDDEN}@`).replace(QUERY_SECRET, `$1${HIDDEN}`).replace(API_KEY, `$1${HIDDEN}`);

/** A password between the first colon behind the scheme and the last `@`, whatever else it holds. */
const ADDRESS_PASSWORD = /^((?:[a-z][a-z0-9+.-]{0,20}:)?\/{0,2}[^:/@]{0,200}):[\s\S]*@/i;

/** The form `host=… password=…` that PostgreSQL's own tools take too; a quoted value may hold spaces. */
const NAMED_PASSWORD = /\b(\w{0,20}password\s*=\s*)(?:'(?:\\.|[^'\\])*'?|\S+)/gi;

/**
 * Hides the password of an address that may be malformed, spaces in it and all: nothing but the address is in the text.
 * @param value what a setting holds
 */
export const redactValue = (value: string): string =>
  redactText(value.replace(ADDRESS_PASSWORD, `$1:${HIDDEN}@`).replace(NAMED_PASSWORD, `$1${HIDDEN}`));

/**
 * Hides the secrets of a line of JSON, at any depth.
 * @param line one log line
 */
export const redactLine = (line: string): string =>
  redactText(line)
    .replace(SECRET_FIELD, `$1"${HIDDEN}"`)
    .replace(QUOTED_SECRET_FIELD, `$1${HIDDEN}\\"`)
    .replace(BEARER, `$1 ${HIDDEN}`);
