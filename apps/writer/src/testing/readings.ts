/** A source and its readings of gold, for the desks' suites. */
import type { SourceInfo, SpotObservation } from "@assay/pricing";

/** A source that is polled every minute. */
export const source = (key: string, role: SourceInfo["role"] = "primary"): SourceInfo => ({
  key,
  displayName: key,
  license: "simulated",
  role,
  intervalMs: 60_000,
  freshForMs: role === "council" ? 36 * 3_600_000 : 180_000,
});

/** Its reading of gold, in USD per troy ounce. */
export const gold = (key: string, price: string, observedAtMs: number): SpotObservation => ({
  kind: "spot",
  source: key,
  instrument: "XAU-USD-SPOT",
  price,
  observedAtMs,
});
