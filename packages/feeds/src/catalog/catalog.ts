/**
 * Every feed by key, in listing order; and those that the operator must configure: with a folder, a key, or a list of dealers.
 */
import { statSync } from "node:fs";
import type { Feed } from "../feed/feed.ts";
import { bnr } from "../sources/banks/bnr.ts";
import { cbr } from "../sources/banks/cbr.ts";
import { nbm } from "../sources/banks/nbm.ts";
import { nbp } from "../sources/banks/nbp.ts";
import { cmeFiles } from "../sources/cme/cme-files.ts";
import { CME_FILES } from "../sources/cme/settlement-file.ts";
import { coinbase } from "../sources/coinbase.ts";
import { coinbaseFx } from "../sources/coinbase-fx.ts";
import { BTMC, btmc } from "../sources/dealers/btmc.ts";
import { chinaGold } from "../sources/dealers/china-gold.ts";
import { chowSangSangCn } from "../sources/dealers/chow-sang-sang-cn.ts";
import { chowTaiFook } from "../sources/dealers/chow-tai-fook.ts";
import { dubaiCityOfGold } from "../sources/dealers/dubai-city-of-gold.ts";
import { edahab } from "../sources/dealers/edahab.ts";
import { emperor } from "../sources/dealers/emperor.ts";
import { fenegosida } from "../sources/dealers/fenegosida.ts";
import { galeri24 } from "../sources/dealers/galeri24.ts";
import { ibja } from "../sources/dealers/ibja.ts";
import { isagha } from "../sources/dealers/isagha.ts";
import { kijangEmas } from "../sources/dealers/kijang-emas.ts";
import { lukFook } from "../sources/dealers/luk-fook.ts";
import { ounceSa } from "../sources/dealers/ounce-sa.ts";
import { pakgold } from "../sources/dealers/pakgold.ts";
import { pnj } from "../sources/dealers/pnj.ts";
import { saudiGoldPrice } from "../sources/dealers/saudi-gold-price.ts";
import { tanaka } from "../sources/dealers/tanaka.ts";
import { treasuryId } from "../sources/dealers/treasury-id.ts";
import { readVotsFile, VOTS_DEALERS, votsFeed } from "../sources/dealers/vots.ts";
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

/** Every dealer that needs no key. */
export const DEALER_FEEDS: readonly Feed[] = [
  dubaiCityOfGold,
  chinaGold,
  chowSangSangCn,
  edahab,
  isagha,
  chowTaiFook,
  emperor,
  lukFook,
  galeri24,
  treasuryId,
  ibja,
  ...VOTS_DEALERS.map(votsFeed),
  tanaka,
  kijangEmas,
  fenegosida,
  pakgold,
  ounceSa,
  saudiGoldPrice,
  pnj,
];

/** Prices first, then currencies, then informational sources. */
const PRICE_FEEDS: readonly Feed[] = [goldApi, swissquote, coinbaseFx, ecb, wgc, kraken, okx, coinbase];

/** Central banks' daily prices, which prices are compared with. */
const REFERENCE_FEEDS: readonly Feed[] = [cbr, nbm, nbp, bnr];

/** Option and prediction-market venues, which do not set a price. */
const VENUE_FEEDS: readonly Feed[] = [bybit, kalshi, polymarket];

/** Every public feed that needs no key: what `FEEDS=live` starts. */
export const LIVE_FEEDS: readonly Feed[] = [...PRICE_FEEDS, ...REFERENCE_FEEDS, ...VENUE_FEEDS, ...DEALER_FEEDS];

/** Feeds that start only when named, because of their terms. */
const OPT_IN_FEEDS: readonly Feed[] = [yahooChart, cboe];

/** The message names the variable, and never repeats a value that may be secret. */
export class FeedSettingError extends Error {
  readonly variable: string;

  constructor(variable: string, message: string) {
    super(`${variable} ${message}`);
    this.name = "FeedSettingError";
    this.variable = variable;
  }
}

/** The environment, as `process.env` has it. */
export type FeedEnvironment = Readonly<Record<string, string | undefined>>;

const FOLDER_VARIABLE = "SETTLEMENTS_DIR";
const KEY_VARIABLE = "BTMC_API_KEY";
const DEALERS_VARIABLE = "VOTS_DEALERS";

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

export const CATALOG: ReadonlyMap<string, Feed> = new Map([...LIVE_FEEDS, ...OPT_IN_FEEDS].map((feed) => [feed.info.key, feed]));

export const FEED_KEYS: readonly string[] = [...CATALOG.keys(), ...OPERATOR_FEEDS.keys()];
