/** The status of the feeds, as the writer publishes it. */
import type { FeedHealth, FeedRunner } from "@assay/feeds";
import { type ArchivesHealth, FEEDS_DOCUMENT_KEY, type FeedHealthEntry, type FeedsDocument, type Live } from "@assay/live";
import type { ClockedSource } from "@assay/pricing";

/** The status of clocked sources: refusals by source. */
export interface ClockedHealth {
  readonly source: ClockedSource;
  readonly refused: ReadonlyMap<
    string,
    { readonly count: number; readonly last: string; readonly byRule: Readonly<Record<string, number>> }
  >;
}

const polledEntry = (health: FeedHealth, country?: string): FeedHealthEntry => ({
  required: health.required,
  expectedIntervalMs: health.expectedIntervalMs,
  lastSuccessAtMs: health.lastSuccessAtMs,
  consecutiveFailures: health.consecutiveFailures,
  rejectedObservations: health.rejectedObservations,
  rejectedByRule: health.rejectedByRule,
  lastError: health.lastError,
  ...(country ? { country } : {}),
});

const clockedEntries = ({ source, refused }: ClockedHealth, nowMs: number): [string, FeedHealthEntry][] =>
  [...source.sources.values()].map((info) => [
    info.key,
    {
      required: info.required,
      expectedIntervalMs: info.intervalMs,
      lastSuccessAtMs: source.lastSpokeMs(info.key, nowMs),
      consecutiveFailures: 0,
      rejectedObservations: refused.get(info.key)?.count ?? 0,
      rejectedByRule: refused.get(info.key)?.byRule ?? {},
      lastError: refused.get(info.key)?.last ?? null,
      ...(info.country ? { country: info.country } : {}),
    },
  ]);

/** Builds the report. */
export const feedsDocument = (
  runners: readonly FeedRunner[],
  clocked: readonly ClockedHealth[],
  archives: ArchivesHealth | null,
  nowMs: number,
): FeedsDocument => ({
  atMs: nowMs,
  simulated: clocked.some((each) => each.source.simulated),
  replayed: clocked.some((each) => !each.source.simulated),
  archives,
  feeds: Object.fromEntries([
    ...runners.map((runner): [string, FeedHealthEntry] => [runner.key, polledEntry(runner.health(), runner.country)]),
    ...clocked.flatMap((each) => clockedEntries(each, nowMs)),
  ]),
});

/** Publishes the report; a newer writer's is never overwritten. */
export const publishFeeds = async (live: Live, document: FeedsDocument, token: number): Promise<void> => {
  await live.latest.put(FEEDS_DOCUMENT_KEY, JSON.stringify(document), { token, atMs: document.atMs });
};
