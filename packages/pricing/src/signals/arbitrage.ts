/** Arbitrage between prediction markets: edges that can be traded now, at the available sizes, after all fees. */
import type { DecimalText, SignalType, SurfaceMetal } from "@assay/contract";
import { utcDay } from "../conventions/zoned-time.ts";
import { Decimal } from "../number/exact.ts";
import { presentFigure } from "../number/present.ts";
import { type Crossing, crossBooks } from "./cross-books.ts";
import { askLevels, bidLevels, type DigitalMarket, type FeeSchedule, feesOf, type Level } from "./digital-market.ts";

export interface SignalLeg {
  readonly venue: string;
  readonly marketId: string;
  readonly side: "yes";
  /** Average dollars per contract, at most six decimals. */
  readonly price: DecimalText;
  /** The available payout in dollars at the prices used, two decimals. */
  readonly sizeUsd: DecimalText;
}

/** An edge. Sizes of edges are in bps of the payout, one decimal. */
export interface ArbitrageSignal {
  readonly id: string;
  readonly metal: SurfaceMetal;
  /** UTC day of the expiry, YYYY-MM-DD. */
  readonly horizonTarget: string;
  readonly type: SignalType;
  /** The strike that is bought, in USD per troy ounce of spot. */
  readonly strike: DecimalText;
  readonly buy: SignalLeg;
  readonly sell: SignalLeg;
  readonly grossEdgeBps: number;
  readonly feesBps: number;
  readonly netEdgeBps: number;
  /** The tradable payout, in dollars, two decimals. */
  readonly executableSizeUsd: DecimalText;
  /** When this edge was first seen, epoch milliseconds. */
  readonly detectedAtMs: number;
}

/** A market with the rest of its book. */
interface Side {
  readonly market: DigitalMarket;
  readonly strike: Decimal;
  readonly fees: FeeSchedule;
  bids: readonly Level[];
  asks: readonly Level[];
}

interface Candidate {
  readonly buy: Side;
  readonly sell: Side;
  /** Net dollars per contract at the best prices. */
  readonly edge: Decimal;
}

const strikeOf = ({ strike, basis = "1" }: DigitalMarket): Decimal => new Decimal(strike).mul(basis);

/** A source that reports markets of several fee models covers several venues. */
const isOneVenue = (a: DigitalMarket, b: DigitalMarket): boolean => a.venue === b.venue && a.feeModel === b.feeModel;

/** Pairs where the contract sold never pays more than the one bought: the strike sold is not below the strike bought. */
const candidatesOf = (sides: readonly Side[]): Candidate[] =>
  sides.flatMap((buy) =>
    sides.flatMap((sell) => {
      const ask = buy.asks[0];
      const bid = sell.bids[0];
      if (isOneVenue(buy.market, sell.market) || !ask || !bid) return [];
      if (bid.price.lte(ask.price) || sell.strike.lt(buy.strike)) return [];
      const one = new Decimal(1);
      const edge = bid.price.minus(ask.price).minus(buy.fees.feeUsd(one, ask.price)).minus(sell.fees.feeUsd(one, bid.price));
      return [{ buy, sell, edge }];
    }),
  );

const bpsOf = (usd: Decimal, contracts: Decimal): number => usd.mul(10_000).div(contracts).toDecimalPlaces(1).toNumber();

const legOf = ({ market }: Side, usd: Decimal, standing: Decimal, contracts: Decimal): SignalLeg => ({
  venue: market.venue,
  marketId: market.marketId,
  side: "yes",
  price: usd.div(contracts).toDecimalPlaces(6).toFixed(),
  sizeUsd: presentFigure(standing, 2),
});

const FNV_OFFSET = 0xcbf29ce484222325n;
const FNV_PRIME = 0x100000001b3n;
const MASK = (1n << 64n) - 1n;

/** The id of an edge, the same in any process: FNV-1a of metal, expiry and both markets, without prices and sizes. */
const signalId = (parts: readonly string[]): string => {
  let hash = FNV_OFFSET;
  for (const byte of new TextEncoder().encode(parts.join("\n"))) hash = ((hash ^ BigInt(byte)) * FNV_PRIME) & MASK;
  return `arb_${hash.toString(16).padStart(16, "0")}`;
};

const signalOf = ({ buy, sell }: Candidate, crossing: Crossing, nowMs: number): ArbitrageSignal => {
  const { contracts, paidUsd, receivedUsd, feesUsd, standingAsks, standingBids } = crossing;
  const gross = receivedUsd.minus(paidUsd);
  const { metal, expiresAtMs } = buy.market;
  const names = [buy, sell].flatMap(({ market }) => [market.venue, market.marketId]);
  return {
    id: signalId([metal, String(expiresAtMs), ...names]),
    metal,
    horizonTarget: utcDay(expiresAtMs),
    type: buy.strike.eq(sell.strike) ? "digital" : "ladder",
    strike: buy.strike.toDecimalPlaces(6).toFixed(),
    buy: legOf(buy, paidUsd, standingAsks, contracts),
    sell: legOf(sell, receivedUsd, standingBids, contracts),
    grossEdgeBps: bpsOf(gross, contracts),
    feesBps: bpsOf(feesUsd, contracts),
    netEdgeBps: bpsOf(gross.minus(feesUsd), contracts),
    executableSizeUsd: presentFigure(contracts, 2),
    detectedAtMs: nowMs,
  };
};

/** The edges between markets with the same expiry instant and settlement figure, best first; each contract is used once. */
const edgesAmong = (sides: readonly Side[], nowMs: number): ArbitrageSignal[] =>
  candidatesOf(sides)
    .sort((a, b) => b.edge.cmp(a.edge))
    .flatMap((candidate) => {
      const { buy, sell } = candidate;
      const { crossing, asks, bids } = crossBooks(buy.asks, sell.bids, buy.fees, sell.fees);
      if (!crossing) return [];
      buy.asks = asks;
      sell.bids = bids;
      return [signalOf(candidate, crossing, nowMs)];
    });

/**
 * Every edge between two venues that can be traded now.
 *
 * A contract that pays above a strike is never worth less than one that pays above a higher strike. So where one venue offers the
 * former below another's bid for the latter, and both settle by the same figure at the same instant, the difference less both
 * venues' taker fees is risk-free. Strikes are compared as spot: strike × basis. Books are walked level by level while each step
 * gains; no contract is counted twice, the best edge first. Touch markets, markets with unknown fees and expired markets are
 * excluded.
 * @param markets books of every venue
 * @param nowMs now, epoch milliseconds
 * @param known the previous signals, whose edges keep the instant they were first seen
 * @returns largest net edge first; usually empty
 */
export const arbitrageSignals = (
  markets: readonly DigitalMarket[],
  nowMs: number,
  known: readonly ArbitrageSignal[] = [],
): ArbitrageSignal[] => {
  const groups = new Map<string, Side[]>();
  for (const market of markets) {
    const fees = feesOf(market);
    if (market.kind !== "terminal" || market.expiresAtMs <= nowMs || !fees) continue;
    const key = `${market.metal} ${market.expiresAtMs} ${market.reference}`;
    const side = { market, strike: strikeOf(market), fees, bids: bidLevels(market.book), asks: askLevels(market.book) };
    groups.set(key, [...(groups.get(key) ?? []), side]);
  }
  const since = new Map(known.map(({ id, detectedAtMs }) => [id, detectedAtMs]));
  return [...groups.values()]
    .flatMap((sides) => edgesAmong(sides, nowMs))
    .map((signal) => ({ ...signal, detectedAtMs: since.get(signal.id) ?? signal.detectedAtMs }))
    .sort((a, b) => b.netEdgeBps - a.netEdgeBps || (a.id < b.id ? -1 : 1));
};
