/** The `FEEDS` setting, and the base URLs that may be laid over the feeds' own. */
import { CATALOG, FEED_KEYS, LIVE_FEEDS } from "./catalog.ts";
import type { Feed } from "./feed.ts";
import { FeedSettingError } from "./feed-setting-error.ts";
import { type FeedEnvironment, OPERATOR_FEEDS } from "./operator-feeds.ts";

/** A feed with the base URL it is to use. */
export interface SelectedFeed {
  readonly feed: Feed;
  readonly baseUrl: string;
}

/** What the setting names. */
export interface FeedSelection {
  /** In the order they were named. */
  readonly feeds: readonly SelectedFeed[];
  readonly replayFile: string | null;
  /** Whether the simulated market is among them. */
  readonly simulated: boolean;
  /** Whether a public upstream is among them. */
  readonly live: boolean;
  /** Settings that have no effect, in words. */
  readonly warnings: readonly string[];
}

const REPLAY = "replay:";
const ALLOWED = `a comma list of simulated, live, ${FEED_KEYS.join(", ")}, or ${REPLAY}FILE`;

/** The variable that holds a feed's base URL: `gold-api` is `FEED_GOLD_API_URL`. */
export const urlVariable = (key: string): string => `FEED_${key.toUpperCase().replaceAll("-", "_")}_URL`;

/** A URL may hold a password, so that it is never repeated in a message. */
const readBaseUrl = (variable: string, text: string): string => {
  const refuse = (why: string) =>
    new FeedSettingError(variable, `holds a URL ${why}; it may hold one such as https://prices.example.com/mirror`);
  if (!URL.canParse(text))
    throw new FeedSettingError(variable, "holds no URL; it may hold one such as https://prices.example.com/mirror");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") throw refuse("that is neither https nor http");
  if (url.username !== "" || url.password !== "") throw refuse("with a user name or password");
  if (url.search !== "" || url.hash !== "") throw refuse("with a query or fragment");
  return url.href.replace(/\/+$/, "");
};

const names = (setting: string): readonly string[] => {
  const given = setting.split(",").map((name) => name.trim());
  const listed = given.flatMap((name) => (name === "live" ? LIVE_FEEDS.map((feed) => feed.info.key) : [name]));
  return [...new Set(listed)];
};

/** The feeds of a name: one, or as many as the operator listed. */
const feedsOf = (name: string, env: FeedEnvironment): readonly Feed[] => {
  const operators = OPERATOR_FEEDS.get(name);
  if (operators) return operators(env);
  const feed = CATALOG.get(name);
  if (!feed) throw new FeedSettingError("FEEDS", `holds ${JSON.stringify(name)}; it may hold ${ALLOWED}`);
  return [feed];
};

/** A feed that asks nobody has no URL that another could be laid over. */
const withBaseUrl = (feed: Feed, env: FeedEnvironment): SelectedFeed => {
  const variable = urlVariable(feed.info.key);
  const laid = feed.baseUrl === "" ? undefined : env[variable];
  return { feed, baseUrl: laid ? readBaseUrl(variable, laid) : feed.baseUrl };
};

/**
 * Reads the setting.
 * @param setting what `FEEDS` holds: `simulated`, `live`, keys, `replay:FILE`, separated by commas
 * @param env where base URLs are looked up
 * @throws FeedSettingError that names the variable, what it holds and what it may hold
 */
export const selectFeeds = (setting: string, env: FeedEnvironment): FeedSelection => {
  const feeds: SelectedFeed[] = [];
  let replayFile: string | null = null;
  let simulated = false;
  for (const name of names(setting)) {
    if (name.startsWith(REPLAY)) {
      if (replayFile !== null) throw new FeedSettingError("FEEDS", "holds two replay files; it may hold one");
      replayFile = name.slice(REPLAY.length);
      if (replayFile === "") throw new FeedSettingError("FEEDS", `holds ${REPLAY} without a file; it may hold ${ALLOWED}`);
      continue;
    }
    if (name === "simulated") {
      simulated = true;
      continue;
    }
    for (const feed of feedsOf(name, env)) feeds.push(withBaseUrl(feed, env));
  }
  const used = new Set(feeds.filter(({ baseUrl }) => baseUrl !== "").map(({ feed }) => urlVariable(feed.info.key)));
  const unused = Object.keys(env).filter((name) => /^FEED_[A-Z0-9_]+_URL$/.test(name) && !used.has(name));
  return {
    feeds,
    replayFile,
    simulated,
    live: feeds.length > 0,
    warnings: unused.sort().map((name) => `${name} has no effect: it belongs to no feed that FEEDS starts`),
  };
};
