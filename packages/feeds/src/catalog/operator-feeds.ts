/** Feeds that the operator must configure: with a folder, a key, or a list of dealers. */
import { statSync } from "node:fs";
import type { Feed } from "../feed/feed.ts";
import { cmeFiles } from "../sources/cme/cme-files.ts";
import { CME_FILES } from "../sources/cme/settlement-file.ts";
import { BTMC, btmc } from "../sources/dealers/btmc.ts";
import { votsFeed } from "../sources/dealers/vots.ts";
import { readVotsFile } from "../sources/dealers/vots-file.ts";
import { FeedSettingError } from "./setting-error.ts";

/** The environment, as `process.env` has it. */
export type FeedEnvironment = Readonly<Record<string, string | undefined>>;

const FOLDER_VARIABLE = "SETTLEMENTS_DIR";
const KEY_VARIABLE = "BTMC_API_KEY";
const DEALERS_VARIABLE = "VOTS_DEALERS";

/** The value of a variable. */
const needed = (env: FeedEnvironment, variable: string, why: string): string => {
  const text = env[variable]?.trim();
  if (!text) throw new FeedSettingError(variable, `is not set; ${why}`);
  return text;
};

const folderOf = (env: FeedEnvironment): string => {
  const folder = needed(env, FOLDER_VARIABLE, `${CME_FILES} reads the folder it names`);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new FeedSettingError(FOLDER_VARIABLE, `is ${JSON.stringify(folder)}, which is not a folder`);
};

/** The key is sent in a request and must not appear in any message. */
const KEY_FORM = /^[\x21-\x7e]{1,200}$/;

const keyOf = (env: FeedEnvironment): string => {
  const key = needed(env, KEY_VARIABLE, `${BTMC} sends this key`);
  if (KEY_FORM.test(key)) return key;
  throw new FeedSettingError(KEY_VARIABLE, "is not a key; expected up to 200 letters, digits and signs, without spaces");
};

const VOTS_FILE = "vots-file";

const dealersOf = (env: FeedEnvironment): readonly Feed[] => {
  const file = needed(env, DEALERS_VARIABLE, `${VOTS_FILE} reads the file it names`);
  const read = readVotsFile(file);
  if (read.ok) return read.dealers.map(votsFeed);
  throw new FeedSettingError(DEALERS_VARIABLE, `is ${JSON.stringify(file)}: ${read.fault}; expected a JSON file of dealers`);
};

/**
 * Each feed by its key in the setting.
 * @throws FeedSettingError when its configuration is missing or invalid
 */
export const OPERATOR_FEEDS: ReadonlyMap<string, (env: FeedEnvironment) => readonly Feed[]> = new Map([
  [CME_FILES, (env: FeedEnvironment) => [cmeFiles(folderOf(env))]],
  [BTMC, (env: FeedEnvironment) => [btmc(keyOf(env))]],
  [VOTS_FILE, dealersOf],
]);
