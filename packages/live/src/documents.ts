/**
 * The small documents that the writers keep in `latest`: the feeds' health, when each dealer's product was last read, a metal's
 * signals, and a standby's announcement.
 */
import type { LatestPort, Live, SignalSet } from "./ports.ts";

export const FEEDS_DOCUMENT_KEY = "feeds";

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

export interface ArchivesHealth {
  /** Years still to be built; null before the first check. */
  readonly pending: number | null;
  /** Years built since this writer took the lease. */
  readonly built: number;
  readonly lastBuiltAtMs: number | null;
  /** The class of the last attempt's failure, as one word; null when it succeeded. */
  readonly lastError: string | null;
}

/** An instrument whose price no central bank's daily price supports, and the sources of those. */
export interface OffReference {
  readonly instrument: string;
  readonly sources: readonly string[];
}

/** The health of every feed the writer runs. */
export interface FeedsDocument {
  readonly atMs: number;
  readonly simulated: boolean;
  /** Whether any of them is a replay file; omitted by earlier versions. */
  readonly replayed?: boolean;
  readonly feeds: Readonly<Record<string, FeedHealthEntry>>;
  /** Null or omitted where no archives are kept. */
  readonly archives?: ArchivesHealth | null;
  /** Whether the database refuses the writer's writes; omitted by earlier versions. */
  readonly refusesWrites?: boolean;
  /** Omitted by earlier versions. */
  readonly offReference?: readonly OffReference[];
  /** The instruments whose prices a required feed makes; omitted by earlier versions. */
  readonly required?: readonly string[];
}

export const DEALERS_DOCUMENT_KEY = "dealers";

/** A product that has not been read for this long counts as discontinued, in milliseconds. */
export const PRODUCT_GONE_AFTER_MS = 7 * 86_400_000;

/** The last reading of one product, all in milliseconds. Rereading an unchanged quote publishes no event but keeps it fresh. */
export interface ProductReading {
  readonly fetchedAtMs: number;
  /** When the dealer published it. */
  readonly observedAtMs: number;
  /** The last instant at which it is fresh, unless it is read again. */
  readonly freshUntilMs: number;
}

/** When each dealer's product was last read: by country, then by the product's id. */
export type DealersDocument = Readonly<Record<string, Readonly<Record<string, ProductReading>>>>;

/** Reads the document; empty before the first reading. */
export const readDealers = async (latest: LatestPort): Promise<DealersDocument> => {
  const text = await latest.get(DEALERS_DOCUMENT_KEY);
  return text === null ? {} : JSON.parse(text); // written by our own writer in this shape
};

/** Processes that start between two changes read a metal's signals here. A set that is not republished within this time has expired: its writer is gone. */
export const SIGNALS_LAST_MS = 120_000;

export const signalsKey = (metal: SignalSet["metal"]): string => `signals:${metal}`;

/** Reads a metal's signals; null before the first publish. */
export const readSignals = async (latest: LatestPort, metal: SignalSet["metal"]): Promise<SignalSet | null> => {
  const text = await latest.get(signalsKey(metal));
  return text === null ? null : JSON.parse(text); // written by our own writer in this shape
};

const STANDBYS_KEY = "standbys";

/**
 * Announces that this process reached the database and could write if it held the lease: a leader without it can hand over.
 * @param text differs from the one announced before
 */
export const announceStandby = async ({ latest }: Pick<Live, "latest">, text: string): Promise<void> => {
  // The newest stands, whatever its writer's clock says.
  await latest.put(STANDBYS_KEY, text, { token: 0, atMs: 0 });
};

/** The newest announcement; null when there is none, or when it cannot be read. */
export const readStandby = ({ latest }: Pick<Live, "latest">): Promise<string | null> =>
  latest.get(STANDBYS_KEY).catch(() => null);
