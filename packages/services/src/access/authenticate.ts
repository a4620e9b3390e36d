/**
 * Resolves the supplied key to the caller. A verified key is not asked for again for five seconds, and counts for a set time
 * while the store does not answer, so that an outage does not lock its owner out.
 */
import { timingSafeEqual } from "node:crypto";
import { type FailWith, TIER_REACH, type TierCatalog } from "@assay/contract";
import { findKeyByHash, type KeyRecord, readLiveKeyHashes, type Store } from "@assay/db";
import type { Live, Log } from "@assay/live";
import type { Clock } from "@assay/ports";
import { LRUCache } from "lru-cache";
import type { FailCounted } from "../call.ts";
import type { Caller } from "../context.ts";
import { hashKey, isKeyForm, KEY_LENGTH } from "./api-key.ts";
import { Guesses } from "./guesses.ts";
import { earlierEnd, keyState } from "./key-lifecycle.ts";

/**
 * How long a verified key is trusted without checking the store. Changes made here or received on the bus apply at once. A new tier
 * reaches the processes that miss the message within this time.
 */
const FRESH_MS = 5_000;
/** After a query that failed, trusted keys are not looked up for this long, so that they need not wait. */
const SILENCE_MS = 1_000;
const MAX_KEYS = 50_000;
/** How long a key that was not found counts as unknown, unless this process learns of it: a key minted elsewhere then works. */
const MISSED_MS = 5_000;
const MAX_MISSES = 10_000;

/** A key's record, and the name its organisation's requests are counted under. */
interface KnownKey extends KeyRecord {
  readonly limitKey: string;
}

interface Verified {
  readonly record: KnownKey;
  readonly verifiedAtMs: number;
  /** When it was last used, except for uses trusted during an outage. */
  seenAtMs: number;
}

interface Presented {
  readonly key: string;
  readonly keyHash: string;
  readonly ip: string;
}

/** What a look-up finds; `away` when the store does not answer. */
type Found = KnownKey | null | "away";

/** A look-up in progress; everyone who presents the key meanwhile waits for it. */
interface LookUp {
  readonly answer: Promise<Found>;
  /** An end received since the look-up started. */
  announcedEndMs: number | null;
  /** Whether anything about the key was received since. */
  isAnnounced: boolean;
}

/** How a key that cannot be verified is refused, and how an address that guesses too often is. */
export interface KeyFails {
  readonly fail: FailWith<"auth_unavailable">;
  readonly failCounted: FailCounted;
}

const sameHash = (left: string, right: string): boolean => {
  const a = Buffer.from(left, "hex");
  const b = Buffer.from(right, "hex");
  return a.length === b.length && timingSafeEqual(a, b);
};

/** The record with its end brought forward to the one received. */
const endingBy = <R extends KeyRecord>(record: R, endMs: number | null): R => ({
  ...record,
  revokedAtMs: earlierEnd(record.revokedAtMs, endMs),
});

/** Resolves supplied keys to callers. */
export class Authenticator {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #guesses: Guesses;
  readonly #catalog: Pick<TierCatalog, "keyless">;
  readonly #keyGraceMs: number;
  readonly #verified = new LRUCache<string, Verified>({ max: MAX_KEYS });
  /** Keys the store did not know, and when they were looked up. */
  readonly #missed = new LRUCache<string, number>({ max: MAX_MISSES });
  /** Keys the store held at the start, or whose minting was announced: looking them up does not count as guessing. */
  readonly #expected = new LRUCache<string, true>({ max: MAX_KEYS });
  readonly #lookUps = new Map<string, LookUp>();
  #used = new Map<string, number>();
  #silentUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: {
    store: Store;
    live: Pick<Live, "admissions">;
    clock: Clock;
    log: Log;
    catalog: Pick<TierCatalog, "keyless">;
    /** How long after its last use a key is trusted while the database does not respond. */
    keyGraceMs: number;
  }) {
    this.#store = options.store;
    this.#guesses = new Guesses(options.live.admissions);
    this.#clock = options.clock;
    this.#log = options.log;
    this.#catalog = options.catalog;
    this.#keyGraceMs = options.keyGraceMs;
  }

  /** The caller without a key: the one place where it gets its tier. */
  anonymous(ip: string): Caller {
    const { tier } = this.#catalog.keyless;
    return { tier, reach: TIER_REACH[tier], key: null, ip };
  }

  /**
   * The caller behind a key. Synchronous while the key is freshly verified.
   * @param fails receive rate_limit_exceeded when the key is not known here and its address has guessed too often;
   * auth_unavailable when the database does not respond and the key was not seen lately
   * @param isChanging asks the store even about a fresh key, and trusts none when it does not answer: one replaced or revoked a
   * moment ago must not change anything, even when the message about it was lost
   * @returns null for a bad key: malformed, unknown, revoked, expired, or of a suspended organisation
   */
  authenticate(key: string, ip: string, fails: KeyFails, isChanging = false): Caller | null | Promise<Caller | null> {
    if (key.length !== KEY_LENGTH) return null;
    const keyHash = hashKey(key);
    const known = this.#verified.get(keyHash);
    // A verified key has the right format; the checksum only saves the store from typos.
    if (!known && !isKeyForm(key)) return null;
    const nowMs = this.#clock();
    if (known && !isChanging && nowMs - known.verifiedAtMs < FRESH_MS) {
      known.seenAtMs = nowMs;
      return this.#caller(known.record, { key, keyHash, ip }, nowMs);
    }
    const trusted = nowMs < this.#silentUntilMs ? this.#trusted(keyHash, nowMs, isChanging) : "away";
    if (trusted !== "away") return this.#caller(trusted, { key, keyHash, ip }, nowMs);
    if (!known && this.#isMissed(keyHash, nowMs)) return null;
    const isExpected = known !== undefined || this.#expected.has(keyHash);
    const found = isExpected ? this.#lookUp(keyHash, ip, nowMs) : this.#lookUpUnknown(keyHash, ip, nowMs, fails);
    return found.then((answer) => {
      const record = answer === "away" ? this.#trusted(keyHash, nowMs, isChanging) : answer;
      if (record === "away") return fails.fail("auth_unavailable");
      return record && this.#caller(record, { key, keyHash, ip }, nowMs);
    });
  }

  /**
   * Loads the keys the store holds, most recently used first, so that keys in use keep working after a restart.
   * @throws StoreUnavailableError when the database does not respond
   */
  async expectKeys(): Promise<void> {
    const hashes = await readLiveKeyHashes(this.#store, this.#clock(), MAX_KEYS);
    for (const keyHash of hashes.reverse()) this.#expected.set(keyHash, true);
  }

  /** Records a new key, a key's new end, or that its organisation has another tier, from this process or the bus. */
  keyChanged(keyHash: string, revokedAtMs: number | null): void {
    this.#missed.delete(keyHash);
    if (revokedAtMs === null) this.#expected.set(keyHash, true);
    const lookUp = this.#lookUps.get(keyHash);
    if (lookUp) {
      lookUp.announcedEndMs = earlierEnd(lookUp.announcedEndMs, revokedAtMs);
      lookUp.isAnnounced = true;
    }
    const known = this.#verified.get(keyHash);
    if (known) {
      const record = endingBy(known.record, revokedAtMs);
      // Without an end it is something else that changed, such as the tier, which only the store knows.
      const verifiedAtMs = revokedAtMs === null ? Number.NEGATIVE_INFINITY : known.verifiedAtMs;
      this.#verified.set(keyHash, { ...known, record, verifiedAtMs });
    }
  }

  /** Returns which keys were used since the last call, with the time of the last use, and clears the list. */
  takeUsed(): ReadonlyMap<string, number> {
    const used = this.#used;
    this.#used = new Map();
    return used;
  }

  #isMissed(keyHash: string, nowMs: number): boolean {
    const missedAtMs = this.#missed.get(keyHash);
    return missedAtMs !== undefined && nowMs - missedAtMs < MISSED_MS;
  }

  /** What is known of a key that was seen lately; of none that is to change something. */
  #trusted(keyHash: string, nowMs: number, isChanging: boolean): KnownKey | "away" {
    const known = this.#verified.get(keyHash);
    return known && !isChanging && nowMs - known.seenAtMs < this.#keyGraceMs ? known.record : "away";
  }

  async #lookUpUnknown(keyHash: string, ip: string, nowMs: number, { failCounted }: KeyFails): Promise<Found> {
    const leave = await this.#guesses.enter(ip, nowMs, failCounted);
    try {
      // Another request may have presented it while this one waited for its turn.
      if (this.#isMissed(keyHash, nowMs)) return null;
      return this.#verified.get(keyHash)?.record ?? (await this.#lookUp(keyHash, ip, nowMs));
    } finally {
      leave();
    }
  }

  #lookUp(keyHash: string, ip: string, nowMs: number): Promise<Found> {
    const asked = this.#lookUps.get(keyHash);
    if (asked) return asked.answer;
    const answer = this.#verify(keyHash, ip, nowMs).finally(() => this.#lookUps.delete(keyHash));
    const lookUp: LookUp = { answer, announcedEndMs: null, isAnnounced: false };
    this.#lookUps.set(keyHash, lookUp);
    return lookUp.answer;
  }

  async #find(keyHash: string): Promise<KeyRecord | null> {
    const found = await findKeyByHash(this.#store, keyHash);
    // Minted during the look-up: it may have been stored just after the store was read.
    return found === null && this.#lookUps.get(keyHash)?.isAnnounced ? findKeyByHash(this.#store, keyHash) : found;
  }

  async #verify(keyHash: string, ip: string, nowMs: number): Promise<Found> {
    let found: KeyRecord | null;
    try {
      found = await this.#find(keyHash);
    } catch (error) {
      this.#log.error({ err: error }, "the key database does not respond");
      this.#silentUntilMs = this.#clock() + SILENCE_MS;
      return "away";
    }
    const { announcedEndMs = null, isAnnounced = false } = this.#lookUps.get(keyHash) ?? {};
    this.#silentUntilMs = Number.NEGATIVE_INFINITY;
    if (!found || !sameHash(found.keyHash, keyHash)) {
      this.#verified.delete(keyHash);
      if (!isAnnounced) this.#missed.set(keyHash, nowMs);
      await this.#guesses.count(ip);
      return null;
    }
    // The row may have been read just before the change was written.
    const record = { ...endingBy(found, announcedEndMs), limitKey: `org:${found.orgId}` };
    const verifiedAtMs = isAnnounced && announcedEndMs === null ? Number.NEGATIVE_INFINITY : nowMs;
    this.#verified.set(keyHash, { record, verifiedAtMs, seenAtMs: nowMs });
    return record;
  }

  #caller(record: KnownKey, { key, keyHash, ip }: Presented, nowMs: number): Caller | null {
    if (record.suspendedAtMs !== null || keyState(record, nowMs) === "revoked") return null;
    this.#used.set(record.id, nowMs);
    const { id, orgId, limitKey, revokedAtMs, expiresAtMs, tier } = record;
    const caller = { id, orgId, limitKey, hash: keyHash, revokedAtMs, expiresAtMs, plaintext: key };
    return { tier, reach: TIER_REACH[tier], key: caller, ip };
  }
}
