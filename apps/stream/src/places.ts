/** Places among the streams a key may have open, over all processes. */
import { setTimeout as pause } from "node:timers/promises";
import type { PlacesPort, StreamHolder, StreamPlace } from "@assay/live";

/** How often a key that is full is looked at again while a process that holds its places may be dead. */
const LOOK_AGAIN_MS = 250;
/** How long that may go on; a process nobody has heard of for three seconds is dead. */
const LONGEST_WAIT_MS = 5_000;

/** An organisation's keys together may have so many times what one may: a rotation can overlap, and minting keys buys no more. */
const KEYS_OVERLAPPING = 2;

/** What places are taken with. */
export interface PlacesOptions {
  readonly places: PlacesPort;
  readonly elapsed: () => number;
  readonly log: { warn(fields: Record<string, unknown>, message: string): void };
}

/** Takes places and gives them back. */
export class Places {
  readonly #options: PlacesOptions;

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  /**
   * Takes a place. Clients of a process that was killed come back at once, while their old places are still counted: so a key
   * that looks full is refused only when every other process that holds its places has been heard of since it was asked.
   * @param limit streams one key may have open
   * @returns null when the key, or its organisation, has as many streams open as it may
   */
  async take({ keyId, orgId }: StreamHolder, limit: number): Promise<StreamPlace | null> {
    const { places, elapsed } = this.#options;
    const limits = { perKey: limit, perOrg: KEYS_OVERLAPPING * limit };
    const askedMs = elapsed();
    for (;;) {
      // Taken before the question leaves: however late its answer is read, silence since then is not longer than it was.
      const waitedMs = elapsed() - askedMs;
      const { place, silenceMs } = await places.take({ keyId, orgId }, limits);
      if (place || limit === 0 || silenceMs <= waitedMs || waitedMs >= LONGEST_WAIT_MS) return place;
      await pause(LOOK_AGAIN_MS);
    }
  }

  /** Gives a place back; what cannot be told now expires. */
  giveBack(place: StreamPlace): void {
    Promise.resolve(this.#options.places.giveBack(place)).catch((error: unknown) =>
      this.#options.log.warn({ err: error }, "a stream's place could not be given back"),
    );
  }
}
