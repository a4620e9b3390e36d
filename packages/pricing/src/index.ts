/** Pure price arithmetic: everything Assay computes, without I/O and without a clock. */
export * from "./aggregate-bars.ts";
export * from "./bars.ts";
export * from "./compose.ts";
export * from "./decimal.ts";
export {
  divideExact,
  type Exact,
  type Fraction,
  fraction,
  multiplyExact,
  toDecimal,
  toFixedText,
  toSignificantText,
} from "./fraction.ts";
export * from "./freshness.ts";
export * from "./fx-cross.ts";
export * from "./fx-state.ts";
export * from "./observation.ts";
export * from "./scaled.ts";
export * from "./spot-price.ts";
export * from "./symbols.ts";
