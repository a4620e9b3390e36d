/** The series a bar route was asked for, after the tier check. */
import { BAR_SYMBOLS, type BarSymbol, type FailWith, type Interval } from "@assay/contract";
import { readBarSymbol } from "@assay/pricing";
import { requireBars } from "../access/gate.ts";
import type { Caller } from "../context.ts";

/** Refuses one parameter as invalid. */
export const refuseParameter = (fail: FailWith<"validation_error">, name: string, message: string): never =>
  fail("validation_error", { issues: [{ path: ["query", name], code: "invalid_value", message }] });

/** Parses a series' name and refuses one outside the caller's tier. */
export const requireSeries = (
  text: string,
  interval: Interval,
  caller: Caller,
  fail: FailWith<"validation_error" | "plan_gated">,
): BarSymbol => {
  const symbol =
    readBarSymbol(text) ?? refuseParameter(fail, "symbol", `must name a series with bars: ${BAR_SYMBOLS.join(", ")}`);
  requireBars(caller, symbol, interval, fail);
  return symbol;
};

/** The instant bars are seen as of: Infinity for callers without delay, who see the current forming bar. */
export const barsAsOf = (caller: Caller, asOfMs: number): number =>
  caller.reach.delayMs === 0 ? Number.POSITIVE_INFINITY : asOfMs;
