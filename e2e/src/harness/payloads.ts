/**
 * What the public upstreams answer: captured payloads where `../shared/data` lies beside the repository, else our own in the
 * same shape. Figures are as published; only instants and dates are set to now, since old readings set no price.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SAMPLES } from "./root.ts";

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
};

const DAY_MS = 86_400_000;

/** Every instant of a payload moved by the same time, so that the newest is `ageMs` old and their order stays. */
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
/** EUR 0.9210, JPY 146.23, CNY 7.1234 for one USD; a BGN that is to be ignored; no GBP. */
export const coinbaseFx = (): string => TEXTS.coinbaseFx;
/** Yesterday's reference rates for one EUR: USD 1.1435, GBP 0.85363, CHF 0.9227, JPY 185.72. */
export const ecb = (): string =>
  TEXTS.ecb.replace(/time=(['"])[0-9-]{10}\1/, `time='${new Date(Date.now() - DAY_MS).toISOString().slice(0, 10)}'`);
/** The council: 1927.8 USD an hour ago, and days before. */
export const wgc = (): string => {
  // The request's own window stands in the body as well; only the chart is moved.
  const at = TEXTS.wgc.indexOf('"chartData"');
  return TEXTS.wgc.slice(0, at) + movedTo(TEXTS.wgc.slice(at), EPOCH_MS, 3_600_000);
};
/** A token at 2054.78 / 2055.15, captured in another year. */
export const kraken = (): string => TEXTS.kraken;
/** A token at 4388.4 / 4388.6. */
export const okx = (): string => movedTo(TEXTS.okx, EPOCH_MS, 0);
/** A token at 4389.80 / 4391.22. */
export const coinbase = (): string => TEXTS.coinbase.replace(ISO, isoNow(0));
