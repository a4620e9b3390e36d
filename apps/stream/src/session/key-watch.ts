/** Watches keys with open streams for their end and their tier: from the bus, and from the store in case the bus fails. */
import type { TierName } from "@assay/contract";
import { readKeyStandings, type Store } from "@assay/db";
import type { Log } from "@assay/live";
import type { Cancel, Time } from "@assay/ports";

/** How often the store is queried: half the time a revoked key's streams may live on, minus the time of an answer. */
const ASK_INTERVAL_MS = 2_000;

/** A connection, as far as the watch knows it. */
interface Gated {
  isIncludedIn(tier: TierName): boolean;
}

export interface WatchedKey<Connection> {
  /** The connection no longer uses the key. */
  leave(connection: Connection): void;
}

class Watched<Connection> implements WatchedKey<Connection> {
  readonly hash: string;
  endMs: number | null;
  readonly connections = new Set<Connection>();
  readonly #forget: () => void;

  constructor(hash: string, endMs: number | null, forget: () => void) {
    this.hash = hash;
    this.endMs = endMs;
    this.#forget = forget;
  }

  endBy(endMs: number): void {
    this.endMs = Math.min(this.endMs ?? endMs, endMs);
  }

  leave(connection: Connection): void {
    this.connections.delete(connection);
    if (this.connections.size === 0) this.#forget();
  }
}

export interface KeyWatchOptions {
  readonly store: Store;
  readonly clock: Pick<Time, "every">;
  readonly log: Pick<Log, "warn">;
}

/** Watches the keys of open streams, over any transport. */
export class KeyWatch<Connection extends Gated> {
  readonly #options: KeyWatchOptions;
  readonly #keys = new Map<string, Watched<Connection>>();
  /** Connections found beyond their key's tier. */
  #gated: Connection[] = [];
  readonly #stop: Cancel;
  #asking: Promise<void> | null = null;
  #isSilent = false;

  constructor(options: KeyWatchOptions) {
    this.#options = options;
    this.#stop = options.clock.every(ASK_INTERVAL_MS, () => this.ask());
  }

  enter(connection: Connection, hash: string, endMs: number | null): WatchedKey<Connection> {
    const watched = this.#keys.get(hash) ?? new Watched<Connection>(hash, endMs, () => this.#keys.delete(hash));
    this.#keys.set(hash, watched);
    if (endMs !== null) watched.endBy(endMs);
    watched.connections.add(connection);
    return watched;
  }

  /** Applies a key's new end, which is only ever brought forward. Without one its tier may have changed, which the store knows. */
  keyChanged(hash: string, endMs: number | null): void {
    const watched = this.#keys.get(hash);
    if (endMs === null && watched) this.ask();
    else if (endMs !== null) watched?.endBy(endMs);
  }

  *ended(nowMs: number): Generator<Connection, void, undefined> {
    for (const { endMs, connections } of this.#keys.values()) {
      if (endMs !== null && endMs <= nowMs) yield* connections;
    }
  }

  /** Connections found beyond their key's tier since the last call. */
  gated(): readonly Connection[] {
    const gated = this.#gated;
    this.#gated = [];
    return gated;
  }

  /** Loads the ends and tiers of all keys from the store, one query at a time. */
  ask(): void {
    if (this.#keys.size === 0) return;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#asking;
  }

  async #ask(): Promise<void> {
    const { store, log } = this.#options;
    try {
      const asked = [...this.#keys.keys()];
      const standings = await readKeyStandings(store, asked);
      this.#isSilent = false;
      for (const hash of asked) {
        const watched = this.#keys.get(hash);
        const standing = standings.get(hash);
        // A key that no longer exists has ended as well.
        if (!standing) watched?.endBy(Number.NEGATIVE_INFINITY);
        else {
          if (standing.endMs !== null) watched?.endBy(standing.endMs);
          for (const connection of watched?.connections ?? []) {
            if (!connection.isIncludedIn(standing.tier)) this.#gated.push(connection);
          }
        }
      }
    } catch (error) {
      if (!this.#isSilent) log.warn({ err: error }, "failed to read revoked keys; streams continue, retrying");
      this.#isSilent = true;
    }
  }
}
