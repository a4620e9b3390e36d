/**
 * The answers of the public upstreams: captured payloads if `../shared/data` exists next to the repository, else our own in the
 * same shape. Figures are as published; only instants and dates are moved to now, since old readings make no price.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DAY_MS } from "@assay/contract";

const SAMPLES = ((folder) => (existsSync(folder) ? folder : null))(resolve(import.meta.dirname, "../../../../../shared/data"));
if (SAMPLES === null) console.info("captured payloads are not used: there is no ../shared/data; hand-written ones stand in");

const captured = (path: string): string | null =>
  SAMPLES !== null && existsSync(join(SAMPLES, path)) ? readFileSync(join(SAMPLES, path), "utf8") : null;

const OURS = {
  goldApi: `{"symbol":"XAU","currency":"USD","price":4392.0,"updatedAt":"2026-08-18T13:29:35Z"}`,
  swissquote: `[{"spreadProfilePrices":[{"spreadProfile":"prime","bid":4389.063,"ask":4389.697},
    {"spreadProfile":"elite","bid":4389.128,"ask":4389.632}],"ts":1787059781075},
    {"spreadProfilePrices":[{"spreadProfile":"standard","bid":4388.90,"ask":4389.80}],"ts":1787059780000}]`,
  coinbaseFx: `{"data":{"currency":"USD","rates":{"CNY":"7.1234","EUR":"0.9210","JPY":"146.23","BGN":"1.6760"}}}`,
  ecb: `<Envelope><Cube><Cube time='2026-07-09'><Cube currency='USD' rate='1.1435'/><Cube currency='JPY' rate='185.72'/><Cube
    currency='GBP' rate='0.85363'/><Cube currency='CHF' rate='0.9227'/></Cube></Cube></Envelope>`,
  wgc: `{"chartData":{"USD":[[1694044800000,1918.35],[1694131200000,1927.8]]}}`,
  kraken: `{"error":[],"result":{"PAXGUSD":{"a":["2055.150000","1","1.000"],"b":["2054.780000","1","1.000"]}}}`,
  okx: `{"code":"0","data":[{"instId":"XAUT-USDT","askPx":"4388.6","bidPx":"4388.4","ts":"1787059781075"}]}`,
  coinbase: `{"ask":"4391.22","bid":"4389.80","time":"2026-08-18T13:29:51.234745517Z"}`,
  bybit: `{"retCode":0,"result":{"category":"option","list":[{"symbol":"XAUT-25DEC26-4400-C-USDT","bid1Price":"118.5","bid1Size":"2.1",
    "ask1Price":"124.0","ask1Size":"1.7","indexPrice":"4389.2","volume24h":"48.1"}]},"time":1787059781075}`,
  kalshiMarkets: `{"cursor":"","markets":[{"ticker":"KXGOLDD-26SEP2217-T4545","market_type":"binary","strike_type":"greater","floor_strike":4545,
    "close_time":"2026-09-22T21:00:00Z","status":"active","yes_bid_dollars":"0.0800","yes_ask_dollars":"0.1100","volume_fp":"1234.00"}]}`,
  kalshiBook: `{"orderbook_fp":{"yes_dollars":[["0.0100","2637.00"]],"no_dollars":[["0.9600","3.00"],["0.9800","1586.01"]]}}`,
  polymarketEvent: `[{"slug":"gc-over-under-jun-2026","endDate":"2026-06-30T00:00:00Z","markets":[{"question":"Will Gold (GC) settle over $4,800?",
    "slug":"gc-above-4800-jun-2026","groupItemTitle":"$4,800","outcomes":"[\\"Yes\\", \\"No\\"]","clobTokenIds":"[\\"1\\", \\"2\\"]",
    "enableOrderBook":true,"acceptingOrders":true,"closed":false,"feeSchedule":{"exponent":1,"rate":0.04}}]}]`,
  polymarketBook: `{"asset_id":"1","bids":[{"price":"0.07","size":"500"}],"asks":[{"price":"0.08","size":"300"}]}`,
};

/** Event and book refer to one token, so both come from one place. */
const polymarketTexts = (): Pick<typeof OURS, "polymarketEvent" | "polymarketBook"> => {
  const polymarketEvent = captured("payloads/polymarket_gamma_event_gold.json");
  const polymarketBook = captured("payloads/polymarket_clob_book.json");
  return polymarketEvent && polymarketBook ? { polymarketEvent, polymarketBook } : OURS;
};

const TEXTS = {
  goldApi: captured("payloads/gold-api_XAU_20260818.json") ?? OURS.goldApi,
  swissquote: captured("payloads/swissquote_xauusd.json") ?? OURS.swissquote,
  coinbaseFx: captured("payloads/coinbase_exchange_rates_USD.json") ?? OURS.coinbaseFx,
  ecb: captured("payloads/ecb_eurofxref_daily.xml") ?? OURS.ecb,
  wgc: captured("payloads/wgc_goldprice_chart.json") ?? OURS.wgc,
  kraken: captured("payloads/kraken_ticker_PAXGUSD.json") ?? OURS.kraken,
  okx: captured("payloads/okx_ticker_XAUT-USDT.json") ?? OURS.okx,
  coinbase: captured("payloads/coinbase_ticker_PAXG-USD.json") ?? OURS.coinbase,
  bybit: captured("payloads/bybit_options_XAUT.json") ?? OURS.bybit,
  kalshiMarkets: captured("payloads/kalshi_markets_KXGOLDD.json") ?? OURS.kalshiMarkets,
  kalshiBook: captured("payloads/kalshi_orderbook.json") ?? OURS.kalshiBook,
  ...polymarketTexts(),
};

/** Moves every instant of a payload by the same time, so that the newest is `ageMs` old and their order is kept. */
const movedTo = (text: string, pattern: RegExp, ageMs: number): string => {
  const newest = Math.max(...[...text.matchAll(pattern)].map(([instant]) => Number(instant)));
  const byMs = Date.now() - ageMs - newest;
  return text.replace(pattern, (instant) => String(Number(instant) + byMs));
};

const EPOCH_MS = /\b1[0-9]{12}\b/g;
const ISO = /\b20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z/;

const isoNow = (ageMs: number): string => new Date(Date.now() - ageMs).toISOString();

/** Gold: 4392.0 USD. */
export const goldApi = (ageMs = 0): string => TEXTS.goldApi.replace(ISO, isoNow(ageMs));
/** Gold: the freshest platform's tightest profile, `elite`, quotes 4389.128 / 4389.632. */
export const swissquote = (): string => movedTo(TEXTS.swissquote, EPOCH_MS, 0);
/** EUR 0.9210, JPY 146.23, CNY 7.1234 for one USD; a BGN that must be ignored; no GBP. */
export const coinbaseFx = (): string => TEXTS.coinbaseFx;
/** Yesterday's reference rates for one EUR: USD 1.1435, GBP 0.85363, CHF 0.9227, JPY 185.72. */
export const ecb = (): string =>
  TEXTS.ecb.replace(/time=(['"])[0-9-]{10}\1/, `time='${new Date(Date.now() - DAY_MS).toISOString().slice(0, 10)}'`);
/** The council: 4387.20 USD an hour ago, and days before; captured at 1927.8, which the others would contradict. */
export const wgc = (): string => {
  // The body also contains the requested window; only the chart is moved.
  const at = TEXTS.wgc.indexOf('"chartData"');
  const chart = TEXTS.wgc.slice(at).replace(/,([0-9.]+)\]/g, (_, price: string) => `,${(Number(price) + 2_459.4).toFixed(2)}]`);
  return TEXTS.wgc.slice(0, at) + movedTo(chart, EPOCH_MS, 3_600_000);
};
/** A token at 2054.78 / 2055.15, captured in another year. */
export const kraken = (): string => TEXTS.kraken;
/** A token at 4388.4 / 4388.6. */
export const okx = (): string => movedTo(TEXTS.okx, EPOCH_MS, 0);
/** A token at 4389.80 / 4391.22. */
export const coinbase = (): string => TEXTS.coinbase.replace(ISO, isoNow(0));
/** One call on the token: 118.5 / 124.0. */
export const bybit = (): string => movedTo(TEXTS.bybit, EPOCH_MS, 0);
/** One rung of gold's daily ladder, which closes in an hour, with its book and fees; the other series have none. */
export const kalshi = (path: string): { readonly body: string } => {
  if (path.includes("/markets/orderbooks?"))
    return { body: `{"orderbooks":[{"ticker":"KXGOLDD-26SEP2217-T4545",${TEXTS.kalshiBook.trim().slice(1)}]}` };
  if (path.includes("/series/")) return { body: '{"series":{"ticker":"KXGOLDD","fee_type":"quadratic","fee_multiplier":1}}' };
  const markets = TEXTS.kalshiMarkets.replace(/"close_time":"[^"]+"/, `"close_time":"${isoNow(-3_600_000)}"`);
  return { body: path.includes("series_ticker=KXGOLDD&") ? markets : '{"cursor":"","markets":[]}' };
};
/** One market on next month's settlement of gold, 0.07 / 0.08. */
export const polymarket = (path: string): { readonly body: string } => {
  if (path === "/books") return { body: `[${TEXTS.polymarketBook}]` };
  const now = new Date();
  const end = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 0));
  const month = end.toLocaleString("en-US", { month: "short", timeZone: "UTC" }).toLowerCase();
  const body = TEXTS.polymarketEvent
    .replace(/"slug":"gc-over-under-[a-z]+-[0-9]+"/, `"slug":"gc-over-under-${month}-${end.getUTCFullYear()}"`)
    .replace(/"endDate":"[^"]+"/, `"endDate":"${end.toISOString()}"`);
  return { body };
};
