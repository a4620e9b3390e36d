/** Where prices come from, as the settings say. */
import { loadReplay, type SelectedFeed, selectFeeds } from "@assay/feeds";
import type { SimulatedHours } from "@assay/pricing";
import { type ClockedSource, replaySource, simulatedSource } from "./clocked-source.ts";
import type { LeadershipOptions } from "./leadership.ts";

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

const isPolled = ({ feed }: SelectedFeed): boolean => feed.kind !== "simulated";

/**
 * Chooses the sources.
 * @throws FeedSettingError for a setting that cannot be used, ReplayError for a malformed line
 */
export const chooseSources = async (
  settings: SourceSettings,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Sources> => {
  const options = { seed: settings.simSeed, hours: settings.simHours };
  const selection = selectFeeds(settings.feeds, env, options);
  const simulatedFeed = selection.feeds.find((selected) => !isPolled(selected));
  const replay: ClockedSource | null =
    selection.replayFile === null ? null : replaySource(await loadReplay(selection.replayFile));
  return {
    polled: selection.feeds.filter(isPolled),
    replay,
    simulated: simulatedFeed
      ? { source: simulatedSource(options.seed, options.hours, simulatedFeed.feed.sources), ...options }
      : null,
    marketHours: selection.live || settings.simHours === "market",
    rehearsal: !selection.live,
    warnings: selection.warnings,
  };
};
