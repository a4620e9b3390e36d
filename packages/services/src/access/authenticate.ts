/** From the supplied key to the caller. Verified keys are kept for a minute, so that a store outage does not lock them out. */
import { timingSafeEqual } from "node:crypto";
import { Refusal, TIER_REACH } from "@assay/contract";
import { findKeyByHash, type KeyRecord, readLiveKeyHashes, type Store } from "@assay/db";
import type { Live } from "@assay/live";
import { LRUCache } from "lru-cache";
import type { Caller, Clock, ServiceLog } from "../context.ts";
import { hashKey, isKeyForm, KEY_LENGTH } from "./api-key.ts";
import { Guesses } from "./guesses.ts";
import { earlierEnd, keyState } from "./key-lifecycle.ts";

/** How long a verified key is trusted without a look at the store. Changes made here or heard on the bus count at once. */
const FRESH_MS = 5_000;
/** How long after it was last seen a verified key is trusted while the store does not answer. */
const OUTAGE_MS = 60_000;
/** After a question without an answer, keys that are trusted anyway are not asked about for this long: they need not wait. */
const SILENCE_MS = 1_000;
const MAX_KEYS = 50_000;
/** How long a key that was not found is taken for unknown, unless this process hears of it: one that was made elsewhere works then. */
const MISSED_MS = 5_000;
const MAX_MISSES = 10_000;

interface Verified {
  readonly record: KeyRecord;
  readonly verifiedAtMs: number;
  /** When it last came, but for what it is trusted with during an outage. */
  seenAtMs: number;
}

/** A look at the store that is under way; all who present the key meanwhile wait for the same one. */
interface Question {
  readonly answer: Promise<KeyRecord>;
  /** An end heard of since it was asked. */
  heardEndMs: number | null;
  /** Whether anything was heard of the key since. */
  isHeardOf: boolean;
}

const sameHash = (left: string, right: string): boolean => {
  const a = Buffer.from(left, "hex");
  const b = Buffer.from(right, "hex");
  return a.length === b.length && timingSafeEqual(a, b);
};

/** A record that ends no later than was heard. */
const endingBy = (record: KeyRecord, endMs: number | null): KeyRecord => ({
  ...record,
  revokedAtMs: earlierEnd(record.revokedAtMs, endMs),
});

/** Turns supplied keys into callers. */
export class Authenticator {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: ServiceLog;
  readonly #guesses: Guesses;
  readonly #verified = new LRUCache<string, Verified>({ max: MAX_KEYS });
  /** Keys the store did not know, and when it was asked. */
  readonly #missed = new LRUCache<string, number>({ max: MAX_MISSES });
  /** Keys the store held at the start, or that were heard of when they were made: they are no guesses, whoever guesses beside them. */
  readonly #expected = new LRUCache<string, true>({ max: MAX_KEYS });
  readonly #questions = new Map<string, Question>();
  #used = new Map<string, number>();
  #silentUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: { store: Store; live: Pick<Live, "limiter">; clock: Clock; log: ServiceLog }) {
    this.#store = options.store;
    this.#guesses = new Guesses(options.live.limiter);
    this.#clock = options.clock;
    this.#log = options.log;
  }

  /** The caller without a key. */
  anonymous(ip: string): Caller {
    return { tier: "free", reach: TIER_REACH.free, key: null, ip };
  }

  /**
   * The caller behind a key. Synchronous while the key is freshly verified.
   * @throws Refusal invalid_api_key when the key is malformed, unknown or revoked; rate_limit_exceeded when it is not known here
   * and its address has guessed too often; auth_unavailable when the store does not answer and the key was not seen in the last
   * minute
   */
  authenticate(key: string, ip: string): Caller | Promise<Caller> {
    if (key.length !== KEY_LENGTH) throw new Refusal("invalid_api_key");
    const keyHash = hashKey(key);
    const known = this.#verified.get(keyHash);
    // A key that was verified had the form: the checksum, which spares the store the typos, is for the others.
    if (!known && !isKeyForm(key)) throw new Refusal("invalid_api_key");
    const nowMs = this.#clock();
    if (known && nowMs - known.verifiedAtMs < FRESH_MS) {
      known.seenAtMs = nowMs;
      return this.#caller(known.record, key, keyHash, ip, nowMs);
    }
    if (known && nowMs < this.#silentUntilMs && nowMs - known.seenAtMs < OUTAGE_MS) {
      return this.#caller(known.record, key, keyHash, ip, nowMs);
    }
    if (!known && this.#isMissed(keyHash, nowMs)) throw new Refusal("invalid_api_key");
    const record = known || this.#expected.has(keyHash) ? this.#ask(keyHash, ip, nowMs) : this.#askOfUnknown(keyHash, ip, nowMs);
    return record.then((found) => this.#caller(found, key, keyHash, ip, nowMs));
  }

  /**
   * Learns which keys the store holds, those used last first, so that the keys in use go on after a start as they did before.
   * @throws StoreUnavailableError when the store does not answer
   */
  async expectKeys(): Promise<void> {
    const hashes = await readLiveKeyHashes(this.#store, this.#clock(), MAX_KEYS);
    for (const keyHash of hashes.reverse()) this.#expected.set(keyHash, true);
  }

  /** Takes in a new key, or a key's new end, from this process or the bus. */
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

  /** Hands over which keys were used since the last call, with the time of the last use. */
  takeUsed(): ReadonlyMap<string, number> {
    const used = this.#used;
    this.#used = new Map();
    return used;
  }

  #isMissed(keyHash: string, nowMs: number): boolean {
    const missedAtMs = this.#missed.get(keyHash);
    return missedAtMs !== undefined && nowMs - missedAtMs < MISSED_MS;
  }

  async #askOfUnknown(keyHash: string, ip: string, nowMs: number): Promise<KeyRecord> {
    const leave = await this.#guesses.enter(ip, nowMs);
    try {
      // Others may have presented it while this one waited for its turn.
      if (this.#isMissed(keyHash, nowMs)) throw new Refusal("invalid_api_key");
      return this.#verified.get(keyHash)?.record ?? (await this.#ask(keyHash, ip, nowMs));
    } finally {
      leave();
    }
  }

  #ask(keyHash: string, ip: string, nowMs: number): Promise<KeyRecord> {
    const asked = this.#questions.get(keyHash);
    if (asked) return asked.answer;
    const answer = this.#verify(keyHash, ip, nowMs).finally(() => this.#questions.delete(keyHash));
    const question: Question = { answer, heardEndMs: null, isHeardOf: false };
    this.#questions.set(keyHash, question);
    return question.answer;
  }

  async #find(keyHash: string): Promise<KeyRecord | null> {
    const found = await findKeyByHash(this.#store, keyHash);
    // Made while it was looked for: it may have been stored just after the store was read.
    return found === null && this.#questions.get(keyHash)?.isHeardOf ? findKeyByHash(this.#store, keyHash) : found;
  }

  async #verify(keyHash: string, ip: string, nowMs: number): Promise<KeyRecord> {
    let found: KeyRecord | null;
    try {
      found = await this.#find(keyHash);
    } catch (error) {
      this.#log.error({ err: error }, "the store of keys does not answer");
      this.#silentUntilMs = this.#clock() + SILENCE_MS;
      const known = this.#verified.get(keyHash);
      if (known && nowMs - known.seenAtMs < OUTAGE_MS) return known.record;
      throw new Refusal("auth_unavailable");
    }
    const { heardEndMs = null, isHeardOf = false } = this.#questions.get(keyHash) ?? {};
    this.#silentUntilMs = Number.NEGATIVE_INFINITY;
    if (!found || !sameHash(found.keyHash, keyHash)) {
      this.#verified.delete(keyHash);
      if (!isHeardOf) this.#missed.set(keyHash, nowMs);
      await this.#guesses.count(ip);
      throw new Refusal("invalid_api_key");
    }
    // The row may have been read just before its end was written.
    const record = endingBy(found, heardEndMs);
    this.#verified.set(keyHash, { record, verifiedAtMs: nowMs, seenAtMs: nowMs });
    return record;
  }

  #caller(record: KeyRecord, key: string, keyHash: string, ip: string, nowMs: number): Caller {
    if (keyState(record, nowMs) === "revoked") throw new Refusal("invalid_api_key");
    this.#used.set(record.id, nowMs);
    return {
      tier: record.tier,
      reach: TIER_REACH[record.tier],
      key: { id: record.id, orgId: record.orgId, hash: keyHash, revokedAtMs: record.revokedAtMs, plaintext: key },
      ip,
    };
  }
}
