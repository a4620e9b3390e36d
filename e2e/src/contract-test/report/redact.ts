/** Keys never leave the run: whatever is told of it goes through here. */

const KEY_FORM = /assay_live_[0-9A-Za-z]{20,}/g;

/** Prepares the hiding of keys: those of the run, and whatever else has a key's form. */
export const redactor =
  (keys: readonly string[]) =>
  (text: string): string =>
    keys.reduce((hidden, key) => hidden.replaceAll(key, "[key]"), text).replace(KEY_FORM, "[key]");
