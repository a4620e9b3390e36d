/** What Assay asks of its live engines: latest values, a bus, a lease, limits, counters and places of streams. */
import type { BarRow, BeliefState, DealerTick, FxObservation, SettlementRow, Tick } from "@assay/pricing";
import type { SignalSet } from "./signals-document.ts";

/** Reads the time, epoch milliseconds. */
export type Clock = () => number;

/** Where live engines tell what went wrong; never a secret. Any pino logger is one. */
export interface LiveLog {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

/** A held lease. The token rises at each takeover; a write under an older one is refused. */
export interface LeaseToken {
  readonly holder: string;
  readonly token: number;
  /** Until when it is held, by the clock of whoever asked, counted from before the question left. */
  readonly expiresAtMs: number;
}

/** One holder at a time. */
export interface LeasePort {
  /**
   * Takes the lease when it is free or expired. A holder that asks again under its own name, as after a restart,
   * takes it over with a new token, and its former token is worth nothing.
   * @param holder a name no other process has
   * @param floor the highest token the store has seen; the new token is above it
   * @returns null while another holds it
   */
  acquire(holder: string, ttlMs: number, floor: number): Promise<LeaseToken | null>;
  /** Extends a held lease. Null when it was lost. */
  renew(held: LeaseToken, ttlMs: number): Promise<LeaseToken | null>;
  /** Gives it up; nothing happens when it was lost already. */
  release(held: LeaseToken): Promise<void>;
  /** Who holds it now. */
  current(): Promise<LeaseToken | null>;
}

/** What happens, as it is told to every process. */
export type MarketEvent =
  /** One composition: the ticks it published, the bars it changed, the rates it took in. */
  | {
      readonly kind: "moment";
      readonly token: number;
      readonly atMs: number;
      readonly ticks: readonly Tick[];
      readonly bars: readonly BarRow[];
      readonly fx: readonly FxObservation[];
      /** The futures settlements it took in; most moments have none. */
      readonly settlements?: readonly SettlementRow[];
      /** What is believed from now on, of the instruments of which that changed: it says which ticks may be shown. */
      readonly beliefs?: readonly BeliefState[];
    }
  /** Stored bars were replaced in bulk; whatever is kept of the series is to be read anew. */
  | { readonly kind: "bars-replaced"; readonly symbol: string }
  /** A key was made, was revoked, or its grace was set. */
  | { readonly kind: "key-changed"; readonly keyHash: string; readonly revokedAtMs: number | null }
  /** Dealers' quotes changed; they are stored by then, and of many at once the newest of each country may stand for all. */
  | { readonly kind: "dealer-quotes"; readonly token: number; readonly atMs: number; readonly quotes: readonly DealerTick[] }
  /** Stored surfaces of a metal were replaced; they are to be read anew. */
  | { readonly kind: "surfaces-replaced"; readonly metal: SignalSet["metal"] }
  /** The edges of a metal that stand from now on; none is told as well. */
  | ({ readonly kind: "signals"; readonly token: number } & SignalSet);

/** Events that a subscriber did not hear; what it keeps is to be read anew from the store. */
export interface BusGap {
  /**
   * `missed`: events were never told, or were dropped before this subscriber came to them.
   * `reset`: the engine lost its data, or could not be reached when the subscription began.
   */
  readonly reason: "missed" | "reset";
}

/** What a subscriber may ask for beside the events. */
export interface SubscribeOptions {
  /** Hears of a gap before the first event after it. */
  readonly onGap?: (gap: BusGap) => void;
}

/** Tells events to every process, in order. A reader that fell behind catches up. */
export interface BusPort {
  /** Tells an event. When it fails, subscribers hear of a gap before the next event. */
  publish(event: MarketEvent): Promise<void>;
  /**
   * Hears every event from now on, in order; a handler that throws is reported and harms no other.
   * @returns ends the subscription
   */
  subscribe(handler: (event: MarketEvent) => void, options?: SubscribeOptions): Promise<() => Promise<void>>;
}

/** Small documents of which only the newest counts, such as the feeds' health. */
export interface LatestPort {
  /**
   * Puts a value unless a newer one stands there: one of a higher token, or of the same token and a later instant.
   * @returns whether it was put
   */
  put(key: string, value: string, order: { readonly token: number; readonly atMs: number }): Promise<boolean>;
  get(key: string): Promise<string | null>;
  /** Fails when the engine does not answer. */
  ping(): Promise<void>;
}

/** What a limiter says of one request. */
export interface LimitReading {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until the window starts anew. */
  readonly resetInMs: number;
}

/** Fixed windows by key; a window starts with its first request. */
export interface LimiterPort {
  /**
   * Counts one request against a window. A refused request does not count.
   * @param windowMs whole seconds; the same key with another length is another window
   */
  consume(key: string, limit: number, windowMs: number): Promise<LimitReading> | LimitReading;
  /** Reads the window without counting; `allowed` says whether a request would pass. */
  peek(key: string, limit: number, windowMs: number): Promise<LimitReading> | LimitReading;
}

/** Metered calls of one organisation. */
export interface UsageReading {
  readonly today: number;
  readonly thisMonth: number;
}

/** What became of a call that was to be counted: the counts after it, and whether it is among them. */
export interface Reservation extends UsageReading {
  readonly allowed: boolean;
}

/** Exact counts of metered calls by UTC day and month. */
export interface CountersPort {
  /**
   * Counts one call unless the month's quota is used up, whether stored counts are loaded or not: for when they cannot be.
   * @param day UTC day, YYYY-MM-DD
   * @returns whether it was counted, and the counts after it
   */
  reserve(orgId: string, day: string, quota: number): Promise<Reservation> | Reservation;
  /**
   * Counts one call as `reserve` does, but only on loaded counts: whether they are, and the count, are one step.
   * @returns null, and nothing is counted, while the organisation's counts of that month are not loaded
   */
  reserveLoaded(orgId: string, day: string, quota: number): Promise<Reservation | null> | Reservation | null;
  /** Takes one counted call back, because its answer was not metered after all. */
  refund(orgId: string, day: string): Promise<void> | void;
  read(orgId: string, day: string): Promise<UsageReading> | UsageReading;
  /** Whether the organisation's counts of that month are loaded from the store. */
  isSeeded(orgId: string, day: string): Promise<boolean> | boolean;
  /**
   * Loads stored counts and adds what was counted here and is not settled yet; nothing happens when they are loaded already.
   * @param readStored reads the store; it is asked again when a settlement overlapped, so that every call is in exactly one of both
   * @throws what `readStored` throws; nothing is loaded then
   */
  seed(orgId: string, day: string, readStored: () => Promise<UsageReading>): Promise<void>;
  /**
   * Hands out what was counted since the last settlement, each call once.
   * @param write adds it to the store; it is not called when nothing was counted
   * @throws what `write` throws; what it was given is kept for the next settlement
   */
  settle(write: (deltas: readonly UsageDelta[]) => Promise<void>): Promise<void>;
}

/** Calls counted since the last settlement with the store. */
export interface UsageDelta {
  readonly orgId: string;
  readonly day: string;
  /** Never zero; negative when more was refunded than counted since then. */
  readonly calls: number;
}

/** Whose a stream is: a key's, and its organisation's. */
export interface StreamHolder {
  readonly keyId: string;
  readonly orgId: string;
}

/** How many streams may be open at once. */
export interface PlaceLimits {
  readonly perKey: number;
  /** Of all keys of the organisation together. */
  readonly perOrg: number;
}

/** One stream's place among those its key and organisation may have open. */
export interface StreamPlace extends StreamHolder {
  readonly id: string;
}

/** What became of a request for a place. */
export interface PlaceReading {
  /** Null when the key, or its organisation, has as many open as it may. */
  readonly place: StreamPlace | null;
  /** Streams of the key that are open now, this one included. */
  readonly open: number;
  /**
   * How long ago, in milliseconds, the quietest of the other processes that hold places of the organisation was heard of: one that was
   * killed is counted until it has been quiet for too long. 0 when no other process holds any.
   */
  readonly silenceMs: number;
}

/** Open streams of each key and organisation, over all processes. A process that dies frees its places within seconds. */
export interface PlacesPort {
  /** Takes a place unless the key, or its organisation, has as many streams open as it may. */
  take(holder: StreamHolder, limits: PlaceLimits): Promise<PlaceReading> | PlaceReading;
  /** Gives a place back; nothing happens when it was given back already. */
  giveBack(place: StreamPlace): Promise<void> | void;
  /** Streams of the key that are open now. */
  count(holder: StreamHolder): Promise<number> | number;
}

/** The live engines of one process. */
export interface Live {
  readonly kind: "memory" | "redis";
  readonly lease: LeasePort;
  readonly bus: BusPort;
  readonly latest: LatestPort;
  readonly limiter: LimiterPort;
  readonly counters: CountersPort;
  readonly places: PlacesPort;
  close(): Promise<void>;
}
