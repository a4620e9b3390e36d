/** The built-in catalogue: exactly what the interface describes. */
import * as LEVELS from "./levels.ts";
import * as PERIODS from "./periods.ts";
import type { CatalogueRows, CurrencyRow, MetalRow } from "./rows.ts";

/** A currency with a reference rate of the European Central Bank. */
const currency = (
  code: string,
  name: string,
  approximatePerUsd: number,
  volatility: number,
  { follows, ...facts }: Partial<CurrencyRow> & { readonly follows?: string } = {},
): CurrencyRow => ({
  code,
  name,
  minor_units: 2,
  quoted: true,
  peg: null,
  reference: "ecb",
  approximate_per_usd: approximatePerUsd,
  simulated: { volatility, ...(follows === undefined ? {} : { follows }) },
  ...facts,
});

/** The currency of a physical market that is not a quote currency. */
const local = (code: string, name: string, perUsd: number, volatility: number, more: Partial<CurrencyRow> = {}): CurrencyRow =>
  currency(code, name, perUsd, volatility, { quoted: false, reference: null, ...more });

const troy = { unit: "troy_ounce", quoted_in: "USD" } satisfies Partial<MetalRow>;
/** Facts of a metal with daily closes for ratios only. */
const ratiosOnly = {
  ...troy,
  coverage: "daily",
  default_contract: "spot",
  tier: "pro",
  convertible: false,
  karats: false,
  streams: [],
  surface: null,
  agreement_bps: 800,
  max_spread_percent: 4,
  futures: null,
} satisfies Partial<MetalRow>;

/** The table. Prices cover all of them since 1996 up to about ten times today's, and exclude those of another unit. */
export const BUILT_IN: CatalogueRows = {
  metals: [
    {
      ...troy,
      code: "XAU",
      name: "gold",
      coverage: "spot",
      default_contract: "spot",
      quoted_in: "all",
      tier: "free",
      convertible: true,
      karats: true,
      streams: ["sse", "websocket"],
      surface: { simulated: { volatility: 0.17, psi: 0.05, p: 0.5, option_decimals: 2, option_tick: 10 } },
      agreement_bps: 500,
      max_spread_percent: 2,
      bounds: { low: "200", high: "50000" },
      periods: PERIODS.GOLD,
      futures: {
        product: "GC",
        main_months: [2, 4, 6, 8, 10, 12],
        simulated: {
          carry: 0.042,
          decimals: 2,
          half_spread_bps: 0.25,
          volume: { first: 35_000, per_year: 5_000 },
          settlement: { decimals: 1, tick_units: 1, volume: 160_000 },
        },
      },
      simulated: { levels: LEVELS.GOLD, volatility: 0.16, decimals: 2, half_spread_bps: 0.375 },
    },
    {
      ...troy,
      code: "XAG",
      name: "silver",
      coverage: "spot",
      default_contract: "spot",
      tier: "pro",
      convertible: true,
      karats: false,
      streams: ["sse", "websocket"],
      surface: { simulated: { volatility: 0.32, psi: 0.08, p: 0.5, option_decimals: 3, option_tick: 5 } },
      agreement_bps: 800,
      max_spread_percent: 4,
      bounds: { low: "3", high: "1000" },
      periods: PERIODS.SILVER,
      futures: {
        product: "SI",
        main_months: [3, 5, 7, 9, 12],
        simulated: {
          carry: 0.045,
          decimals: 3,
          half_spread_bps: 1,
          volume: { first: 15_000, per_year: 2_000 },
          settlement: { decimals: 3, tick_units: 5, volume: 60_000 },
        },
      },
      simulated: {
        levels: LEVELS.SILVER,
        volatility: 0.27,
        follows: { metal: "XAU", share: 0.8 },
        decimals: 4,
        half_spread_bps: 2,
      },
    },
    {
      code: "HG",
      name: "copper",
      unit: "pound",
      coverage: "spot",
      default_contract: "futures",
      quoted_in: "USD",
      tier: "pro",
      convertible: false,
      karats: false,
      streams: ["websocket"],
      surface: null,
      agreement_bps: 800,
      max_spread_percent: 4,
      bounds: { low: "0.4", high: "60" },
      periods: PERIODS.COPPER,
      futures: {
        product: "HG",
        main_months: [3, 5, 7, 9, 12],
        simulated: {
          carry: 0.02,
          decimals: 4,
          half_spread_bps: 0.5,
          volume: { first: 8_000, per_year: 2_500 },
          settlement: { decimals: 4, tick_units: 5, volume: 70_000 },
        },
      },
      simulated: {
        levels: LEVELS.COPPER,
        volatility: 0.21,
        follows: { metal: "XAU", share: 0.3 },
        decimals: 4,
        half_spread_bps: 0.9,
      },
    },
    {
      ...ratiosOnly,
      code: "XPT",
      name: "platinum",
      bounds: { low: "150", high: "50000" },
      periods: PERIODS.PLATINUM,
      simulated: {
        levels: LEVELS.PLATINUM,
        volatility: 0.23,
        follows: { metal: "XAU", share: 0.7 },
        decimals: 2,
        half_spread_bps: 3,
      },
    },
    {
      ...ratiosOnly,
      code: "XPD",
      name: "palladium",
      bounds: { low: "50", high: "50000" },
      periods: PERIODS.PALLADIUM,
      simulated: {
        levels: LEVELS.PALLADIUM,
        volatility: 0.28,
        follows: { metal: "XAU", share: 0.5 },
        decimals: 2,
        half_spread_bps: 6,
      },
    },
  ],
  funds: [
    {
      code: "GLD",
      name: "SPDR Gold Shares",
      metal: "XAU",
      agreement_bps: 500,
      max_spread_percent: 2,
      bounds: { low: "20", high: "5000" },
      periods: PERIODS.GLD,
      simulated: {
        first_day: "2004-11-18",
        ounces_per_share: 0.1,
        yearly_fee: 0.004,
        decimals: 2,
        half_spread_bps: 0.27,
        volume: { first: 1_000_000, per_year: 270_000 },
      },
    },
  ],
  currencies: [
    currency("AUD", "Australian dollar", 1.52, 0.1),
    // Not published by the European Central Bank since 2026-01-01; fixed by law.
    currency("BGN", "Bulgarian lev", 1.68, 0, { peg: { to: "EUR", units: "1.95583", fixed: true }, reference: null }),
    currency("BRL", "Brazilian real", 5.4, 0.14),
    currency("CAD", "Canadian dollar", 1.39, 0.065, { follows: "AUD" }),
    currency("CHF", "Swiss franc", 0.8, 0.075, { follows: "EUR" }),
    currency("CNY", "Chinese yuan", 7.05, 0.03),
    currency("CZK", "Czech koruna", 20.9, 0.085, { follows: "EUR" }),
    // Kept within half a percent of its central rate.
    currency("DKK", "Danish krone", 6.42, 0, { peg: { to: "EUR", units: "7.46038", fixed: false } }),
    currency("EUR", "Euro", 0.86, 0.07),
    currency("GBP", "Pound sterling", 0.755, 0.08, { follows: "EUR" }),
    // Kept within 7.75 and 7.85.
    currency("HKD", "Hong Kong dollar", 7.79, 0.004, { peg: { to: "USD", units: "7.8", fixed: false } }),
    currency("HUF", "Hungarian forint", 331, 0.1, { follows: "EUR" }),
    currency("IDR", "Indonesian rupiah", 16_650, 0.06),
    currency("ILS", "Israeli new shekel", 3.2, 0.09),
    currency("INR", "Indian rupee", 90.2, 0.04),
    currency("ISK", "Icelandic krona", 124, 0.075, { minor_units: 0, follows: "EUR" }),
    currency("JPY", "Japanese yen", 155, 0.1, { minor_units: 0 }),
    currency("KRW", "South Korean won", 1_450, 0.09, { minor_units: 0 }),
    currency("MXN", "Mexican peso", 18.1, 0.12),
    currency("MYR", "Malaysian ringgit", 4.08, 0.05),
    currency("NOK", "Norwegian krone", 10.05, 0.1, { follows: "EUR" }),
    currency("NZD", "New Zealand dollar", 1.74, 0.1, { follows: "AUD" }),
    currency("PHP", "Philippine peso", 58.6, 0.05),
    currency("PLN", "Polish zloty", 3.65, 0.09, { follows: "EUR" }),
    currency("RON", "Romanian leu", 4.37, 0.07, { follows: "EUR" }),
    currency("SEK", "Swedish krona", 9.45, 0.095, { follows: "EUR" }),
    currency("SGD", "Singapore dollar", 1.295, 0.045),
    currency("THB", "Thai baht", 32.3, 0.065),
    currency("TRY", "Turkish lira", 45, 0.09),
    currency("USD", "US dollar", 1, 0),
    currency("ZAR", "South African rand", 17.1, 0.13, { follows: "AUD" }),
    local("AED", "UAE dirham", 3.6725, 0, { peg: { to: "USD", units: "3.6725", fixed: true } }),
    local("EGP", "Egyptian pound", 47.6, 0.06),
    local("NPR", "Nepalese rupee", 144.3, 0.04),
    local("PKR", "Pakistani rupee", 281, 0.03),
    local("SAR", "Saudi riyal", 3.75, 0, { peg: { to: "USD", units: "3.75", fixed: true } }),
    local("VND", "Vietnamese dong", 26_350, 0.02, { minor_units: 0 }),
  ],
  units: [
    { code: "oz", name: "troy ounce", grams: "31.1034768", accepted: ["convert", "dealers"] },
    { code: "gram", name: "gram", grams: "1", accepted: ["convert", "dealers"] },
    { code: "kg", name: "kilogram", grams: "1000", accepted: ["convert", "dealers"] },
    { code: "troy_ounce", name: "troy ounce", grams: "31.1034768", accepted: ["price"] },
    { code: "pound", name: "avoirdupois pound", grams: "453.59237", accepted: ["price"] },
    // As bullion is traded in India, Pakistan and Nepal.
    { code: "tola", name: "tola", grams: "11.6638038", accepted: ["dealers"] },
    // Of Hong Kong.
    { code: "tael", name: "Hong Kong tael", grams: "37.429", accepted: ["dealers"] },
    // As gold is quoted in India.
    { code: "ten_gram", name: "10 g", grams: "10", accepted: [] },
    // Of Thailand: a bar; jewellery is weighed at 15.16 g.
    { code: "baht", name: "Thai baht weight", grams: "15.244", accepted: [] },
    // Of Vietnam, of ten chi.
    { code: "luong", name: "Vietnamese luong", grams: "37.5", accepted: ["dealers"] },
    { code: "chi", name: "Vietnamese chi", grams: "3.75", accepted: ["dealers"] },
  ],
  ratios: [
    ["gold-silver", "XAU", "XAG"],
    ["gold-platinum", "XAU", "XPT"],
    ["silver-platinum", "XAG", "XPT"],
    ["gold-palladium", "XAU", "XPD"],
    ["gld-xau", "GLD", "XAU"],
  ],
};
