/** Selects the sources of prices from the settings. */
import { FEED_KEYS, loadReplay, replaySource, selectFeeds } from "@assay/feeds";
import { openSimulatedMarket, type Simulation } from "./simulated/market.ts";
import type { LeadershipOptions } from "./term/term-options.ts";

export const KNOWN_FEEDS: readonly string[] = FEED_KEYS;

interface SourceSettings {
  readonly feeds: string;
  readonly simSeed: number;
  readonly simHours: Simulation["hours"];
  readonly simHistoryDays: number;
}

export type Sources = Pick<LeadershipOptions, "polled" | "replay" | "simulated" | "marketHours"> & {
  /** Whether all prices are simulated or replayed. */
  readonly rehearsal: boolean;
  readonly warnings: readonly string[];
};

/**
 * Selects the sources.
 * @throws FeedSettingError for an invalid setting, ReplayError for a malformed line
 */
export const chooseSources = async (
  settings: SourceSettings,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Sources> => {
  const { simSeed: seed, simHours: hours, simHistoryDays: historyDays } = settings;
  const selection = selectFeeds(settings.feeds, env);
  return {
    polled: selection.feeds,
    replay: selection.replayFile === null ? null : replaySource(await loadReplay(selection.replayFile)),
    simulated: selection.simulated ? openSimulatedMarket({ seed, hours, historyDays }) : null,
    marketHours: selection.live || hours === "market",
    rehearsal: !selection.live,
    warnings: selection.warnings,
  };
};
