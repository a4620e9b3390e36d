/** What suites share: a clock, rows, keys, stores. The route suite is in `./suite`. */
export * from "./breakable-store.ts";
export * from "./clock.ts";
export * from "./keys.ts";
export * from "./publish.ts";
export * from "./rows.ts";
export * from "./surfaces.ts";
export * from "./wire/strict-schema.ts";
