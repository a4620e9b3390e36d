/** Pure price arithmetic: everything Assay computes, without I/O and without a clock. */
export * from "./decimal.ts";
export * from "./observation.ts";
export * from "./spot-price.ts";
export * from "./symbols.ts";
