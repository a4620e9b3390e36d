/** The simulated market: prices, bars, sources and currency rates as pure functions of time and seed. */
export { LAST_SIMULATED_YEAR } from "./market-levels.ts";
export { SIMULATED_SOURCE, simulatedBars } from "./simulate-bars.ts";
export { type FuturesMetal, simulatedCarry, simulatedFrontContract } from "./simulate-basis.ts";
export { SIMULATED_DEALER_CURRENCIES, simulatedFx, simulatedFxReference } from "./simulate-fx.ts";
export type { SimulatedHours } from "./simulate-hours.ts";
export { simulatedPrice } from "./simulate-price.ts";
export { type QuoteOptions, simulatedQuotes, simulatedSources } from "./simulate-quotes.ts";
export type { SimulatedInstrument } from "./simulate-series.ts";
export { SIMULATED_SETTLEMENTS, simulatedSettlementMs, simulatedSettlements } from "./simulate-settlements.ts";
