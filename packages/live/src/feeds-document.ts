/** How the writer tells every process of its feeds: one small document in `latest`. */

/** The key it stands under. */
export const FEEDS_DOCUMENT_KEY = "feeds";

/** One feed's health. */
export interface FeedHealthEntry {
  readonly required: boolean;
  readonly expectedIntervalMs: number;
  readonly lastSuccessAtMs: number | null;
  readonly consecutiveFailures: number;
  readonly rejectedObservations: number;
  /** One word: the class of the last failure, or the rule of the last refusal. */
  readonly lastError: string | null;
  /** The country whose dealers it reads; left out for other feeds. */
  readonly country?: string;
}

/** How the writer fares with the yearly archives. */
export interface ArchivesHealth {
  /** Years that are still to be built; null before the first look. */
  readonly pending: number | null;
  /** Years built in this term. */
  readonly built: number;
  readonly lastBuiltAtMs: number | null;
  /** The class of what stopped the last try, as one word; null when nothing did. */
  readonly lastError: string | null;
}

/** The health of every feed the writer runs. */
export interface FeedsDocument {
  readonly atMs: number;
  /** Whether any of them is the simulated market. */
  readonly simulated: boolean;
  readonly feeds: Readonly<Record<string, FeedHealthEntry>>;
  /** Null or left out where no archives are kept. */
  readonly archives?: ArchivesHealth | null;
}
