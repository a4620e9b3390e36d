/** What suites share: a clock, rows, keys, stores. The route suite is in `./suite`. */
export * from "@assay/ports/virtual";
export * from "./clock.ts";
export * from "./rows.ts";
export * from "./store.ts";
