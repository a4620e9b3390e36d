/** The simulated market: prices, bars, sources and currency rates as pure functions of time and seed. */

export { simulatedDealerSource, simulatedDealers, simulatedDealersSetting } from "./dealers/dealers.ts";
export { SIMULATED_SOURCE, simulatedBars } from "./prices/bars.ts";
export { SIMULATED_DEALER_CURRENCIES, simulatedFx, simulatedFxReference } from "./prices/fx.ts";
export { simulatedPrice } from "./prices/price.ts";
export { type QuoteOptions, simulatedQuotes, simulatedSources } from "./prices/quotes.ts";
export { SIMULATED_SETTLEMENTS, simulatedSettlementMs, simulatedSettlements } from "./prices/settlements.ts";
export { type FuturesMetal, simulatedCarry, simulatedFrontContract } from "./series/basis.ts";
export type { SimulatedHours } from "./series/hours.ts";
export { LAST_SIMULATED_YEAR } from "./series/levels.ts";
export type { SimulatedInstrument } from "./series/series.ts";
export { type SimulatedOptions, simulatedSource } from "./source.ts";
export { simulatedBooks } from "./venues/books.ts";
export { type ChainOptions, simulatedExpiries, simulatedOptions } from "./venues/options.ts";
export { SIMULATED_RATE, type SimulatedSmile, simulatedSmile, smileProbAbove } from "./venues/smile.ts";
