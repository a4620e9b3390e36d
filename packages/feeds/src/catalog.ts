/** Every feed, by key, in the order they are listed. */
import type { Feed } from "./feed.ts";
import { coinbase } from "./sources/coinbase.ts";
import { coinbaseFx } from "./sources/coinbase-fx.ts";
import { ecb } from "./sources/ecb.ts";
import { goldApi } from "./sources/gold-api.ts";
import { kraken } from "./sources/kraken.ts";
import { okx } from "./sources/okx.ts";
import { swissquote } from "./sources/swissquote.ts";
import { wgc } from "./sources/wgc.ts";

/** Every public feed that needs no key: what `FEEDS=live` starts. Prices first, then currencies, then what stands beside. */
export const LIVE_FEEDS: readonly Feed[] = [goldApi, swissquote, coinbaseFx, ecb, wgc, kraken, okx, coinbase];

/** Feeds that ask an upstream, by key. */
export const CATALOG: ReadonlyMap<string, Feed> = new Map(LIVE_FEEDS.map((feed) => [feed.info.key, feed]));
