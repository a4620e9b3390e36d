/** Open streams of each key within one process. */
import type { PlaceReading, PlacesPort, StreamPlace } from "../ports.ts";

/** Places by key. */
export class MemoryPlaces implements PlacesPort {
  readonly #byKey = new Map<string, Set<string>>();
  #next = 1;

  take(keyId: string, limit: number): PlaceReading {
    const open = this.count(keyId);
    if (open >= limit) return { place: null, open, silenceMs: 0 };
    const place = { keyId, id: String(this.#next++) };
    this.add(place);
    return { place, open: open + 1, silenceMs: 0 };
  }

  giveBack({ keyId, id }: StreamPlace): void {
    const places = this.#byKey.get(keyId);
    places?.delete(id);
    if (places?.size === 0) this.#byKey.delete(keyId);
  }

  count(keyId: string): number {
    return this.#byKey.get(keyId)?.size ?? 0;
  }

  /** Notes a place that was given elsewhere. */
  add({ keyId, id }: StreamPlace): void {
    const places = this.#byKey.get(keyId);
    if (places) places.add(id);
    else this.#byKey.set(keyId, new Set([id]));
  }

  /** Whether a place is held. */
  has({ keyId, id }: StreamPlace): boolean {
    return this.#byKey.get(keyId)?.has(id) ?? false;
  }

  /** Every place that is held. */
  *all(): Generator<StreamPlace> {
    for (const [keyId, ids] of this.#byKey) for (const id of ids) yield { keyId, id };
  }
}
