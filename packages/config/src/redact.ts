/** Removes secrets from text, wherever they appear. */

const HIDDEN = "***";

/**
 * A URL's password, up to the last `@`: passwords often contain `@`, `:` and `/` unescaped.
 * Repetitions are bounded here and below, so that no input makes the match slow.
 */
const URL_PASSWORD = /([a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/@"\\]{0,200}):(?:\\.|[^\s"\\]){0,1000}@/gi;

const QUERY_SECRET = /([?&](?:password|pass|pwd|token|secret|api_?key|access_?key|key|sslpassword)=)[^&\s"\\#]+/gi;

/** Assay's own keys: the prefix is public, the rest is secret. */
const API_KEY = /(assay_live_[0-9A-Za-z]{5})[0-9A-Za-z]{8,}/g;

/**
 * Hides passwords in URLs, secret query parameters and API keys.
 * @param text any text shown to an operator
 */
export const redactText = (text: string): string =>
  text.replace(URL_PASSWORD, `$1:${HIDDEN}@`).replace(QUERY_SECRET, `$1${HIDDEN}`).replace(API_KEY, `$1${HIDDEN}`);

/** A password between the first colon after the scheme and the last `@`, whatever it contains, and however the scheme is spelt. */
const ADDRESS_PASSWORD = /^((?:[a-z][a-z0-9+.-]{0,20}:)?[^:@]{0,200}):[\s\S]*@/i;

/** The form `host=… password=…` that PostgreSQL's tools also accept; a quoted value may contain spaces. */
const NAMED_PASSWORD = /\b(\w{0,20}password\s*=\s*)(?:'(?:\\.|[^'\\])*'?|\S+)/gi;

/**
 * Hides the password of an address that may be malformed, even with spaces; the text must hold nothing but the address.
 * @param value the setting's value
 */
export const redactValue = (value: string): string =>
  redactText(value.replace(ADDRESS_PASSWORD, `$1:${HIDDEN}@`).replace(NAMED_PASSWORD, `$1${HIDDEN}`));
