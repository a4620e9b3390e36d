/** The public feeds of a market that moves: local servers that answer as the publishers do. */
import { readFileSync } from "node:fs";
import { type Answering, moving, openLiveUpstreams, payloads } from "@assay/testkit/upstreams";

const FIXTURES = new URL("../../../packages/feeds/src/fixtures/", import.meta.url);

/** Dealers, and the page each has published. */
const DEALERS = {
  "vots-arihant": "vots-arihant.tsv",
  "ounce-sa": "ounce-sa.json.txt",
  "chow-sang-sang-cn": "chow-sang-sang-cn.html",
  "dubai-city-of-gold": "dubai-city-of-gold.html.txt",
  edahab: "edahab.html.txt",
  ibja: "ibja.html.txt",
  isagha: "isagha.html.txt",
  "luk-fook": "luk-fook.json.txt",
  pakgold: "pakgold.json.txt",
  "saudi-gold-price": "saudi-gold-price.html.txt",
} as const;

const steady =
  (payload: () => string): Answering =>
  () => ({ body: payload() });

const dealerAnswers = Object.entries(DEALERS).map(([dealer, file]): [string, Answering] => {
  const text = readFileSync(new URL(file, FIXTURES), "utf8");
  return [dealer, steady(() => text)];
});

/** Opens the servers of every feed. Kraken's figure is of another year, and refused for good. */
export const openLiveMarket = () =>
  openLiveUpstreams({
    "gold-api": moving(payloads.goldApi),
    swissquote: moving(payloads.swissquote),
    "coinbase-fx": steady(payloads.coinbaseFx),
    ecb: steady(payloads.ecb),
    wgc: steady(payloads.wgc),
    kraken: steady(payloads.kraken),
    okx: moving(payloads.okx),
    coinbase: moving(payloads.coinbase),
    bybit: steady(payloads.bybit),
    kalshi: payloads.kalshi,
    polymarket: payloads.polymarket,
    ...Object.fromEntries(dealerAnswers),
  });
