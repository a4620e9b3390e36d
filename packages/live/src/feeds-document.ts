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
  readonly lastError: string | null;
}

/** The health of every feed the writer runs. */
export interface FeedsDocument {
  readonly atMs: number;
  /** Whether any of them is the simulated market. */
  readonly simulated: boolean;
  readonly feeds: Readonly<Record<string, FeedHealthEntry>>;
}
