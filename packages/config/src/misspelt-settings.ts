/** Variables that are hardly meant to be anything but a setting with another name. */
import { DEFAULT_TEXTS } from "./changed-settings.ts";
import { SECRET_VARIABLES } from "./secret-files.ts";
import type { Environment } from "./variables.ts";

const SETTINGS = [...Object.keys(DEFAULT_TEXTS), ...SECRET_VARIABLES.map((name) => `${name}_FILE`)];
const KNOWN: ReadonlySet<string> = new Set(SETTINGS);
/** Shorter names are too near to those of other programs. */
const SHORTEST = 5;
/** From this length on two letters may differ. */
const LONG = 10;

/** How many letters have to be added, removed, replaced or swapped with the next. */
const distance = (left: string, right: string): number => {
  const rows = [Array.from({ length: right.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= left.length; i += 1) {
    const [before = [], last = []] = [rows[i - 2], rows[i - 1]];
    const row = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const isSame = left[i - 1] === right[j - 1];
      const isSwapped = left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      const least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1));
      row.push(isSwapped ? Math.min(least, (before[j - 2] ?? 0) + 1) : least);
    }
    rows.push(row);
  }
  return rows[left.length]?.[right.length] ?? 0;
};

const meantBy = (name: string): string | undefined => {
  const text = name.toUpperCase().replace(/^ASSAY_/, "");
  if (KNOWN.has(text)) return text;
  const isNear = (setting: string): boolean =>
    Math.min(text.length, setting.length) >= SHORTEST && distance(text, setting) <= (setting.length < LONG ? 1 : 2);
  return SETTINGS.find(isNear);
};

/** @returns each such variable, and the setting that it is taken for; never a value, which may be a secret */
export const misspeltSettings = (env: Environment): readonly { readonly given: string; readonly meant: string }[] =>
  Object.keys(env).flatMap((given) => {
    const meant = KNOWN.has(given) ? undefined : meantBy(given);
    return meant === undefined || env[meant] !== undefined ? [] : [{ given, meant }];
  });
