/** Every feed, by key, in the order they are listed. */
import { CME_FILES } from "./cme/settlement-file.ts";
import type { Feed } from "./feed.ts";
import { cmeFiles } from "./sources/cme-files.ts";
import { coinbase } from "./sources/coinbase.ts";
import { coinbaseFx } from "./sources/coinbase-fx.ts";
import { ecb } from "./sources/ecb.ts";
import { goldApi } from "./sources/gold-api.ts";
import { kraken } from "./sources/kraken.ts";
import { okx } from "./sources/okx.ts";
import { swissquote } from "./sources/swissquote.ts";
import { wgc } from "./sources/wgc.ts";
import { yahooChart } from "./sources/yahoo-chart.ts";

/** Every public feed that needs no key: what `FEEDS=live` starts. Prices first, then currencies, then what stands beside. */
export const LIVE_FEEDS: readonly Feed[] = [goldApi, swissquote, coinbaseFx, ecb, wgc, kraken, okx, coinbase];

/** Feeds that are started only by name, because of their terms. */
const OPT_IN_FEEDS: readonly Feed[] = [yahooChart];

/** Feeds that ask an upstream, by key. */
export const CATALOG: ReadonlyMap<string, Feed> = new Map([...LIVE_FEEDS, ...OPT_IN_FEEDS].map((feed) => [feed.info.key, feed]));

/** Feeds that read a folder of the operator's, by key. */
export const FOLDER_FEEDS: ReadonlyMap<string, (folder: string) => Feed> = new Map([[CME_FILES, cmeFiles]]);

/** Every key the setting may name. */
export const FEED_KEYS: readonly string[] = [...CATALOG.keys(), ...FOLDER_FEEDS.keys()];
