/** Pure price arithmetic: everything Assay computes, without I/O and without a clock. */
export * from "./aggregate-bars.ts";
export * from "./bars.ts";
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
export * from "./compose.ts";
export * from "./compose-moment.ts";
export * from "./convert.ts";
export * from "./dealer-quote.ts";
export * from "./decimal.ts";
export * from "./exchange-calendar.ts";
export * from "./forward-curve.ts";
export {
  divideExact,
  type Exact,
  type Fraction,
  fraction,
  multiplyExact,
  toDecimal,
  toFixedText,
  toSignificantText,
} from "./fraction.ts";
export * from "./freshness.ts";
export * from "./frozen.ts";
export * from "./futures-contract.ts";
export * from "./fx-cross.ts";
export { type FxLeg, legOf } from "./fx-leg.ts";
export { BGN_PER_EUR, USD_PEGS } from "./fx-pegs.ts";
export { REFERENCE_SERVES_MS } from "./fx-reference.ts";
export * from "./fx-state.ts";
export * from "./karat.ts";
export * from "./market-hours.ts";
export * from "./observation.ts";
export * from "./premium.ts";
export { finenessOf } from "./premium-fineness.ts";
export * from "./premium-gate.ts";
export * from "./present.ts";
export { type PriceBounds, priceBoundsAt } from "./price-bounds.ts";
export * from "./ratios.ts";
export * from "./reference-history.ts";
export * from "./scaled.ts";
export * from "./settlement.ts";
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
export * from "./simulate.ts";
export * from "./spot-price.ts";
export * from "./staleness.ts";
export * from "./standing-price.ts";
export { basisFromRate } from "./surface/basis-from-rate.ts";
export { defaultHorizon, type HorizonEntry, horizonIndex } from "./surface/horizons.ts";
export type { OptionChain, OptionExpiry, OptionQuote } from "./surface/option-chain.ts";
export { chainsFrom, expiryOf, type OptionReading } from "./surface/option-reading.ts";
export { type HorizonSurface, probabilitySurface, type SurfaceInput } from "./surface/surface.ts";
export * from "./symbols.ts";
export * from "./units.ts";
export * from "./validate-bar.ts";
export * from "./validate-fx.ts";
export * from "./validate-settlement.ts";
export * from "./validate-spot.ts";
export * from "./validation.ts";
export * from "./withdrawn-bars.ts";
export * from "./zoned-time.ts";
