/** Removes secrets from log lines. */
import { redactText } from "@assay/config";

const HIDDEN = "***";

const SECRET_NAME = "(?:[a-z0-9_-]{0,40}[_-])?(?:authorization|x-api-key|api_?key|plaintext|password|cookie)";

/** A field that holds a secret, in a line of JSON: a string, or an array of strings. */
const SECRET_FIELD = new RegExp(String.raw`("${SECRET_NAME}":)(?:"(?:\\.|[^"\\])*"|\[(?:"(?:\\.|[^"\\])*",?)*\])`, "gi");

/** The same in JSON quoted inside a string. */
const QUOTED_SECRET_FIELD = new RegExp(String.raw`(?<!\\)(\\"${SECRET_NAME}\\":\\")(?:[^"\\]|\\[^"])*?\\"`, "gi");

/** Credentials as headers carry them, inside other text. */
const BEARER = /\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi;

/**
 * Hides the secrets in a line of JSON, at any depth.
 * @param line one log line
 */
export const redactLine = (line: string): string =>
  redactText(line)
    .replace(SECRET_FIELD, `$1"${HIDDEN}"`)
    .replace(QUOTED_SECRET_FIELD, `$1${HIDDEN}\\"`)
    .replace(BEARER, `$1 ${HIDDEN}`);
