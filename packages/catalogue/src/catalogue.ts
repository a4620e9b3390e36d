/** The catalogue: its rows by code, and everything that follows from them. */
import type { CatalogueRows, CurrencyRow, MetalRow, UnitPlace, UnitRow } from "./rows.ts";

/** Something sources quote and the composition prices, in USD. */
export interface InstrumentRow {
  /** `XAU-USD-SPOT`, `XAU-USD-FUTURES`, or a fund's code. */
  readonly instrument: string;
  readonly kind: "spot" | "futures" | "fund";
  readonly metal: MetalRow;
  readonly barSymbol: string;
  /** Decimals of a price halfway between its bounds, as prices are published. */
  readonly decimals: number;
  /** How a wrong figure of it is recognised. */
  readonly plausible: Pick<MetalRow, "agreement_bps" | "max_spread_percent" | "bounds" | "periods">;
}

export interface PriceSymbol {
  /** Canonical form, for example XAU-EUR-SPOT. */
  readonly symbol: string;
  /** The metal's code. */
  readonly metal: string;
  readonly currency: string;
  readonly contractType: "spot" | "futures";
  /** The USD instrument behind it. */
  readonly instrument: string;
}

export interface RatioRow {
  readonly pair: string;
  readonly numerator: string;
  readonly denominator: string;
}

/** The catalogue of a process. Lists are in the order of the table. */
export interface Catalogue {
  readonly rows: CatalogueRows;
  readonly spotMetals: readonly MetalRow[];
  /** Metals with daily closes for ratios only. */
  readonly dailyMetals: readonly MetalRow[];
  /** Quote currencies, in alphabetical order. */
  readonly quoted: readonly CurrencyRow[];
  readonly instruments: readonly InstrumentRow[];
  /** Every symbol of the price routes: spot of each metal by currency, then futures. */
  readonly priceSymbols: readonly PriceSymbol[];
  /** What each symbol of the price routes and each alias means, in capitals. */
  readonly priceNames: ReadonlyMap<string, PriceSymbol>;
  /** The series each name of the bar routes means, in capitals and with dashes. */
  readonly barNames: ReadonlyMap<string, string>;
  readonly ratios: readonly RatioRow[];
  /** @throws RangeError when the code is not in the table; so do the others */
  metal(code: string): MetalRow;
  currency(code: string): CurrencyRow;
  unit(code: string): UnitRow;
  instrument(name: string): InstrumentRow;
  /** Codes of the units accepted in a place. */
  unitsFor(place: UnitPlace): readonly string[];
}

/** The symbol of a metal's spot series in USD. */
export const spotSymbol = (code: string): string => `${code}-USD-SPOT`;

const lookup = <Row>(what: string, rows: readonly (readonly [string, Row])[]): ((code: string) => Row) => {
  const byCode = new Map(rows);
  return (code) => {
    const row = byCode.get(code);
    if (row === undefined) throw new RangeError(`the catalogue has no ${what} ${code}`);
    return row;
  };
};

/** 2 decimals from 100 up, else 4: a price halfway between its bounds, as far as these are factors of it. */
const decimalsOf = ({ bounds }: InstrumentRow["plausible"]): number =>
  Math.sqrt(Number(bounds.low) * Number(bounds.high)) >= 100 ? 2 : 4;

const instrumentsOf = (metals: readonly MetalRow[], { funds, metals: all }: CatalogueRows): InstrumentRow[] => {
  const metalOf = lookup(
    "metal",
    all.map((row) => [row.code, row]),
  );
  return [
    ...metals.map((metal) => ({ kind: "spot" as const, instrument: spotSymbol(metal.code), metal, plausible: metal })),
    ...metals
      .filter(({ futures }) => futures !== null)
      .map((metal) => ({ kind: "futures" as const, instrument: `${metal.code}-USD-FUTURES`, metal, plausible: metal })),
    ...funds.map((fund) => ({ kind: "fund" as const, instrument: fund.code, metal: metalOf(fund.metal), plausible: fund })),
  ].map((row) => ({
    ...row,
    barSymbol: row.kind === "futures" ? (row.metal.futures?.product ?? row.instrument) : row.instrument,
    decimals: decimalsOf(row.plausible),
  }));
};

const priceSymbol = (metal: string, currency: string, contractType: PriceSymbol["contractType"]): PriceSymbol => {
  const suffix = contractType.toUpperCase();
  return { symbol: `${metal}-${currency}-${suffix}`, metal, currency, contractType, instrument: `${metal}-USD-${suffix}` };
};

/** Names, then codes: how a metal may be written alone. */
const bareNames = (metals: readonly MetalRow[]): (readonly [string, MetalRow])[] => [
  ...metals.flatMap((row) => [row.name, ...(row.aliases ?? [])].map((name) => [name.toUpperCase(), row] as const)),
  ...metals.map((row) => [row.code, row] as const),
];

/** What a metal's name alone means on the bar routes. */
const defaultSeries = ({ default_contract, code, futures }: MetalRow): string =>
  default_contract === "futures" && futures !== null ? futures.product : spotSymbol(code);

/**
 * Derives a catalogue from its rows.
 * @param rows consistent rows: `checkRows` found nothing
 */
export const catalogueOf = (rows: CatalogueRows): Catalogue => {
  const spotMetals = rows.metals.filter(({ coverage }) => coverage === "spot");
  const dailyMetals = rows.metals.filter(({ coverage }) => coverage === "daily");
  const quoted = rows.currencies.filter((currency) => currency.quoted).sort((a, b) => (a.code < b.code ? -1 : 1));
  const instruments = instrumentsOf(spotMetals, rows);
  const priceSymbols = [
    ...spotMetals.flatMap(({ code, quoted_in }) =>
      quoted.filter((each) => quoted_in === "all" || each.code === quoted_in).map((each) => priceSymbol(code, each.code, "spot")),
    ),
    ...spotMetals.filter(({ futures }) => futures !== null).map(({ code }) => priceSymbol(code, "USD", "futures")),
  ];
  const priceNames = new Map(priceSymbols.map((entry) => [entry.symbol, entry]));
  const barNames = new Map<string, string>();
  for (const { instrument, barSymbol } of instruments) {
    barNames.set(instrument, barSymbol);
    barNames.set(barSymbol, barSymbol);
  }
  for (const [name, metal] of bareNames(spotMetals)) {
    const entry = priceNames.get(`${metal.code}-USD-${metal.default_contract.toUpperCase()}`);
    if (entry) priceNames.set(name, entry);
    if (!barNames.has(name)) barNames.set(name, defaultSeries(metal));
    barNames.set(`${metal.code}-USD`, spotSymbol(metal.code));
  }
  const seriesOf = (code: string): string => (rows.funds.some((fund) => fund.code === code) ? code : spotSymbol(code));
  return {
    rows,
    spotMetals,
    dailyMetals,
    quoted,
    instruments,
    priceSymbols,
    priceNames,
    barNames,
    ratios: rows.ratios.map(([pair, numerator, denominator]) => ({
      pair,
      numerator: seriesOf(numerator),
      denominator: seriesOf(denominator),
    })),
    metal: lookup(
      "metal",
      rows.metals.map((row) => [row.code, row]),
    ),
    currency: lookup(
      "currency",
      rows.currencies.map((row) => [row.code, row]),
    ),
    unit: lookup(
      "unit",
      rows.units.map((row) => [row.code, row]),
    ),
    instrument: lookup(
      "instrument",
      instruments.map((row) => [row.instrument, row]),
    ),
    unitsFor: (place) => rows.units.filter(({ accepted }) => accepted.includes(place)).map(({ code }) => code),
  };
};
