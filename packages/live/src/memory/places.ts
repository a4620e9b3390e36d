/** Open streams of each key and organisation within one process. */
import type { PlaceLimits, PlaceReading, PlacesPort, StreamHolder, StreamPlace } from "../ports.ts";

/** Places by organisation. */
export class MemoryPlaces implements PlacesPort {
  readonly #byOrg = new Map<string, Map<string, StreamPlace>>();
  #next = 1;

  take({ keyId, orgId }: StreamHolder, limits: PlaceLimits): PlaceReading {
    if (this.isFull({ keyId, orgId }, limits)) return { place: null, open: this.count({ keyId, orgId }), silenceMs: 0 };
    const place = { keyId, orgId, id: String(this.#next++) };
    this.add(place);
    return { place, open: this.count(place), silenceMs: 0 };
  }

  giveBack({ orgId, id }: StreamPlace): void {
    const places = this.#byOrg.get(orgId);
    places?.delete(id);
    if (places?.size === 0) this.#byOrg.delete(orgId);
  }

  count({ keyId, orgId }: StreamHolder): number {
    let open = 0;
    for (const place of this.#byOrg.get(orgId)?.values() ?? []) if (place.keyId === keyId) open += 1;
    return open;
  }

  /** Whether the key, or its organisation, has as many open as it may. */
  isFull(holder: StreamHolder, { perKey, perOrg }: PlaceLimits): boolean {
    return this.count(holder) >= perKey || (this.#byOrg.get(holder.orgId)?.size ?? 0) >= perOrg;
  }

  /** Notes a place that was given elsewhere. */
  add(place: StreamPlace): void {
    const places = this.#byOrg.get(place.orgId);
    if (places) places.set(place.id, place);
    else this.#byOrg.set(place.orgId, new Map([[place.id, place]]));
  }

  /** Whether a place is held. */
  has({ orgId, id }: StreamPlace): boolean {
    return this.#byOrg.get(orgId)?.has(id) ?? false;
  }

  /** Every place that is held. */
  *all(): Generator<StreamPlace> {
    for (const places of this.#byOrg.values()) yield* places.values();
  }
}
