/** What feeds report: one normalised reading of one source, with the published digits. */
import type { DecimalText, FuturesSymbol, Interval, PhysicalCountry, SettlementType } from "@assay/contract";
import type { ProductQuote } from "./dealer-quote.ts";
import type { DigitalMarket } from "./signals/digital-market.ts";
import type { OptionChain } from "./surface/option-chain.ts";
import type { DailySymbol, Instrument } from "./symbols.ts";
import type { CalendarDay } from "./zoned-time.ts";

/** How a source takes part in a price: it sets it, replaces it when no primary is fresh, or only stands beside it. */
export type SourceRole = "primary" | "council" | "informational";

/** Who a source is. Feeds declare it; the composed price carries it. */
export interface SourceInfo {
  /** The feed's key, or the replayed source's name. */
  readonly key: string;
  readonly displayName: string;
  /** The class of its terms: official-open, attribution, undocumented, personal-use-only, operator-licence, simulated. */
  readonly license: string;
  /** Who publishes the figures, where that is not the source itself: sources of one publisher are one witness. */
  readonly publisher?: string;
  readonly role: SourceRole;
  /** Milliseconds between readings when all is well. */
  readonly intervalMs: number;
  /** How long a reading stays fresh, in milliseconds. */
  readonly freshForMs: number;
  /** Whether it keeps trading while the spot market is closed. */
  readonly alwaysOpen?: boolean;
  /** The country whose dealers it reports; left out where it reports none. */
  readonly country?: PhysicalCountry;
  /** What it prices; a primary that prices an instrument is waited for when a price of it begins. */
  readonly instruments?: readonly Instrument[];
}

/** A price of one instrument, in USD per its unit. */
export interface SpotObservation {
  readonly kind: "spot";
  readonly source: string;
  readonly instrument: Instrument;
  readonly price: DecimalText;
  readonly bid?: DecimalText;
  readonly ask?: DecimalText;
  /** Volume traded since the last reading, for futures and funds. */
  readonly volume?: DecimalText;
  /** When the publisher says it was so, epoch milliseconds. */
  readonly observedAtMs: number;
}

/** Currency rates: units of each currency for one unit of the base. */
export interface FxObservation {
  readonly kind: "fx";
  readonly source: string;
  /** live moves within the minute; reference is a central bank's daily table. */
  readonly role: "live" | "reference";
  readonly base: string;
  readonly rates: Readonly<Record<string, DecimalText>>;
  readonly observedAtMs: number;
  /** How long the table stays fresh, in milliseconds. */
  readonly freshForMs: number;
}

/** A bar reported by a source, for series that are not composed from ticks. */
export interface BarObservation {
  readonly kind: "bar";
  readonly source: string;
  readonly symbol: DailySymbol;
  readonly interval: Interval;
  readonly barStartMs: number;
  readonly open: DecimalText;
  readonly high: DecimalText;
  readonly low: DecimalText;
  readonly close: DecimalText;
  readonly volume: DecimalText | null;
  readonly observedAtMs: number;
}

/** A futures contract's price of one day, in USD per the contract's unit. */
export interface SettlementObservation {
  readonly kind: "settlement";
  readonly source: string;
  readonly sourceType: SettlementType;
  readonly symbol: FuturesSymbol;
  /** Product, month code and two digits of the year: GCZ26. */
  readonly futuresContract: string;
  readonly settlementDate: CalendarDay;
  readonly price: DecimalText;
  /** Contracts traded on the day; null where the source does not say. */
  readonly volume: number | null;
  /** Contracts open at its end. */
  readonly openInterest: number | null;
  readonly observedAtMs: number;
}

/** A dealer's price of one product. */
export interface DealerObservation {
  readonly kind: "dealer";
  readonly source: string;
  readonly quote: ProductQuote;
  readonly observedAtMs: number;
}

/** A chain as feeds tell it: the metal's spot of that moment is for the reader to add. */
export interface ReportedChain extends Omit<OptionChain, "spotUsdPerOzt" | "underlyingUsd"> {
  /** Null where the options are on the metal itself and the source states no price of it: spot is then its price. */
  readonly underlyingUsd: DecimalText | null;
}

/** Every option of one venue on one underlying, as it stood. */
export interface OptionsObservation {
  readonly kind: "options";
  readonly source: string;
  readonly chain: ReportedChain;
  readonly observedAtMs: number;
}

/** Every open market of one venue on one metal, with its book. */
export interface MarketsObservation {
  readonly kind: "markets";
  readonly source: string;
  readonly markets: readonly DigitalMarket[];
  /** How long these books stand when nothing newer comes, in milliseconds, where that is not as long as the source stays fresh. */
  readonly standForMs?: number;
  readonly observedAtMs: number;
}

/** A reading that takes part in prices, bars and settlements. */
export type PriceObservation = SpotObservation | FxObservation | BarObservation | SettlementObservation;

/** Any reading. */
export type Observation = PriceObservation | DealerObservation | OptionsObservation | MarketsObservation;

/** Whether a reading takes part in prices, bars and settlements. */
export const isPrice = (observation: Observation): observation is PriceObservation =>
  observation.kind !== "dealer" && observation.kind !== "options" && observation.kind !== "markets";
