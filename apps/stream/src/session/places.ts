/** Limits a caller's open streams across all processes: a key's, or without one those of its address. */
import type { Log, PlacesPort, StreamPlace } from "@assay/live";
import type { Time } from "@assay/ports";
import type { Caller } from "@assay/services";

/** How often a full key is checked again while a process that holds its places may be dead. */
const LOOK_AGAIN_MS = 250;
/** How long to keep checking; a process silent for three seconds is dead. */
const LONGEST_WAIT_MS = 5_000;

/**
 * An organisation may have this many times the streams of one key: enough for an overlapping rotation, while minting keys gains
 * nothing.
 */
const KEYS_OVERLAPPING = 2;

export interface PlacesOptions {
  readonly places: PlacesPort;
  readonly clock: Pick<Time, "elapsed" | "sleep">;
  readonly log: Pick<Log, "warn">;
}

export class Places {
  readonly #options: PlacesOptions;

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  /**
   * Acquires a place. Clients of a killed process reconnect at once, while their old places are still counted: so a key that
   * looks full is refused only once every other process holding its places has been seen alive after the request.
   * @param limit the most streams the key, or the address, may have open
   * @returns null when the key, or its organisation, has reached its limit
   */
  async take({ key, ip }: Pick<Caller, "key" | "ip">, limit: number): Promise<StreamPlace | null> {
    const { places, clock } = this.#options;
    const address = `address:${ip}`;
    const holder = { keyId: key?.id ?? address, orgId: key?.orgId ?? address };
    const limits = { perKey: limit, perOrg: KEYS_OVERLAPPING * limit };
    const askedMs = clock.elapsed();
    for (;;) {
      // Measured before the query is sent, so that a late answer does not make the wait longer than the silence it is compared with.
      const waitedMs = clock.elapsed() - askedMs;
      const { place, silenceMs } = await places.take(holder, limits);
      if (place || limit === 0 || silenceMs <= waitedMs || waitedMs >= LONGEST_WAIT_MS) return place;
      await clock.sleep(LOOK_AGAIN_MS);
    }
  }

  /** Releases a place; a release that cannot be sent expires. */
  giveBack(place: StreamPlace): void {
    Promise.resolve(this.#options.places.giveBack(place)).catch((error: unknown) =>
      this.#options.log.warn({ err: error }, "failed to release a stream's slot"),
    );
  }
}
