/** The writer's report on its feeds to every process: one small document in `latest`. */

/** Its key. */
export const FEEDS_DOCUMENT_KEY = "feeds";

/** One feed's health. */
export interface FeedHealthEntry {
  readonly required: boolean;
  readonly expectedIntervalMs: number;
  readonly lastSuccessAtMs: number | null;
  readonly consecutiveFailures: number;
  readonly rejectedObservations: number;
  /** The same by rule. */
  readonly rejectedByRule?: Readonly<Record<string, number>>;
  /** One word: the class of the last failure, or the rule of the last refusal. */
  readonly lastError: string | null;
  /** The country whose dealers it reads; omitted for other feeds. */
  readonly country?: string;
}

/** Progress of the yearly archives. */
export interface ArchivesHealth {
  /** Years still to be built; null before the first check. */
  readonly pending: number | null;
  /** Years built since this writer took the lease. */
  readonly built: number;
  readonly lastBuiltAtMs: number | null;
  /** The class of the last attempt's failure, as one word; null when it succeeded. */
  readonly lastError: string | null;
}

/** The health of every feed the writer runs. */
export interface FeedsDocument {
  readonly atMs: number;
  /** Whether any of them is the simulated market. */
  readonly simulated: boolean;
  /** Whether any of them is a replay file; omitted by earlier versions. */
  readonly replayed?: boolean;
  readonly feeds: Readonly<Record<string, FeedHealthEntry>>;
  /** Null or omitted where no archives are kept. */
  readonly archives?: ArchivesHealth | null;
}
