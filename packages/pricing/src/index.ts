/** Pure price arithmetic: everything Assay computes, without I/O and without a clock. */
export * from "./bars/aggregate.ts";
export type { BarRow } from "./bars/bar-row.ts";
export * from "./bars/grow.ts";
export { barsMissing, type HistoryGap, joinGaps, lacksBars } from "./bars/history-gap.ts";
export { type PriceBounds, priceBoundsAt } from "./bars/price-bounds.ts";
export * from "./bars/ratios.ts";
export * from "./bars/validate.ts";
export * from "./bars/withdrawn.ts";
export { bandBps, isSamePrice } from "./belief/band.ts";
export type { Anchor, Belief, Disbelieved, LastPrice } from "./belief/belief.ts";
export {
  type BeliefState,
  type BeliefStep,
  isShown,
  isUnconfirmed,
  isWorthStoring,
  type Probation,
  takeVerdict,
  unknownBelief,
  type WithdrawnTicks,
} from "./belief/belief-state.ts";
export { type BeliefInput, believe, SECOND_WITNESS_MS } from "./belief/believe.ts";
export { witnessOf } from "./belief/voices.ts";
export * from "./dealers/dealer-quote.ts";
export { finenessOf } from "./dealers/fineness.ts";
export * from "./dealers/gate.ts";
export * from "./dealers/premium.ts";
export * from "./futures/forward-curve.ts";
export * from "./futures/futures-contract.ts";
export * from "./futures/settlement.ts";
export * from "./futures/validate.ts";
export * from "./fx/cross.ts";
export { legOf } from "./fx/leg.ts";
export { BGN_PER_EUR, USD_PEGS } from "./fx/pegs.ts";
export { REFERENCE_SERVES_MS } from "./fx/reference.ts";
export * from "./fx/reference-history.ts";
export * from "./fx/state.ts";
export * from "./fx/validate.ts";
export * from "./market/exchange-calendar.ts";
export * from "./market/hours.ts";
export * from "./market/symbols.ts";
export * from "./market/units.ts";
export * from "./market/zoned-time.ts";
export * from "./number/decimal.ts";
export {
  divideExact,
  type Exact,
  type Fraction,
  fraction,
  multiplyExact,
  toDecimal,
  toFixedText,
  toSignificantText,
} from "./number/fraction.ts";
export * from "./number/present.ts";
export * from "./number/scaled.ts";
export type { ClockedInfo, ClockedSource, Reading } from "./readings/clocked-source.ts";
export * from "./readings/freshness.ts";
export * from "./readings/frozen.ts";
export * from "./readings/observation.ts";
export * from "./readings/validation.ts";
export { type ArbitrageSignal, arbitrageSignals, type SignalLeg } from "./signals/arbitrage.ts";
export {
  askLevels,
  type BookLevel,
  bidLevels,
  bookFromBids,
  type DigitalMarket,
  type FeeTerms,
  type YesBook,
} from "./signals/digital-market.ts";
export { type FeeSchedule, feesOf, kalshiFees, polymarketFees } from "./signals/fees.ts";
export { type MarketReading, marketFrom } from "./signals/market-reading.ts";
export * from "./spot/compose.ts";
export * from "./spot/compose-moment.ts";
export * from "./spot/convert.ts";
export * from "./spot/karat.ts";
export * from "./spot/price.ts";
export * from "./spot/staleness.ts";
export * from "./spot/standing-price.ts";
export * from "./spot/validate.ts";
export { weightPrice } from "./spot/weight-price.ts";
export { basisFromRate } from "./surface/basis-from-rate.ts";
export { blackCall } from "./surface/black.ts";
export { oneTouch } from "./surface/digital-options.ts";
export { defaultHorizon, type HorizonEntry, horizonIndex } from "./surface/horizons.ts";
export type { OptionChain, OptionExpiry, OptionQuote } from "./surface/option-chain.ts";
export { chainsFrom, expiryOf, type OptionReading } from "./surface/option-reading.ts";
export { type HorizonSurface, probabilitySurface, type SurfaceInput } from "./surface/surface.ts";
export { type SviSlice, sviVariance } from "./surface/svi.ts";
export { sliceOf, withoutButterflies } from "./surface/svi-jump-wings.ts";
