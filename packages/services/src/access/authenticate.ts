/** From the supplied key to the caller. Verified keys are kept for a minute, so that a store outage does not lock them out. */
import { timingSafeEqual } from "node:crypto";
import { Refusal, TIER_REACH } from "@assay/contract";
import { findKeyByHash, type KeyRecord, type Store } from "@assay/db";
import { LRUCache } from "lru-cache";
import type { Caller, Clock, ServiceLog } from "../context.ts";
import { hashKey, isKeyForm } from "./api-key.ts";

/** How long a verified key is trusted without a look at the store. Changes made here or heard on the bus count at once. */
const FRESH_MS = 5_000;
/** How long a verified key is trusted while the store does not answer. */
const OUTAGE_MS = 60_000;
const MAX_KEYS = 50_000;

interface Verified {
  readonly record: KeyRecord;
  readonly verifiedAtMs: number;
}

const sameHash = (left: string, right: string): boolean => {
  const a = Buffer.from(left, "hex");
  const b = Buffer.from(right, "hex");
  return a.length === b.length && timingSafeEqual(a, b);
};

/** Turns supplied keys into callers. */
export class Authenticator {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: ServiceLog;
  readonly #verified = new LRUCache<string, Verified>({ max: MAX_KEYS });
  #used = new Map<string, number>();

  constructor(options: { store: Store; clock: Clock; log: ServiceLog }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  /** The caller without a key. */
  anonymous(ip: string): Caller {
    return { tier: "free", reach: TIER_REACH.free, key: null, ip };
  }

  /**
   * The caller behind a key. Synchronous while the key is freshly verified.
   * @throws Refusal invalid_api_key when the key is malformed, unknown or revoked; auth_unavailable when the store does not
   * answer and the key was not seen in the last minute
   */
  authenticate(key: string, ip: string): Caller | Promise<Caller> {
    if (!isKeyForm(key)) throw new Refusal("invalid_api_key");
    const keyHash = hashKey(key);
    const known = this.#verified.get(keyHash);
    const nowMs = this.#clock();
    if (known && nowMs - known.verifiedAtMs < FRESH_MS) return this.#caller(known.record, key, keyHash, ip, nowMs);
    return this.#verify(keyHash, known, nowMs).then((record) => this.#caller(record, key, keyHash, ip, nowMs));
  }

  /** Takes in a key's new end, from this process or the bus. */
  keyChanged(keyHash: string, revokedAtMs: number | null): void {
    const known = this.#verified.get(keyHash);
    if (known) this.#verified.set(keyHash, { ...known, record: { ...known.record, revokedAtMs } });
  }

  /** Hands over which keys were used since the last call, with the time of the last use. */
  takeUsed(): ReadonlyMap<string, number> {
    const used = this.#used;
    this.#used = new Map();
    return used;
  }

  async #verify(keyHash: string, known: Verified | undefined, nowMs: number): Promise<KeyRecord> {
    let record: KeyRecord | null;
    try {
      record = await findKeyByHash(this.#store, keyHash);
    } catch (error) {
      this.#log.error({ err: error }, "the store of keys does not answer");
      if (known && nowMs - known.verifiedAtMs < OUTAGE_MS) return known.record;
      throw new Refusal("auth_unavailable");
    }
    if (!record) {
      this.#verified.delete(keyHash);
      throw new Refusal("invalid_api_key");
    }
    this.#verified.set(keyHash, { record, verifiedAtMs: nowMs });
    return record;
  }

  #caller(record: KeyRecord, key: string, keyHash: string, ip: string, nowMs: number): Caller {
    if (!sameHash(record.keyHash, keyHash) || (record.revokedAtMs !== null && record.revokedAtMs <= nowMs)) {
      throw new Refusal("invalid_api_key");
    }
    this.#used.set(record.id, nowMs);
    return {
      tier: record.tier,
      reach: TIER_REACH[record.tier],
      key: { id: record.id, orgId: record.orgId, hash: keyHash, revokedAtMs: record.revokedAtMs, plaintext: key },
      ip,
    };
  }
}
