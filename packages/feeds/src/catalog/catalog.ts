/** Every feed by key, in listing order. */
import type { Feed } from "../feed/feed.ts";
import { coinbase } from "../sources/coinbase.ts";
import { coinbaseFx } from "../sources/coinbase-fx.ts";
import { ecb } from "../sources/ecb.ts";
import { goldApi } from "../sources/gold-api.ts";
import { kraken } from "../sources/kraken.ts";
import { okx } from "../sources/okx.ts";
import { swissquote } from "../sources/swissquote.ts";
import { bybit } from "../sources/venues/bybit.ts";
import { cboe } from "../sources/venues/cboe.ts";
import { kalshi } from "../sources/venues/kalshi.ts";
import { polymarket } from "../sources/venues/polymarket.ts";
import { wgc } from "../sources/wgc.ts";
import { yahooChart } from "../sources/yahoo-chart.ts";
import { DEALER_FEEDS } from "./dealer-feeds.ts";
import { OPERATOR_FEEDS } from "./operator-feeds.ts";

/** Prices first, then currencies, then informational sources. */
const PRICE_FEEDS: readonly Feed[] = [goldApi, swissquote, coinbaseFx, ecb, wgc, kraken, okx, coinbase];

/** Option and prediction-market venues, which do not set a price. */
const VENUE_FEEDS: readonly Feed[] = [bybit, kalshi, polymarket];

/** Every public feed that needs no key: what `FEEDS=live` starts. */
export const LIVE_FEEDS: readonly Feed[] = [...PRICE_FEEDS, ...VENUE_FEEDS, ...DEALER_FEEDS];

/** Feeds that start only when named, because of their terms. */
const OPT_IN_FEEDS: readonly Feed[] = [yahooChart, cboe];

/** Feeds with an upstream, by key. */
export const CATALOG: ReadonlyMap<string, Feed> = new Map([...LIVE_FEEDS, ...OPT_IN_FEEDS].map((feed) => [feed.info.key, feed]));

/** Every key the setting accepts. */
export const FEED_KEYS: readonly string[] = [...CATALOG.keys(), ...OPERATOR_FEEDS.keys()];
