/** Keeps keys out of all output: everything reported passes through here. */

const KEY_FORM = /assay_live_[0-9A-Za-z]{20,}/g;

/** Creates the redaction of keys: those of the run, and anything else in the format of a key. */
export const redactor =
  (keys: readonly string[]) =>
  (text: string): string =>
    keys.reduce((hidden, key) => hidden.replaceAll(key, "[key]"), text).replace(KEY_FORM, "[key]");
