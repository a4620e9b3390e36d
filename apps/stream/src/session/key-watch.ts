/** Watches keys with open streams for their end: from the bus, and from the store in case the bus fails. */
import { readKeyEnds, type Store } from "@assay/db";
import type { Log } from "@assay/live";

/** How often the store is queried: half the time a revoked key's streams may live on, minus the time of an answer. */
const ASK_INTERVAL_MS = 2_000;

/** A key with open streams. */
export interface WatchedKey<Connection> {
  /** The connection no longer uses the key. */
  leave(connection: Connection): void;
}

class Watched<Connection> implements WatchedKey<Connection> {
  readonly hash: string;
  revokedAtMs: number | null;
  readonly connections = new Set<Connection>();
  readonly #forget: () => void;

  constructor(hash: string, revokedAtMs: number | null, forget: () => void) {
    this.hash = hash;
    this.revokedAtMs = revokedAtMs;
    this.#forget = forget;
  }

  endBy(endMs: number): void {
    this.revokedAtMs = Math.min(this.revokedAtMs ?? endMs, endMs);
  }

  leave(connection: Connection): void {
    this.connections.delete(connection);
    if (this.connections.size === 0) this.#forget();
  }
}

/** What the watch depends on. */
export interface KeyWatchOptions {
  readonly store: Store;
  readonly log: Pick<Log, "warn">;
}

/** Watches the keys of open streams, over any transport. */
export class KeyWatch<Connection> {
  readonly #options: KeyWatchOptions;
  readonly #keys = new Map<string, Watched<Connection>>();
  readonly #timer: NodeJS.Timeout;
  #asking: Promise<void> | null = null;
  #isSilent = false;

  constructor(options: KeyWatchOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.ask(), ASK_INTERVAL_MS).unref();
  }

  /** Adds a connection of a key. */
  enter(connection: Connection, hash: string, revokedAtMs: number | null): WatchedKey<Connection> {
    const watched = this.#keys.get(hash) ?? new Watched<Connection>(hash, revokedAtMs, () => this.#keys.delete(hash));
    this.#keys.set(hash, watched);
    if (revokedAtMs !== null) watched.endBy(revokedAtMs);
    watched.connections.add(connection);
    return watched;
  }

  /** Applies a key's new end. An end is only ever brought forward. */
  keyChanged(hash: string, revokedAtMs: number | null): void {
    if (revokedAtMs !== null) this.#keys.get(hash)?.endBy(revokedAtMs);
  }

  /** Connections whose keys have ended by an instant. */
  *ended(nowMs: number): Generator<Connection, void, undefined> {
    for (const { revokedAtMs, connections } of this.#keys.values()) {
      if (revokedAtMs !== null && revokedAtMs <= nowMs) yield* connections;
    }
  }

  /** Loads the ends of all keys from the store, one query at a time. */
  ask(): void {
    if (this.#keys.size === 0) return;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#asking;
  }

  async #ask(): Promise<void> {
    const { store, log } = this.#options;
    try {
      const asked = [...this.#keys.keys()];
      const ends = await readKeyEnds(store, asked);
      this.#isSilent = false;
      for (const hash of asked) {
        const endMs = ends.get(hash);
        // A key that no longer exists has ended as well.
        if (endMs !== null) this.#keys.get(hash)?.endBy(endMs ?? Number.NEGATIVE_INFINITY);
      }
    } catch (error) {
      if (!this.#isSilent) log.warn({ err: error }, "failed to read revoked keys; streams continue, retrying");
      this.#isSilent = true;
    }
  }
}
