/** Every table. */
export * from "./accounts.ts";
export * from "./alerts.ts";
export * from "./market.ts";
export * from "./records.ts";
