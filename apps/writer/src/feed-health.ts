/** The status of the feeds, as the writer publishes it, and the readings the rules refuse, which it counts. */
import type { FeedRunner } from "@assay/feeds";
import {
  type ArchivesHealth,
  FEEDS_DOCUMENT_KEY,
  type FeedHealthEntry,
  type FeedsDocument,
  type Live,
  type OffReference,
} from "@assay/live";
import type { ClockedSource, Instrument } from "@assay/pricing";
import type { SourceRecorder } from "./record/source-recorder.ts";
import type { WriterLog } from "./writer-log.ts";

export class Refusals {
  readonly #log: WriterLog;
  readonly #clocked: readonly {
    readonly source: ClockedSource;
    readonly refused: Map<string, { count: number; last: string; byRule: Record<string, number> }>;
  }[];
  #runners: readonly FeedRunner[] = [];

  constructor(clocked: readonly ClockedSource[], log: WriterLog) {
    this.#log = log;
    this.#clocked = clocked.map((source) => ({ source, refused: new Map() }));
  }

  /** Polled feeds count their own. */
  watch(runners: readonly FeedRunner[]): void {
    this.#runners = runners;
  }

  get clocked(): readonly ClockedHealth[] {
    return this.#clocked;
  }

  refuse(source: string, rule: string, detail: string): void {
    const runner = this.#runners.find(({ key }) => key === source);
    if (runner) {
      runner.refuse(rule, detail);
      return;
    }
    const clocked = this.#clocked.find((each) => each.source.sources.has(source));
    const before = clocked?.refused.get(source);
    const byRule = { ...before?.byRule, [rule]: (before?.byRule[rule] ?? 0) + 1 };
    clocked?.refused.set(source, { count: (before?.count ?? 0) + 1, last: rule, byRule });
    this.#log.feed({ kind: "refused", feed: source, rule, detail });
  }
}

/** The status of clocked sources: refusals by source. */
interface ClockedHealth {
  readonly source: ClockedSource;
  readonly refused: ReadonlyMap<
    string,
    { readonly count: number; readonly last: string; readonly byRule: Readonly<Record<string, number>> }
  >;
}

/** A source whose readings are all refused is down, however promptly it speaks, as a polled feed is. */
const clockedEntries = (
  { source, refused }: ClockedHealth,
  record: Reported["record"],
  nowMs: number,
): [string, FeedHealthEntry][] =>
  [...source.sources.values()].map((info) => {
    const { lastAcceptedAtMs = null, refusals = 0 } = record.deliveriesOf(info.key) ?? {};
    return [
      info.key,
      {
        required: info.required,
        expectedIntervalMs: info.intervalMs,
        lastSuccessAtMs: refusals > 0 ? lastAcceptedAtMs : source.lastSpokeMs(info.key, nowMs),
        consecutiveFailures: refusals,
        rejectedObservations: refused.get(info.key)?.count ?? 0,
        rejectedByRule: refused.get(info.key)?.byRule ?? {},
        lastError: refused.get(info.key)?.last ?? null,
        ...(info.country ? { country: info.country } : {}),
      },
    ];
  });

export interface Reported {
  readonly runners: readonly FeedRunner[];
  readonly clocked: readonly ClockedHealth[];
  readonly record: Pick<SourceRecorder, "deliveriesOf">;
  readonly archives: ArchivesHealth | null;
  readonly offReference: readonly OffReference[];
  readonly refusesWrites: boolean;
}

/** The instruments whose prices required feeds make; what is only listed beside a price makes none. */
const requiredInstruments = (runners: readonly FeedRunner[], clocked: readonly ClockedHealth[]): readonly Instrument[] => {
  const sources = [
    ...runners.flatMap((runner) => (runner.required ? runner.sources : [])),
    ...clocked.flatMap(({ source }) => [...source.sources.values()].filter(({ required }) => required)),
  ];
  return [...new Set(sources.flatMap(({ role, instruments = [] }) => (role === "informational" ? [] : instruments)))];
};

export const feedsDocument = (
  { runners, clocked, record, archives, offReference, refusesWrites }: Reported,
  nowMs: number,
): FeedsDocument => ({
  atMs: nowMs,
  simulated: clocked.some((each) => each.source.simulated),
  replayed: clocked.some((each) => !each.source.simulated),
  archives,
  offReference,
  refusesWrites,
  required: requiredInstruments(runners, clocked),
  feeds: Object.fromEntries([
    ...runners.map((runner): [string, FeedHealthEntry] => [
      runner.key,
      { ...runner.health(), ...(runner.country && { country: runner.country }) },
    ]),
    ...clocked.flatMap((each) => clockedEntries(each, record, nowMs)),
  ]),
});

/** Publishes the report; a newer writer's is never overwritten. */
export const publishFeeds = async (live: Live, document: FeedsDocument, token: number): Promise<void> => {
  await live.latest.put(FEEDS_DOCUMENT_KEY, JSON.stringify(document), { token, atMs: document.atMs });
};
