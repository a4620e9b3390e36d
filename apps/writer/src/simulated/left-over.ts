/** Says that a service on real feeds has a database in which a simulated market left its past. */
import { hasBarsOf, type Store } from "@assay/db";
import { SIMULATED_SOURCE } from "@assay/simulator";
import type { WriterLog } from "../writer-log.ts";

/**
 * Logs a warning when real prices would continue simulated bars. They are not removed: whoever mixed them knows which to keep.
 * The simulated past always has daily bars of gold.
 */
export const warnOfLeftOverBars = async (store: Store, log: Pick<WriterLog, "warn" | "fault">): Promise<void> => {
  try {
    const isMixed = await hasBarsOf(store, { symbol: "XAU-USD-SPOT", interval: "1d", sourceId: SIMULATED_SOURCE });
    if (isMixed)
      log.warn(
        "the database has simulated bars of an earlier start: bars, ratios and archives mix them with real prices; use a new DATA_DIR or DATABASE_URL for real feeds",
      );
  } catch (error) {
    log.fault(error, "failed to look for simulated bars");
  }
};
