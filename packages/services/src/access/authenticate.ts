/**
 * Resolves the supplied key to the caller. Verified keys are cached for a minute, so that a store outage does not lock them
 * out.
 */
import { timingSafeEqual } from "node:crypto";
import { type FailWith, TIER_REACH } from "@assay/contract";
import { findKeyByHash, type KeyRecord, readLiveKeyHashes, type Store } from "@assay/db";
import type { Clock, Live, Log } from "@assay/live";
import { LRUCache } from "lru-cache";
import type { Caller } from "../context.ts";
import { hashKey, isKeyForm, KEY_LENGTH } from "./api-key.ts";
import { Guesses } from "./guesses.ts";
import { earlierEnd, keyState } from "./key-lifecycle.ts";
import type { FailCounted } from "./limits.ts";

/** How long a verified key is trusted without checking the store. Changes made here or received on the bus apply at once. */
const FRESH_MS = 5_000;
/** How long after its last verification a key is trusted while the database does not respond. */
const OUTAGE_MS = 60_000;
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

/** A look-up in progress; everyone who presents the key meanwhile waits for it. */
interface Question {
  readonly answer: Promise<KnownKey>;
  /** An end received since the look-up started. */
  heardEndMs: number | null;
  /** Whether anything about the key was received since. */
  isHeardOf: boolean;
}

type FailKey = FailWith<"invalid_api_key" | "auth_unavailable">;

/** How a key is refused, and how an address that guesses too often is. */
export interface KeyFails {
  readonly fail: FailKey;
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
  readonly #verified = new LRUCache<string, Verified>({ max: MAX_KEYS });
  /** Keys the store did not know, and when they were looked up. */
  readonly #missed = new LRUCache<string, number>({ max: MAX_MISSES });
  /** Keys the store held at the start, or whose minting was announced: looking them up does not count as guessing. */
  readonly #expected = new LRUCache<string, true>({ max: MAX_KEYS });
  readonly #questions = new Map<string, Question>();
  #used = new Map<string, number>();
  #silentUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: { store: Store; live: Pick<Live, "admissions">; clock: Clock; log: Log }) {
    this.#store = options.store;
    this.#guesses = new Guesses(options.live.admissions);
    this.#clock = options.clock;
    this.#log = options.log;
  }

  /** The caller without a key. */
  anonymous(ip: string): Caller {
    return { tier: "free", reach: TIER_REACH.free, key: null, ip };
  }

  /**
   * The caller behind a key. Synchronous while the key is freshly verified.
   * @param fail receives invalid_api_key when the key is malformed, unknown or revoked; rate_limit_exceeded when it is not
   * known here and its address has guessed too often; auth_unavailable when the database does not respond and the key was not
   * seen in the last minute
   */
  authenticate(key: string, ip: string, fails: KeyFails): Caller | Promise<Caller> {
    const { fail } = fails;
    if (key.length !== KEY_LENGTH) return fail("invalid_api_key");
    const keyHash = hashKey(key);
    const known = this.#verified.get(keyHash);
    // A verified key has the right format; the checksum only saves the store from typos.
    if (!known && !isKeyForm(key)) return fail("invalid_api_key");
    const nowMs = this.#clock();
    if (known && nowMs - known.verifiedAtMs < FRESH_MS) {
      known.seenAtMs = nowMs;
      return this.#caller(known.record, key, keyHash, ip, nowMs, fail);
    }
    if (known && nowMs < this.#silentUntilMs && nowMs - known.seenAtMs < OUTAGE_MS) {
      return this.#caller(known.record, key, keyHash, ip, nowMs, fail);
    }
    if (!known && this.#isMissed(keyHash, nowMs)) return fail("invalid_api_key");
    const record =
      known || this.#expected.has(keyHash) ? this.#ask(keyHash, ip, nowMs, fail) : this.#askOfUnknown(keyHash, ip, nowMs, fails);
    return record.then((found) => this.#caller(found, key, keyHash, ip, nowMs, fail));
  }

  /**
   * Loads the keys the store holds, most recently used first, so that keys in use keep working after a restart.
   * @throws StoreUnavailableError when the database does not respond
   */
  async expectKeys(): Promise<void> {
    const hashes = await readLiveKeyHashes(this.#store, this.#clock(), MAX_KEYS);
    for (const keyHash of hashes.reverse()) this.#expected.set(keyHash, true);
  }

  /** Records a new key, or a key's new end, from this process or the bus. */
  keyChanged(keyHash: string, revokedAtMs: number | null): void {
    this.#missed.delete(keyHash);
    if (revokedAtMs === null) this.#expected.set(keyHash, true);
    const question = this.#questions.get(keyHash);
    if (question) {
      question.heardEndMs = earlierEnd(question.heardEndMs, revokedAtMs);
      question.isHeardOf = true;
    }
    const known = this.#verified.get(keyHash);
    if (known) this.#verified.set(keyHash, { ...known, record: endingBy(known.record, revokedAtMs) });
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

  async #askOfUnknown(keyHash: string, ip: string, nowMs: number, { fail, failCounted }: KeyFails): Promise<KnownKey> {
    const leave = await this.#guesses.enter(ip, nowMs, failCounted);
    try {
      // Another request may have presented it while this one waited for its turn.
      if (this.#isMissed(keyHash, nowMs)) return fail("invalid_api_key");
      return this.#verified.get(keyHash)?.record ?? (await this.#ask(keyHash, ip, nowMs, fail));
    } finally {
      leave();
    }
  }

  #ask(keyHash: string, ip: string, nowMs: number, fail: FailKey): Promise<KnownKey> {
    const asked = this.#questions.get(keyHash);
    if (asked) return asked.answer;
    const answer = this.#verify(keyHash, ip, nowMs, fail).finally(() => this.#questions.delete(keyHash));
    const question: Question = { answer, heardEndMs: null, isHeardOf: false };
    this.#questions.set(keyHash, question);
    return question.answer;
  }

  async #find(keyHash: string): Promise<KeyRecord | null> {
    const found = await findKeyByHash(this.#store, keyHash);
    // Minted during the look-up: it may have been stored just after the store was read.
    return found === null && this.#questions.get(keyHash)?.isHeardOf ? findKeyByHash(this.#store, keyHash) : found;
  }

  async #verify(keyHash: string, ip: string, nowMs: number, fail: FailKey): Promise<KnownKey> {
    let found: KeyRecord | null;
    try {
      found = await this.#find(keyHash);
    } catch (error) {
      this.#log.error({ err: error }, "the key database does not respond");
      this.#silentUntilMs = this.#clock() + SILENCE_MS;
      const known = this.#verified.get(keyHash);
      if (known && nowMs - known.seenAtMs < OUTAGE_MS) return known.record;
      return fail("auth_unavailable");
    }
    const { heardEndMs = null, isHeardOf = false } = this.#questions.get(keyHash) ?? {};
    this.#silentUntilMs = Number.NEGATIVE_INFINITY;
    if (!found || !sameHash(found.keyHash, keyHash)) {
      this.#verified.delete(keyHash);
      if (!isHeardOf) this.#missed.set(keyHash, nowMs);
      await this.#guesses.count(ip);
      return fail("invalid_api_key");
    }
    // The row may have been read just before its end was written.
    const record = { ...endingBy(found, heardEndMs), limitKey: `org:${found.orgId}` };
    this.#verified.set(keyHash, { record, verifiedAtMs: nowMs, seenAtMs: nowMs });
    return record;
  }

  #caller(record: KnownKey, key: string, keyHash: string, ip: string, nowMs: number, fail: FailKey): Caller {
    if (keyState(record, nowMs) === "revoked") return fail("invalid_api_key");
    this.#used.set(record.id, nowMs);
    const { id, orgId, limitKey, revokedAtMs, tier } = record;
    return { tier, reach: TIER_REACH[tier], key: { id, orgId, limitKey, hash: keyHash, revokedAtMs, plaintext: key }, ip };
  }
}
