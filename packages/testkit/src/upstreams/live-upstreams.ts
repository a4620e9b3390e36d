/** The public feeds of `FEEDS=live`, each with a local server in place of its publisher. */
import { type Answering, openUpstream, type Upstream } from "./upstream.ts";

/** Prices, currencies and venues. */
export const LIVE_FEEDS = [
  "gold-api",
  "swissquote",
  "coinbase-fx",
  "ecb",
  "wgc",
  "kraken",
  "okx",
  "coinbase",
  "bybit",
  "kalshi",
  "polymarket",
] as const;
/** One of these feeds. */
export type LiveFeed = (typeof LIVE_FEEDS)[number];

/** The servers of some feeds. */
export interface LiveUpstreams<Feed extends string> {
  readonly upstreams: Readonly<Record<Feed, Upstream>>;
  /** Settings of a process that reads these feeds and no others. */
  readonly settings: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const variableOf = (feed: string): string => `FEED_${feed.toUpperCase().replaceAll("-", "_")}_URL`;

/** Opens them. */
export const openLiveUpstreams = async <Feed extends string>(
  answers: Readonly<Record<Feed, Answering>>,
): Promise<LiveUpstreams<Feed>> => {
  const feeds = Object.keys(answers) as Feed[]; // the keys of the literal the caller passes
  const opened = await Promise.all(feeds.map(async (feed) => [feed, await openUpstream(answers[feed])] as const));
  return {
    upstreams: Object.fromEntries(opened) as Record<Feed, Upstream>, // one for each feed
    settings: { FEEDS: feeds.join(","), ...Object.fromEntries(opened.map(([feed, { url }]) => [variableOf(feed), url])) },
    close: async () => {
      await Promise.all(opened.map(([, upstream]) => upstream.close()));
    },
  };
};
