/** The sources of a term: which of them are clocked, and when the market they quote is open. */
import { type ClockedSource, marketStateAt, type SourceInfo } from "@assay/pricing";
import type { LeadershipOptions } from "./term-options.ts";

/** Sources that follow the clock instead of being polled. */
export const clockedSourcesOf = ({
  simulated,
  replay,
}: Pick<LeadershipOptions, "simulated" | "replay">): readonly ClockedSource[] =>
  [simulated?.source, replay].filter((source) => source != null);

/** Every source, by key. */
export const sourcesOf = (options: Pick<LeadershipOptions, "polled" | "simulated" | "replay">): ReadonlyMap<string, SourceInfo> =>
  new Map<string, SourceInfo>([
    ...options.polled.flatMap(({ feed }) => feed.sources.map((source): [string, SourceInfo] => [source.key, source])),
    ...clockedSourcesOf(options).flatMap((source) => [...source.sources]),
  ]);

/** Whether the market is open at an instant. */
export const isOpenOf =
  ({ marketHours }: Pick<LeadershipOptions, "marketHours">) =>
  (atMs: number): boolean =>
    !marketHours || marketStateAt(atMs).open;
