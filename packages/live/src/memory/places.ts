/** Open streams of each key and organisation within one process. */
import type { PlaceLimits, PlaceReading, PlacesPort, StreamHolder, StreamPlace } from "../ports.ts";

/** Removes an item from one of many sets, and drops the set when it becomes empty. */
const removeFrom = (sets: Map<string, Set<string>>, name: string, id: string): void => {
  const set = sets.get(name);
  set?.delete(id);
  if (set?.size === 0) sets.delete(name);
};

const addTo = (sets: Map<string, Set<string>>, name: string, id: string): void => {
  const set = sets.get(name);
  if (set) set.add(id);
  else sets.set(name, new Set([id]));
};

/** Places by id, and the ids per key and organisation. */
export class MemoryPlaces implements PlacesPort {
  readonly #places = new Map<string, StreamPlace>();
  readonly #byKey = new Map<string, Set<string>>();
  readonly #byOrg = new Map<string, Set<string>>();
  #next = 1;

  take({ keyId, orgId }: StreamHolder, limits: PlaceLimits): PlaceReading {
    if (this.isFull({ keyId, orgId }, limits)) return { place: null, open: this.count({ keyId, orgId }), silenceMs: 0 };
    const place = { keyId, orgId, id: String(this.#next++) };
    this.add(place);
    return { place, open: this.count(place), silenceMs: 0 };
  }

  giveBack({ keyId, orgId, id }: StreamPlace): void {
    this.#places.delete(id);
    removeFrom(this.#byKey, keyId, id);
    removeFrom(this.#byOrg, orgId, id);
  }

  count({ keyId }: StreamHolder): number {
    return this.#byKey.get(keyId)?.size ?? 0;
  }

  /** Whether the key, or its organisation, is at its limit. */
  isFull(holder: StreamHolder, { perKey, perOrg }: PlaceLimits): boolean {
    return this.count(holder) >= perKey || (this.#byOrg.get(holder.orgId)?.size ?? 0) >= perOrg;
  }

  /** Records a place that was granted elsewhere. */
  add(place: StreamPlace): void {
    this.#places.set(place.id, place);
    addTo(this.#byKey, place.keyId, place.id);
    addTo(this.#byOrg, place.orgId, place.id);
  }

  get isEmpty(): boolean {
    return this.#places.size === 0;
  }

  has({ id }: StreamPlace): boolean {
    return this.#places.has(id);
  }

  all(): Iterable<StreamPlace> {
    return this.#places.values();
  }
}
