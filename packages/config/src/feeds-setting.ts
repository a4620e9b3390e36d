/** The `FEEDS` setting and the base URLs that override the feeds' own. */
import { accessSync, constants, statSync } from "node:fs";
import { baseUrl } from "./kinds.ts";
import { type Environment, readVariable, SettingError, textOf } from "./variables.ts";

export interface FeedsSetting {
  /** The text as written; feeds are selected from it. */
  readonly text: string;
  /** Its parts, in order: `simulated`, `live`, feed keys. */
  readonly names: readonly string[];
  readonly replayFile: string | null;
  /** Whether prices are simulated or replayed and no other feed has an upstream, so that the clock may be shifted and demo keys be shown. */
  readonly isRehearsal: boolean;
}

const REPLAY = "replay:";
const BUILT_IN = ["simulated", "live"];
/** Feeds that read the operator's own files and no network: beside a replay they are part of the rehearsal. */
const FILE_FEEDS: readonly string[] = ["cme-files"];
const KEY = /^[a-z0-9]+(-[a-z0-9]+)*$/;

const checkFile = (file: string): string | null => {
  try {
    accessSync(file, constants.R_OK);
    return statSync(file).isFile() ? null : `${file} is not a file`;
  } catch (error) {
    return error instanceof Error ? error.message : `${file} cannot be read`;
  }
};

/**
 * Reads `FEEDS`.
 * @param knownFeeds the keys that exist; without them any well-formed key passes
 */
export const readFeeds = (env: Environment, knownFeeds?: readonly string[]): FeedsSetting => {
  const text = textOf(env, "FEEDS") ?? "simulated";
  const keys = knownFeeds?.filter((key) => !BUILT_IN.includes(key)).join(", ") ?? "feed keys";
  const refuse = (because: string) =>
    new SettingError({
      variable: "FEEDS",
      value: text,
      mayHold: `simulated, live, a comma list of ${keys}, or replay:FILE`,
      because,
    });
  const names: string[] = [];
  let replayFile: string | null = null;
  for (const part of text.split(",").map((each) => each.trim())) {
    if (part.startsWith(REPLAY)) {
      const file = part.slice(REPLAY.length);
      if (replayFile !== null) throw refuse("two replay files");
      const fault = file === "" ? "replay: without a file" : checkFile(file);
      if (fault !== null) throw refuse(fault);
      replayFile = file;
    } else if (!KEY.test(part) || (knownFeeds && !BUILT_IN.includes(part) && !knownFeeds.includes(part))) {
      throw refuse(part === "" ? "a part is empty" : `there is no feed ${part}`);
    } else if (!names.includes(part)) names.push(part);
  }
  if (names.length > 1 && names.includes("simulated")) throw refuse("simulated prices would be mixed with real ones");
  const isRehearsal = names.includes("simulated") || (replayFile !== null && names.every((name) => FILE_FEEDS.includes(name)));
  return { text, names, replayFile, isRehearsal };
};

const URL_VARIABLE = /^FEED_([A-Z0-9]+(?:_[A-Z0-9]+)*)_URL$/;

/**
 * Reads every `FEED_<KEY>_URL`.
 * @returns base URLs by feed key
 */
export const readFeedUrls = (env: Environment, knownFeeds?: readonly string[]): Readonly<Record<string, string>> => {
  const urls: Record<string, string> = {};
  for (const name of Object.keys(env).sort()) {
    const key = URL_VARIABLE.exec(name)?.[1]?.toLowerCase().replaceAll("_", "-");
    const url = key === undefined ? undefined : readVariable(env, name, baseUrl("https://prices.example.com/mirror"), undefined);
    if (key === undefined || url === undefined) continue;
    if (knownFeeds && !knownFeeds.includes(key)) {
      const mayHold = `no value, because there is no feed ${key}; the feeds are ${knownFeeds.join(", ")}`;
      throw new SettingError({ variable: name, value: env[name] ?? "", mayHold });
    }
    urls[key] = url;
  }
  return urls;
};
