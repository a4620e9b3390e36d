/** Pure price arithmetic: everything Assay computes, without I/O and without a clock. */
export { PAUSED_MEMORY } from "./alerts/afresh.ts";
export * from "./alerts/alert.ts";
export { type FirstMove, firstMove } from "./alerts/first-move.ts";
export { type AlertCursor, Judge, type JudgeMarket, type NumberedAlert } from "./alerts/judge.ts";
export { type AlertOwner, alertPaused, ownerPaused, type PausedReason, viewOf } from "./alerts/rights.ts";
export { type JudgedTick, KEEP_TICKS_MS } from "./alerts/tick-memory.ts";
export { firstMemory } from "./alerts/watch.ts";
export * from "./bars/aggregate.ts";
export * from "./bars/bar.ts";
export * from "./bars/history-gap.ts";
export * from "./bars/ratios.ts";
export * from "./bars/validate.ts";
export * from "./bars/withdrawn.ts";
export * from "./belief/belief-state.ts";
export * from "./belief/believe.ts";
export { freshAsBelieved, tickAsBelieved, withDoubts } from "./belief/doubt.ts";
export { bandBps, isSamePrice } from "./belief/voices.ts";
export * from "./conventions/exchange-calendar.ts";
export * from "./conventions/symbols.ts";
export * from "./conventions/units.ts";
export * from "./conventions/written-time.ts";
export * from "./conventions/zoned-time.ts";
export * from "./counter/quote.ts";
export * from "./dealers/dealer-quote.ts";
export * from "./dealers/validate.ts";
export * from "./futures/forward-curve.ts";
export * from "./futures/futures-contract.ts";
export * from "./futures/settlement.ts";
export { type FxRate, fxRate, pastRate } from "./fx/cross.ts";
export * from "./fx/day-pair.ts";
export { publishedMs, REFERENCE_SERVES_MS } from "./fx/published.ts";
export * from "./fx/rate-set.ts";
export * from "./fx/reference-history.ts";
export * from "./fx/tables.ts";
export * from "./fx/validate.ts";
export * from "./number/exact.ts";
export { partitionPoint } from "./number/partition-point.ts";
export * from "./number/present.ts";
export * from "./number/scaled.ts";
export {
  type FrozenLimit,
  type FrozenRun,
  frozenRun,
  isFrozen,
  type KnownReading,
  knownReadings,
  nextChangeMs,
  originOf,
  SPOT_FROZEN,
} from "./readings/freshness.ts";
export * from "./readings/observation.ts";
export * from "./readings/source-record.ts";
export * from "./readings/validation.ts";
export { type ArbitrageSignal, arbitrageSignals, type SignalLeg } from "./signals/arbitrage.ts";
export {
  askLevels,
  type BookLevel,
  bidLevels,
  bookFromBids,
  type DigitalMarket,
  type FeeSchedule,
  type FeeTerms,
  feesOf,
  kalshiFees,
  type MarketReading,
  marketFrom,
  polymarketFees,
  type YesBook,
} from "./signals/digital-market.ts";
export * from "./spot/compose.ts";
export * from "./spot/convert.ts";
export * from "./spot/price-source.ts";
export * from "./spot/reference-price.ts";
export * from "./spot/standing-price.ts";
export * from "./spot/validate.ts";
export * from "./spot/weight-price.ts";
export { blackCall, oneTouch } from "./surface/black.ts";
export { basisFromRate } from "./surface/digital-curve.ts";
export * from "./surface/option-chain.ts";
export {
  defaultHorizon,
  type HorizonEntry,
  type HorizonSurface,
  horizonIndex,
  probabilitySurface,
  type SurfaceInput,
} from "./surface/surface.ts";
export { type SviSlice, sliceOf, sviVariance, withoutButterflies } from "./surface/svi.ts";
