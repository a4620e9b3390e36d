/** A service on the public feeds, with every upstream replaced by a local server. */

import { temporaryFolder } from "./files.ts";
import { mintKey } from "./keys.ts";
import { type Service, startService } from "./service.ts";
import { type Answering, openUpstream, type Upstream } from "./upstream.ts";

/** The feeds of prices, currencies and venues that `FEEDS=live` starts. */
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

/** A service with its upstreams. */
export interface LiveService {
  readonly service: Service;
  readonly upstreams: Readonly<Record<LiveFeed, Upstream>>;
  /** A key of the tier pro. */
  readonly key: string;
  readonly dataDir: string;
  close(): Promise<void>;
}

const variableOf = (feed: LiveFeed): string => `FEED_${feed.toUpperCase().replaceAll("-", "_")}_URL`;

/** Starts a service with its own data folder. */
export const startLive = async (answers: Readonly<Record<LiveFeed, Answering>>): Promise<LiveService> => {
  const folder = await temporaryFolder();
  const opened = await Promise.all(LIVE_FEEDS.map(async (feed) => [feed, await openUpstream(answers[feed])] as const));
  const upstreams = Object.fromEntries(opened) as Record<LiveFeed, Upstream>; // one for each feed
  const closeAround = async (): Promise<void> => {
    await Promise.all(opened.map(([, upstream]) => upstream.close()));
    await folder.remove();
  };
  try {
    const settings = { DATA_DIR: folder.path, FEEDS: LIVE_FEEDS.join(","), TRUST_PROXY: "127.0.0.1" };
    const { plaintext: key } = await mintKey(settings, "pro");
    const urls = Object.fromEntries(opened.map(([feed, upstream]) => [variableOf(feed), upstream.url]));
    const service = await startService({ ...settings, ...urls });
    return {
      service,
      upstreams,
      key,
      dataDir: folder.path,
      close: async () => {
        await service.stop("SIGKILL");
        await closeAround();
      },
    };
  } catch (error) {
    await closeAround();
    throw error;
  }
};
