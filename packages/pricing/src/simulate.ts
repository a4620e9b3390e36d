/** The simulated market: prices, bars, sources and currency rates as pure functions of time and seed. */
export { LAST_SIMULATED_YEAR } from "./market-levels.ts";
export { SIMULATED_SOURCE, simulatedBars } from "./simulate-bars.ts";
export { type FuturesMetal, simulatedCarry, simulatedFrontContract } from "./simulate-basis.ts";
export { simulatedBooks } from "./simulate-books.ts";
export { simulatedDealerSource, simulatedDealers, simulatedDealersSetting } from "./simulate-dealers.ts";
export { SIMULATED_DEALER_CURRENCIES, simulatedFx, simulatedFxReference } from "./simulate-fx.ts";
export type { SimulatedHours } from "./simulate-hours.ts";
export { type ChainOptions, simulatedExpiries, simulatedOptions } from "./simulate-options.ts";
export { simulatedPrice } from "./simulate-price.ts";
export { type QuoteOptions, simulatedQuotes, simulatedSources } from "./simulate-quotes.ts";
export type { SimulatedInstrument } from "./simulate-series.ts";
export { SIMULATED_SETTLEMENTS, simulatedSettlementMs, simulatedSettlements } from "./simulate-settlements.ts";
export { SIMULATED_RATE, type SimulatedSmile, simulatedSmile, smileProbAbove } from "./simulate-smile.ts";
