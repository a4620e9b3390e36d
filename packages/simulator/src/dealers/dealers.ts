/** Dealers of the simulated market: all twelve countries, each with its own units, premium, tax and schedule. */
import {
  type DealerForm,
  type DealerWeightUnit,
  type DecimalText,
  PHYSICAL_MARKETS,
  type PhysicalCountry,
  type PhysicalMarket,
} from "@assay/contract";
import type { ProductQuote } from "@assay/pricing";
import { type Decimal, dec, finenessOf, GRAMS_PER_TROY_OUNCE, toDecimal, toGrams } from "@assay/pricing";
import { driftAt, noiseKey, shareAt } from "../path/noise.ts";
import { simulatedRate } from "../prices/fx.ts";
import { simulatedPrice } from "../prices/price.ts";

/** One product of a country's simulated dealer. */
interface Product {
  readonly name: string;
  readonly form: DealerForm;
  readonly karat: number;
  readonly fineness: DecimalText | null;
  readonly weight: DecimalText;
  readonly unit: DealerWeightUnit;
  /** Sell price over spot, in bps, including tax where the country's prices do. */
  readonly premiumBps: number;
  /** Sell less buyback, in bps; null where no buyback is published. */
  readonly spreadBps: number | null;
}

interface Dealer {
  readonly country: PhysicalCountry;
  readonly taxIncluded: boolean;
  /** The price increment, in the local currency. */
  readonly step: DecimalText;
  /** Seconds between price changes. */
  readonly period: number;
  readonly products: readonly Product[];
}

/** Karat, and the fineness where the dealer states one. */
type Purity = number | readonly [karat: number, fineness: DecimalText];
const product = (
  name: string,
  form: DealerForm,
  purity: Purity,
  [weight, unit]: readonly [DecimalText, DealerWeightUnit],
  premiumBps: number,
  spreadBps: number | null,
): Product => {
  const [karat, fineness] = typeof purity === "number" ? [purity, null] : purity;
  return { name, form, karat, fineness, weight, unit, premiumBps, spreadBps };
};

/** Fineness of four and three nines, as dealers state it. */
const FOUR_NINES = [24, "999.9"] as const;
const THREE_NINES = [24, "999"] as const;

const GRAM = ["1", "gram"] as const;
const TEN_GRAMS = ["10", "gram"] as const;
const TOLA = ["1", "tola"] as const;

const DEALERS: readonly Dealer[] = [
  {
    country: "AE",
    taxIncluded: false,
    step: "0.25",
    period: 300,
    products: [
      product("Gold 24K", "reference", 24, GRAM, 60, null),
      product("Gold 22K", "jewellery", 22, GRAM, 95, null),
      product("Gold 18K", "jewellery", 18, GRAM, 140, null),
    ],
  },
  {
    country: "CN",
    taxIncluded: true,
    step: "0.01",
    period: 60,
    products: [
      product("Investment bar", "bar", FOUR_NINES, GRAM, 160, 210),
      product("Investment bar 1 kg", "bar", FOUR_NINES, ["1", "kg"], 90, 150),
      product("Jewellery gold", "jewellery", THREE_NINES, GRAM, 1_800, 2_000),
    ],
  },
  {
    country: "EG",
    taxIncluded: false,
    step: "1",
    period: 120,
    products: [
      product("عيار 24", "reference", 24, GRAM, 320, 60),
      product("عيار 21", "jewellery", 21, GRAM, 330, 60),
      product("عيار 18", "jewellery", 18, GRAM, 340, 60),
    ],
  },
  {
    country: "HK",
    taxIncluded: false,
    step: "1",
    period: 60,
    products: [
      product("Gold 999.9 per tael", "bar", FOUR_NINES, ["1", "tael"], 180, 320),
      product("Gold 999.9 per gram", "bar", FOUR_NINES, GRAM, 190, 340),
      product("Jewellery gold per tael", "jewellery", THREE_NINES, ["1", "tael"], 2_100, 2_500),
    ],
  },
  {
    country: "ID",
    taxIncluded: false,
    step: "1000",
    period: 600,
    products: [
      product("Emas batangan 1 g", "bar", FOUR_NINES, GRAM, 850, 1_500),
      product("Emas batangan 100 g", "bar", FOUR_NINES, ["100", "gram"], 420, 1_000),
    ],
  },
  {
    country: "IN",
    taxIncluded: false,
    step: "1",
    period: 60,
    products: [
      product("Gold 999 per 10 g", "reference", THREE_NINES, TEN_GRAMS, 610, null),
      product("Gold 995 per 10 g", "bar", [24, "995"], TEN_GRAMS, 640, 110),
      product("Gold 916 per 10 g", "jewellery", [22, "916"], TEN_GRAMS, 650, null),
    ],
  },
  {
    country: "JP",
    taxIncluded: true,
    step: "1",
    period: 1_800,
    products: [product("Gold bar, per gram", "bar", FOUR_NINES, GRAM, 1_140, 150)],
  },
  {
    country: "MY",
    taxIncluded: false,
    step: "1",
    period: 3_600,
    products: [
      product("Kijang Emas 1 oz", "coin", FOUR_NINES, ["1", "oz"], 380, 560),
      product("Kijang Emas 1/2 oz", "coin", FOUR_NINES, ["0.5", "oz"], 520, 700),
    ],
  },
  {
    country: "NP",
    taxIncluded: false,
    step: "100",
    period: 3_600,
    products: [
      product("छापावाल सुन, per tola", "reference", 24, TOLA, 1_050, null),
      product("छापावाल सुन, per 10 g", "reference", 24, TEN_GRAMS, 1_050, null),
    ],
  },
  {
    country: "PK",
    taxIncluded: false,
    step: "100",
    period: 120,
    products: [
      product("Gold 24K per tola", "reference", 24, TOLA, 180, 120),
      product("Gold 22K per tola", "jewellery", 22, TOLA, 240, 200),
    ],
  },
  {
    country: "SA",
    taxIncluded: false,
    step: "0.01",
    period: 60,
    products: [
      product("Gold 24K per gram", "reference", 24, GRAM, 70, null),
      product("Gold ounce", "bar", FOUR_NINES, ["1", "oz"], 180, 260),
      product("Gold 21K per gram", "jewellery", 21, GRAM, 130, null),
    ],
  },
  {
    country: "VN",
    taxIncluded: false,
    step: "10000",
    period: 300,
    products: [
      product("Vàng miếng 999.9, per luong", "bar", FOUR_NINES, ["1", "luong"], 1_250, 140),
      product("Nhẫn trơn 999.9, per chi", "jewellery", FOUR_NINES, ["1", "chi"], 1_080, 230),
    ],
  },
];

/** Premiums drift by up to this many bps to either side, over days. */
const WANDER_BPS = 40;
const WANDER_SECONDS = 86_400;

const stepped = (price: Decimal, step: DecimalText): DecimalText => price.div(step).round().mul(step).toFixed();

/** A dealer's price list as of one instant. */
interface Setting {
  readonly country: PhysicalMarket;
  readonly setAt: number;
  /** Gold per troy ounce in the local currency. */
  readonly localPerOzt: Decimal;
}

/** The last second, up to the given one, at which a dealer changed its prices. */
const setAtOf = (dealer: Dealer, second: number, seed: number): number => {
  const offset = Math.floor(shareAt(noiseKey(seed, `${dealer.country} hour`), 0) * dealer.period);
  return Math.floor((second - offset) / dealer.period) * dealer.period + offset;
};

const settingOf = (dealer: Dealer, second: number, seed: number): Setting => {
  const country = PHYSICAL_MARKETS.find((one) => one.country === dealer.country);
  if (!country) throw new RangeError(`the contract has no country ${dealer.country}`);
  const setAt = setAtOf(dealer, second, seed);
  const rate = simulatedRate(country.currency, setAt * 1_000, seed);
  return { country, setAt, localPerOzt: dec(simulatedPrice("XAU-USD-SPOT", setAt * 1_000, seed)).mul(rate) };
};

export const simulatedDealerSource = (country: PhysicalCountry): string => `simulated-${country.toLowerCase()}`;

const quoteOf = (dealer: Dealer, item: Product, index: number, setting: Setting, seed: number): ProductQuote => {
  const { country, setAt, localPerOzt } = setting;
  const purity = finenessOf(item.fineness, item.karat);
  if (!purity) throw new RangeError(`${item.name} has no purity`);
  const local = localPerOzt
    .mul(toGrams(dec(item.weight), item.unit))
    .mul(toDecimal(purity))
    .div(GRAMS_PER_TROY_OUNCE);
  const drift = driftAt(noiseKey(seed, `${dealer.country} ${index}`), setAt, WANDER_SECONDS);
  const wander = Math.floor((2 * drift - 1) * WANDER_BPS);
  const at = (bps: number): DecimalText => stepped(local.mul(10_000 + bps).div(10_000), dealer.step);
  const premium = item.premiumBps + wander;
  return {
    id: `simulated-${dealer.country.toLowerCase()}:${index + 1}`,
    source: simulatedDealerSource(dealer.country),
    dealer: `Simulated dealer, ${country.name}`,
    kind: "dealer",
    country: dealer.country,
    metal: "XAU",
    product: item.name,
    form: item.form,
    karat: item.karat,
    fineness: item.fineness,
    weight: item.weight,
    weightUnit: item.unit,
    currency: country.currency,
    sell: at(premium),
    buyback: item.spreadBps === null ? null : at(premium - item.spreadBps),
    taxIncluded: dealer.taxIncluded,
    sourceUrl: "",
    observedAtMs: setAt * 1_000,
  };
};

/**
 * What the simulated dealers quote at an instant: each updates at its own interval, from spot and the rate at that moment.
 * @param atMs epoch milliseconds; rounded down to the second
 * @param seed the market's seed
 * @param only one country; defaults to all
 * @returns by country, then in price-list order
 */
export const simulatedDealers = (atMs: number, seed: number, only?: PhysicalCountry): ProductQuote[] =>
  DEALERS.filter(({ country }) => only === undefined || country === only).flatMap((dealer) => {
    const setting = settingOf(dealer, Math.floor(atMs / 1_000), seed);
    return dealer.products.map((item, index) => quoteOf(dealer, item, index, setting, seed));
  });

/**
 * The countries whose simulated dealer changes its prices at an instant.
 * @param atMs epoch milliseconds; rounded down to the second
 * @param seed the market's seed
 */
export const simulatedDealersSetting = (atMs: number, seed: number): PhysicalCountry[] => {
  const second = Math.floor(atMs / 1_000);
  return DEALERS.filter((dealer) => setAtOf(dealer, second, seed) === second).map(({ country }) => country);
};
