/** Every table. */
export { apiKeys } from "./api-keys.ts";
export { archives } from "./archives.ts";
export { bars } from "./bars.ts";
export { beliefs } from "./beliefs.ts";
export { dealerQuotes } from "./dealer-quotes.ts";
export { feedRuns } from "./feed-runs.ts";
export { fxTables } from "./fx-tables.ts";
export { historyGaps } from "./history-gaps.ts";
export { idempotencyKeys } from "./idempotency-keys.ts";
export { imports } from "./imports.ts";
export { organisations } from "./organisations.ts";
export { serviceSecrets } from "./service-secrets.ts";
export { settlements } from "./settlements.ts";
export { surfaces } from "./surfaces.ts";
export { ticks } from "./ticks.ts";
export { usageDaily } from "./usage-daily.ts";
export { writerFence } from "./writer-fence.ts";
