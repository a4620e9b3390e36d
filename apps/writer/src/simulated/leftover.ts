/** Simulated prices of an earlier start, which real ones must not be mixed with. */
import { spotSymbol } from "@assay/catalogue";
import { SettingError } from "@assay/config";
import { hasBarsOf, type Store } from "@assay/db";
import { SIMULATED_SOURCE } from "@assay/simulator";
import type { Sources } from "../sources.ts";

/**
 * Keeps made-up prices apart from real ones: their bars, ticks and rates would be answered as if they were of a market.
 * @param feeds the setting, for the message
 * @throws SettingError for real feeds on a database that has simulated bars
 */
export const refuseSimulatedPast = async (store: Store, { polled }: Pick<Sources, "polled">, feeds: string): Promise<void> => {
  if (polled.length === 0) return;
  if (await hasBarsOf(store, { symbol: spotSymbol("XAU"), interval: "1d", sourceId: SIMULATED_SOURCE }))
    throw new SettingError({
      variable: "FEEDS",
      value: feeds,
      mayHold: "real feeds with a database of their own: name a new DATA_DIR or DATABASE_URL",
      because: "the database has simulated prices of an earlier start, which would be mixed with real ones",
    });
};
