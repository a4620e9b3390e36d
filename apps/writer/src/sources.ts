/** Where prices come from, as the settings say. */
import { FEED_KEYS, loadReplay, replaySource, selectFeeds, simulatedSource } from "@assay/feeds";
import type { SimulatedHours } from "@assay/pricing";
import type { LeadershipOptions } from "./leadership.ts";

/** Keys of the feeds a setting may name. */
export const KNOWN_FEEDS: readonly string[] = FEED_KEYS;

/** The settings that matter here. */
export interface SourceSettings {
  readonly feeds: string;
  readonly simSeed: number;
  readonly simHours: SimulatedHours;
}

/** What a writer reads from. */
export type Sources = Pick<LeadershipOptions, "polled" | "replay" | "simulated" | "marketHours"> & {
  /** Whether no real price is among them. */
  readonly rehearsal: boolean;
  readonly warnings: readonly string[];
};

/**
 * Chooses the sources.
 * @throws FeedSettingError for a setting that cannot be used, ReplayError for a malformed line
 */
export const chooseSources = async (
  settings: SourceSettings,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Sources> => {
  const simulation = { seed: settings.simSeed, hours: settings.simHours };
  const selection = selectFeeds(settings.feeds, env);
  return {
    polled: selection.feeds,
    replay: selection.replayFile === null ? null : replaySource(await loadReplay(selection.replayFile)),
    simulated: selection.simulated ? { source: simulatedSource(simulation), ...simulation } : null,
    marketHours: selection.live || settings.simHours === "market",
    rehearsal: !selection.live,
    warnings: selection.warnings,
  };
};
