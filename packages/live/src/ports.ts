/** The ports of the live engines: latest values, bus, lease, counters, admissions and stream places. */
import type {
  ArbitrageSignal,
  BarRow,
  BeliefState,
  DayPair,
  DealerTick,
  FxObservation,
  RateSet,
  SettlementRow,
  Tick,
} from "@assay/pricing";

/** A held lease. The token rises with each takeover; writes under an older token are refused. */
export interface LeaseToken {
  readonly holder: string;
  readonly token: number;
  /** When it expires, by the caller's clock, measured from before the request was sent. */
  readonly expiresAtMs: number;
}

/** One holder at a time. */
export interface LeasePort {
  /**
   * Takes the lease when it is free or expired. A holder that asks again under its own name, as after a restart, takes it over
   * with a new token, and its former token becomes invalid.
   * @param holder a name unique to this process
   * @param floor the highest token the store has seen; the new token is above it
   * @returns null while another process holds it
   */
  acquire(holder: string, ttlMs: number, floor: number): Promise<LeaseToken | null>;
  /** Extends a held lease; null when it was lost. */
  renew(held: LeaseToken, ttlMs: number): Promise<LeaseToken | null>;
  /** Releases the lease; does nothing when it was already lost. */
  release(held: LeaseToken): Promise<void>;
  current(): Promise<LeaseToken | null>;
}

/** The arbitrage signals of a metal at an instant. */
export interface SignalSet {
  readonly metal: ArbitrageSignal["metal"];
  readonly signals: readonly ArbitrageSignal[];
  readonly atMs: number;
}

/** Events, published to every process. */
export type MarketEvent =
  /** One composition: the ticks it published, the bars it changed, the rates it received. */
  | {
      readonly kind: "moment";
      readonly token: number;
      readonly atMs: number;
      readonly ticks: readonly Tick[];
      readonly bars: readonly BarRow[];
      readonly fx: readonly FxObservation[];
      /** The revision of the ledger that its closed bars and settlements have; absent when it has none, and from older writers. */
      readonly revision?: number;
      /** The rates that stand beside its ticks, when no earlier ticks have these. */
      readonly rateSets?: readonly RateSet[];
      /** The days that begin with its ticks. */
      readonly dayPairs?: readonly DayPair[];
      /** The futures settlements it received; usually none. */
      readonly settlements?: readonly SettlementRow[];
      /** The new belief state of every instrument whose state changed; it decides which ticks may be shown. */
      readonly beliefs?: readonly BeliefState[];
    }
  /** Stored bars were replaced in bulk; discard any cache of the series and read it again. */
  | { readonly kind: "bars-replaced"; readonly symbol: string }
  /** Older bars were filled in; read again which are missing, and discard any cache of series that had gaps. */
  | { readonly kind: "history-filled" }
  /** Settlements were stored in bulk; read them again. */
  | { readonly kind: "settlements-replaced" }
  /** A key was created or revoked, its grace period was set, or its organisation has another tier. */
  | { readonly kind: "key-changed"; readonly keyHash: string; readonly revokedAtMs: number | null }
  /** Dealers' quotes changed and are stored. When there are many, the event may carry only the newest of each country. */
  | { readonly kind: "dealer-quotes"; readonly token: number; readonly atMs: number; readonly quotes: readonly DealerTick[] }
  /** Stored surfaces of a metal were replaced; read them again. */
  | { readonly kind: "surfaces-replaced"; readonly metal: SignalSet["metal"] }
  /** The current arbitrage signals of a metal; also published when there are none. */
  | ({ readonly kind: "signals"; readonly token: number } & SignalSet);

/** A gap: the subscriber missed events and must reload what it caches from the store. */
export interface BusGap {
  /**
   * `missed`: events were never published, or were trimmed before this subscriber read them. `reset`: the engine lost its data,
   * or was unreachable when the subscription began.
   */
  readonly reason: "missed" | "reset";
}

export interface SubscribeOptions {
  /** Called with a gap, before the first event after it. */
  readonly onGap?: (gap: BusGap) => void;
}

/** Publishes events to every process, in order. A reader that fell behind catches up. */
export interface BusPort {
  /** Publishes an event. On failure, subscribers are notified of a gap before the next event. */
  publish(event: MarketEvent): Promise<void>;
  /**
   * Subscribes to every event from now on, in order; a handler that throws is reported and does not affect others.
   * @returns ends the subscription
   */
  subscribe(handler: (event: MarketEvent) => void, options?: SubscribeOptions): Promise<() => Promise<void>>;
}

/** Small documents of which only the newest version matters, such as the feeds' health. */
export interface LatestPort {
  /**
   * Stores a value unless a newer one exists: one with a higher token, or with the same token and a later instant.
   * @returns whether it was stored
   */
  put(key: string, value: string, order: { readonly token: number; readonly atMs: number }): Promise<boolean>;
  get(key: string): Promise<string | null>;
  /** Rejects when the engine does not answer. */
  ping(): Promise<void>;
}

/** A window that a call is counted against. It is fixed, and begins with its first call. */
export interface CallWindow {
  readonly key: string;
  readonly limit: number;
  /** Whole seconds; the same key with another length is another window. */
  readonly windowMs: number;
}

export interface LimitReading {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until the window resets. */
  readonly resetInMs: number;
}

export interface UsageReading {
  readonly today: number;
  readonly thisMonth: number;
}

/** The outcome of counting one call: the counts after it, and whether it was counted. */
export interface Reservation extends UsageReading {
  readonly allowed: boolean;
}

/** Exact counts of metered calls by UTC day and month. */
export interface CountersPort {
  /**
   * Counts one call unless the month's quota is used up, even when stored counts are not loaded, for when the store is
   * unavailable.
   * @param day UTC day, YYYY-MM-DD
   * @returns whether it was counted, and the counts after it
   */
  reserve(orgId: string, day: string, quota: number): Promise<Reservation> | Reservation;
  /**
   * Like `reserve`, but only when the counts are loaded; the check and the count are atomic.
   * @returns null, and nothing is counted, while the organisation's counts of that month are not loaded
   */
  reserveLoaded(orgId: string, day: string, quota: number): Promise<Reservation | null> | Reservation | null;
  /** Takes one counted call back, because its answer turned out not to be metered. */
  refund(orgId: string, day: string): Promise<void> | void;
  read(orgId: string, day: string): Promise<UsageReading> | UsageReading;
  /** Whether the organisation's counts for that month are loaded from the store. */
  isSeeded(orgId: string, day: string): Promise<boolean> | boolean;
  /**
   * Loads stored counts and adds the unsettled local ones; does nothing when they are already loaded.
   * @param readStored reads the store; called again when a settlement overlapped, so that every call is counted exactly once
   * @throws what `readStored` throws; nothing is loaded then
   */
  seed(orgId: string, day: string, readStored: () => Promise<UsageReading>): Promise<void>;
  /**
   * Passes on the calls counted since the last settlement, each exactly once.
   * @param write adds them to the store; not called when there are none
   * @throws what `write` throws; the calls are kept for the next settlement
   */
  settle(write: (deltas: readonly UsageDelta[]) => Promise<void>): Promise<void>;
}

/** Calls counted since the last settlement with the store. */
export interface UsageDelta {
  readonly orgId: string;
  readonly day: string;
  /** Never zero; negative when more calls were refunded than counted. */
  readonly calls: number;
}

export interface CallMonth {
  readonly orgId: string;
  /** UTC day, YYYY-MM-DD. */
  readonly day: string;
  readonly quota: number;
  /** Whether it counts against the quota; the month is only read otherwise. */
  readonly isMetered: boolean;
}

/** A reading for each window, in their order. */
export type LimitReadings<W extends readonly CallWindow[]> = { readonly [At in keyof W]: LimitReading };

export interface Admission<W extends readonly CallWindow[] = readonly CallWindow[]> {
  /** The call was counted when all allow it. */
  readonly windows: LimitReadings<W>;
  /**
   * The month; `allowed` is whether the call was counted in it. Null without a month, and while the organisation's counts of that
   * month are not loaded: nothing is counted in it then.
   */
  readonly usage: Reservation | null;
}

/** Calls counted against windows and in a month, in one step. */
export interface AdmissionsPort {
  /**
   * Counts a call against all of its windows if every one has room, or else against none; then, if it is metered and was admitted,
   * `CountersPort.reserveLoaded`.
   * @param windows different ones
   * @param month of a call with a key
   */
  admit<const W extends readonly CallWindow[]>(windows: W, month: CallMonth | null): Promise<Admission<W>> | Admission<W>;
  /** Reads a window without counting; `allowed` is whether another call would pass. */
  peek(window: CallWindow): Promise<LimitReading> | LimitReading;
}

/** The key and organisation that a stream belongs to. */
export interface StreamHolder {
  readonly keyId: string;
  readonly orgId: string;
}

export interface PlaceLimits {
  readonly perKey: number;
  /** Across all keys of the organisation. */
  readonly perOrg: number;
}

/** One stream's slot in its key's and organisation's limits. */
export interface StreamPlace extends StreamHolder {
  readonly id: string;
}

export interface PlaceReading {
  /** Null when the key or its organisation is at its limit. */
  readonly place: StreamPlace | null;
  /** Open streams of the key, including this one. */
  readonly open: number;
  /**
   * Milliseconds since the last heartbeat of the quietest other process with places of the organisation: a killed process is
   * counted until it times out. 0 when no other process has any.
   */
  readonly silenceMs: number;
}

/** Open streams per key and organisation, across processes. Places of a process that died are freed within seconds. */
export interface PlacesPort {
  /** Takes a place unless the key or its organisation is at its limit. */
  take(holder: StreamHolder, limits: PlaceLimits): Promise<PlaceReading> | PlaceReading;
  /** Releases a place; does nothing when it was already released. */
  giveBack(place: StreamPlace): Promise<void> | void;
  /** Open streams of the key. */
  count(holder: StreamHolder): Promise<number> | number;
}

/** Runs a call of an engine, to time or trace it. */
export type CallWrapper = <T>(work: () => Promise<T>) => Promise<T>;

export interface Live {
  readonly kind: "memory" | "redis";
  readonly lease: LeasePort;
  readonly bus: BusPort;
  readonly latest: LatestPort;
  readonly counters: CountersPort;
  readonly admissions: AdmissionsPort;
  readonly places: PlacesPort;
  /** Why the shared engine fails, or has refused commands within seconds, in one word: this process then counts for itself. */
  outage(): string | null;
  close(): Promise<void>;
}
