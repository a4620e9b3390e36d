/** Selects the sources of prices from the settings. */
import type { Settings } from "@assay/config";
import { FEED_KEYS, loadReplay, replaySource, selectFeeds } from "@assay/feeds";
import { openSimulatedMarket } from "./simulated/market.ts";
import type { LeadershipOptions } from "./term/term-options.ts";

export const KNOWN_FEEDS: readonly string[] = FEED_KEYS;

type SourceSettings = Pick<Settings, "feeds" | "simSeed" | "simHours" | "simHistoryDays" | "marketHours">;

export type Sources = Pick<LeadershipOptions, "polled" | "replay" | "simulated" | "marketHours"> & {
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
  const { simSeed: seed, simHours: hours, simHistoryDays: historyDays, marketHours } = settings;
  const selection = selectFeeds(settings.feeds.text, env);
  return {
    polled: selection.feeds,
    replay: selection.replayFile === null ? null : replaySource(await loadReplay(selection.replayFile)),
    simulated: selection.simulated ? openSimulatedMarket({ seed, hours, historyDays }) : null,
    marketHours,
    warnings: selection.warnings,
  };
};
