/** Parses OCC option symbols: root, day, right and strike. */
import type { DecimalText } from "@assay/contract";
import { dec, NEW_YORK, wallTimeMs } from "@assay/pricing";
import { FeedError } from "../../feed/error.ts";
import { isPublishedFigure } from "../../payload/published.ts";

/** An option, as described by its symbol. */
export interface OccOption {
  readonly root: string;
  /** When trading ends: 16:00 in New York. */
  readonly expiresAtMs: number;
  readonly right: "call" | "put";
  /** Exact, in dollars. */
  readonly strike: DecimalText;
}

const SYMBOL = /^([A-Z]{1,5}[0-9]?)([0-9]{2})([0-9]{2})([0-9]{2})([CP])([0-9]{8})$/;
const CLOSE_MS = 16 * 3_600_000;

/**
 * Parses `GLD260925C00400000`: GLD, 25 September 2026, call, 400.000 dollars. A root that ends in a digit belongs to adjusted
 * options, which have another deliverable than the fund.
 * @throws FeedError when it is not such a symbol
 */
export const readOccSymbol = (symbol: string): OccOption => {
  const [, root = "", year, month, day, right, thousandths = "0"] = SYMBOL.exec(symbol) ?? [];
  const expiry = `20${year}-${month}-${day}`;
  const strike = dec(thousandths).div(1_000).toFixed();
  const midnight = new Date(Date.UTC(Number(`20${year}`), Number(month) - 1, Number(day)));
  const isDay = midnight.getUTCMonth() === Number(month) - 1 && midnight.getUTCDate() === Number(day);
  if (!isDay || !isPublishedFigure(strike)) {
    throw new FeedError("payload", "unexpected option: must be a symbol such as GLD260925C00400000");
  }
  return { root, expiresAtMs: wallTimeMs(NEW_YORK, expiry, CLOSE_MS), right: right === "C" ? "call" : "put", strike };
};
