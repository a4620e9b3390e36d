/** The series a bar route was asked for, gated. */
import { BAR_SYMBOLS, type BarSymbol, type Interval } from "@assay/contract";
import { readBarSymbol } from "@assay/pricing";
import { requireBars } from "../access/gate.ts";
import type { Caller } from "../context.ts";

type RefuseInvalid = (code: "validation_error", detail: { issues: { path: string[]; code: string; message: string }[] }) => never;

/** Refuses one parameter as invalid. */
export const refuseParameter = (fail: RefuseInvalid, name: string, message: string): never =>
  fail("validation_error", { issues: [{ path: ["query", name], code: "invalid_value", message }] });

/** Reads a series' name and refuses what the caller's tier does not hold. */
export const requireSeries = (text: string, interval: Interval, caller: Caller, fail: RefuseInvalid): BarSymbol => {
  const symbol =
    readBarSymbol(text) ?? refuseParameter(fail, "symbol", `must name a series with bars: ${BAR_SYMBOLS.join(", ")}`);
  requireBars(caller, symbol, interval);
  return symbol;
};

/** The instant bars are seen as of: Infinity for callers without delay, who see the forming bar as it stands. */
export const barsAsOf = (caller: Caller, asOfMs: number): number =>
  caller.reach.delayMs === 0 ? Number.POSITIVE_INFINITY : asOfMs;
