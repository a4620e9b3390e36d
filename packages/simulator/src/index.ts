/** The simulated market: prices, bars, sources and currency rates as pure functions of time and seed. */
export { simulatedDealers } from "./dealers/dealers.ts";
export { SIMULATED_REFERENCE, simulatedFx, simulatedFxReference } from "./prices/fx.ts";
export { SIMULATED_SOURCE, simulatedBars, simulatedPrice } from "./prices/price.ts";
export { simulatedQuotes, simulatedSources } from "./prices/quotes.ts";
export { SIMULATED_SETTLEMENTS, simulatedSettlements } from "./prices/settlements.ts";
export type { SimulatedHours } from "./series/series.ts";
export { simulatedSource } from "./source.ts";
export { simulatedBooks } from "./venues/books.ts";
export { simulatedOptions } from "./venues/options.ts";
