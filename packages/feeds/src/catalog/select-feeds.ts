/** The `FEEDS` setting, and base URLs that override the feeds' own. */
import type { Feed } from "../feed/feed.ts";
import { CATALOG, FEED_KEYS, type FeedEnvironment, FeedSettingError, LIVE_FEEDS, OPERATOR_FEEDS } from "./catalog.ts";

/** A feed and its effective base URL. */
export interface SelectedFeed {
  readonly feed: Feed;
  readonly baseUrl: string;
}

interface FeedSelection {
  /** In the order named. */
  readonly feeds: readonly SelectedFeed[];
  readonly replayFile: string | null;
  /** Whether the simulated market is included. */
  readonly simulated: boolean;
  /** Warnings about settings that have no effect. */
  readonly warnings: readonly string[];
}

const REPLAY = "replay:";
const ALLOWED = `a comma list of simulated, live, ${FEED_KEYS.join(", ")}, or ${REPLAY}FILE`;

/** The variable for a feed's base URL: `gold-api` is `FEED_GOLD_API_URL`. */
export const urlVariable = (key: string): string => `FEED_${key.toUpperCase().replaceAll("-", "_")}_URL`;

/** A URL may contain a password, so it never appears in a message. */
const readBaseUrl = (variable: string, text: string): string => {
  const refuse = (why: string) =>
    new FeedSettingError(variable, `is a URL ${why}; expected one such as https://prices.example.com/mirror`);
  if (!URL.canParse(text))
    throw new FeedSettingError(variable, "is not a URL; expected one such as https://prices.example.com/mirror");
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
  if (!feed) throw new FeedSettingError("FEEDS", `names ${JSON.stringify(name)}; expected ${ALLOWED}`);
  return [feed];
};

/** A feed without an upstream has no base URL to override. */
const withBaseUrl = (feed: Feed, env: FeedEnvironment): SelectedFeed => {
  const variable = urlVariable(feed.info.key);
  const laid = feed.baseUrl === "" ? undefined : env[variable];
  return { feed, baseUrl: laid ? readBaseUrl(variable, laid) : feed.baseUrl };
};

/**
 * Parses the setting.
 * @param setting the value of `FEEDS`: `simulated`, `live`, keys, `replay:FILE`, separated by commas
 * @param env where base URLs are looked up
 * @throws FeedSettingError naming the variable, its value and the accepted values
 */
export const selectFeeds = (setting: string, env: FeedEnvironment): FeedSelection => {
  const feeds: SelectedFeed[] = [];
  let replayFile: string | null = null;
  let simulated = false;
  for (const name of names(setting)) {
    if (name.startsWith(REPLAY)) {
      if (replayFile !== null) throw new FeedSettingError("FEEDS", "names two replay files; expected one");
      replayFile = name.slice(REPLAY.length);
      if (replayFile === "") throw new FeedSettingError("FEEDS", `has ${REPLAY} without a file; expected ${ALLOWED}`);
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
    warnings: unused.sort().map((name) => `${name} has no effect: it belongs to no feed that FEEDS starts`),
  };
};
