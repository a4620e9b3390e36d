/**
 * Observations of feeds: one normalised reading of one source, with the published digits; and sources driven by the clock
 * instead of polling, which are the simulated market and replay files.
 */
import type { DecimalText, FuturesSymbol, Interval, PhysicalCountry, SettlementType } from "@assay/contract";
import type { DailySymbol, Instrument } from "../conventions/symbols.ts";
import type { CalendarDay } from "../conventions/zoned-time.ts";
import type { ProductQuote } from "../dealers/dealer-quote.ts";
import type { DigitalMarket } from "../signals/digital-market.ts";
import type { OptionChain } from "../surface/option-chain.ts";

/** A source's role in a price: sets it, replaces it when no primary is fresh, or is only listed. */
export type SourceRole = "primary" | "council" | "informational";

/** A source's identity. Feeds declare it; the composed price carries it. */
export interface SourceInfo {
  /** The feed's key, or the replayed source's name. */
  readonly key: string;
  readonly displayName: string;
  /** The class of its terms: official-open, attribution, undocumented, personal-use-only, operator-licence, simulated. */
  readonly license: string;
  /**
   * Who made the figures, such as `lbma`, wherever they were read: sources of one origin are one witness. Omitted where only the
   * source is known.
   */
  readonly origin?: string;
  readonly role: SourceRole;
  /** Milliseconds between readings in normal operation. */
  readonly intervalMs: number;
  /** How long a reading stays fresh, in milliseconds. */
  readonly freshForMs: number;
  /** Whether it keeps trading while the spot market is closed. */
  readonly alwaysOpen?: boolean;
  /** The country whose dealers it reports; omitted where it reports none. */
  readonly country?: PhysicalCountry;
  /** The instruments it prices; a cold start of an instrument waits for its primaries. */
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
  /** The publisher's timestamp, epoch milliseconds. */
  readonly observedAtMs: number;
}

/** Currency rates: units of each currency per unit of the base. */
export interface FxObservation {
  readonly kind: "fx";
  readonly source: string;
  /** live changes within the minute; reference is a central bank's daily table. */
  readonly role: "live" | "reference";
  readonly base: string;
  readonly rates: Readonly<Record<string, DecimalText>>;
  readonly observedAtMs: number;
  /** How long the table stays fresh, in milliseconds. */
  readonly freshForMs: number;
}

/** A bar reported by a source, for series that are not folded from ticks. */
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
  /** Open interest at the end of the day. */
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

/** A chain as feeds report it: the reader adds the metal's spot price at that moment. */
export interface ReportedChain extends Omit<OptionChain, "spotUsdPerOzt" | "underlyingUsd"> {
  /** Null where the options are on the metal itself and the source states no price of it: spot is then its price. */
  readonly underlyingUsd: DecimalText | null;
}

/** Every option of one venue on one underlying, at one moment. */
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
  /** How long these books stay valid without newer ones, in milliseconds, where that differs from the source's freshness. */
  readonly validForMs?: number;
  readonly observedAtMs: number;
}

/** A central bank's price of a metal for one day. It makes no price: it is what prices are compared with. */
export interface ReferenceObservation {
  readonly kind: "reference";
  readonly source: string;
  readonly metal: string;
  /** The bank's currency per gram. */
  readonly perGram: DecimalText;
  /** The bank's currency per US dollar, of the same day. */
  readonly perUsd: DecimalText;
  /** The start, in UTC, of the day whose market it is of. */
  readonly observedAtMs: number;
}

/** A reading that is used for prices, bars and settlements. */
export type PriceObservation = SpotObservation | FxObservation | BarObservation | SettlementObservation;

export type Observation = PriceObservation | DealerObservation | OptionsObservation | MarketsObservation | ReferenceObservation;

const PRICE_KINDS: ReadonlySet<Observation["kind"]> = new Set<PriceObservation["kind"]>(["spot", "fx", "bar", "settlement"]);

/** Whether a reading is used for prices, bars and settlements. */
export const isPrice = (observation: Observation): observation is PriceObservation => PRICE_KINDS.has(observation.kind);

export interface Reading {
  readonly atMs: number;
  readonly observations: readonly Observation[];
}

/** A clocked source, and whether the overall status depends on it. */
export interface ClockedInfo extends SourceInfo {
  readonly required: boolean;
}

/** A source whose readings depend only on the clock, so that none is ever missed. */
export interface ClockedSource {
  readonly simulated: boolean;
  readonly sources: ReadonlyMap<string, ClockedInfo>;
  /** Readings after `fromMs` and up to `toMs`, in time order. */
  due(fromMs: number, toMs: number): Generator<Reading>;
  /** When a source last reported, up to an instant; epoch milliseconds, null before its first reading. */
  lastSpokeMs(source: string, atMs: number): number | null;
}
