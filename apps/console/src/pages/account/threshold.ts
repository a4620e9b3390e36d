/** What the threshold of an alert has to be, so that it is refused where it is typed. */
import { Decimal } from "@assay/sdk";

/** What an alert watches for. */
export type Kind = "above" | "below" | "moved" | "stale";

/** The least percentage that a price can be watched to move by. */
export const LEAST_PERCENT = "0.01";

/**
 * Why an amount is no threshold; null when it is one.
 * @param amount decimal text, not negative
 */
export const thresholdFault = (kind: Kind, amount: string): "zero" | "too_little" | null => {
  const threshold = new Decimal(amount);
  if (threshold.isZero()) return "zero";
  return kind === "moved" && threshold.lt(LEAST_PERCENT) ? "too_little" : null;
};
