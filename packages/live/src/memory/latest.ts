/** Latest documents in this process. */
import type { LatestPort } from "../ports.ts";

/** A value's position in its key's order. */
interface Placed {
  readonly value: string;
  readonly token: number;
  readonly atMs: number;
}

/** A map that keeps the newest value of each key. */
export class MemoryLatest implements LatestPort {
  readonly #placed = new Map<string, Placed>();

  async put(key: string, value: string, order: { readonly token: number; readonly atMs: number }): Promise<boolean> {
    const { token, atMs } = order;
    const standing = this.#placed.get(key);
    if (standing && (standing.token > token || (standing.token === token && standing.atMs > atMs))) return false;
    this.#placed.set(key, { value, token, atMs });
    return true;
  }

  async get(key: string): Promise<string | null> {
    return this.#placed.get(key)?.value ?? null;
  }

  async ping(): Promise<void> {}
}
