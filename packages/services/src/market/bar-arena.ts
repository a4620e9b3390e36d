/**
 * The closed bars of one series and interval, encoded once. The buffer is filled from its end towards its start, so that a
 * page, newest first, is a single slice.
 */
import type { PageOrder } from "@assay/contract";
import { partitionPoint } from "@assay/pricing";

const COMMA = 0x2c;
const MIN_BYTES = 64 * 1024;

/** A page's position: bar indices, oldest is 0. `from` and `to` are inclusive; an empty page has from > to. */
export interface PageSpan {
  readonly from: number;
  readonly to: number;
  readonly order: PageOrder;
  /** Whether the window has more behind the page, in its order. */
  readonly hasMore: boolean;
}

/** Closed bars in time order, each encoded with a trailing comma. */
export class BarArena {
  #bytes: Uint8Array<ArrayBuffer>;
  /** Start of each bar, ascending, epoch milliseconds. */
  #starts: Float64Array;
  /** Bytes used by the bars before each one, counted from the buffer's end. */
  #offsets: Float64Array;
  #length = 0;

  constructor(capacity = 1024) {
    this.#bytes = new Uint8Array(MIN_BYTES);
    this.#starts = new Float64Array(capacity);
    this.#offsets = new Float64Array(capacity + 1);
  }

  /**
   * Fills an arena in one step.
   * @param text the encoded bars, newest first, joined by commas
   * @param startsMs their starts, newest first
   * @param byteLengths their lengths in bytes, newest first
   */
  static load(
    text: Uint8Array,
    startsMs: readonly number[] | Float64Array,
    byteLengths: readonly number[] | Int32Array,
  ): BarArena {
    const count = startsMs.length;
    const arena = new BarArena(Math.max(1024, Math.ceil(count * 1.1)));
    if (count === 0) return arena;
    const total = text.length + 1;
    arena.#bytes = new Uint8Array(Math.max(MIN_BYTES, Math.ceil(total * 1.1)));
    arena.#bytes.set(text, arena.#bytes.length - total);
    arena.#bytes[arena.#bytes.length - 1] = COMMA;
    for (let index = 0; index < count; index += 1) {
      const newestFirst = count - 1 - index;
      arena.#starts[index] = startsMs[newestFirst] ?? 0;
      arena.#offsets[index + 1] = (arena.#offsets[index] ?? 0) + (byteLengths[newestFirst] ?? 0) + 1;
    }
    arena.#length = count;
    return arena;
  }

  get length(): number {
    return this.#length;
  }

  get byteLength(): number {
    return this.#offsets[this.#length] ?? 0;
  }

  /** Start of the newest bar; -Infinity when there is none. */
  get newestStartMs(): number {
    return this.#length === 0 ? Number.NEGATIVE_INFINITY : (this.#starts[this.#length - 1] ?? 0);
  }

  /** Start of the oldest bar; Infinity when there is none. */
  get oldestStartMs(): number {
    return this.#length === 0 ? Number.POSITIVE_INFINITY : (this.#starts[0] ?? 0);
  }

  startAt(index: number): number {
    return this.#starts[index] ?? Number.NaN;
  }

  /**
   * Adds a bar that is newer than all others, or replaces the newest.
   * @returns false when the bar is older than the newest: the arena must be reloaded
   */
  append(startMs: number, json: string): boolean {
    if (startMs < this.newestStartMs) return false;
    if (startMs === this.newestStartMs) {
      this.#length -= 1;
      this.#resize(this.#bytes.length);
    }
    const encoded = Buffer.from(json, "utf8");
    this.#reserve(encoded.length + 1);
    const used = this.#offsets[this.#length] ?? 0;
    const end = this.#bytes.length - used;
    this.#bytes[end - 1] = COMMA;
    this.#bytes.set(encoded, end - 1 - encoded.length);
    this.#starts[this.#length] = startMs;
    this.#offsets[this.#length + 1] = used + encoded.length + 1;
    this.#length += 1;
    return true;
  }

  /**
   * Drops the bars before an instant. Pages already returned keep theirs.
   * @param fromMs the earliest start that is kept
   */
  keepFrom(fromMs: number): void {
    const first = this.#firstFrom(fromMs);
    if (first === 0) return;
    const dropped = this.#offsets[first] ?? 0;
    const kept = this.#bytes.subarray(this.#bytes.length - this.byteLength, this.#bytes.length - dropped);
    const bytes = new Uint8Array(Math.max(MIN_BYTES, Math.ceil(kept.length * 1.1)));
    bytes.set(kept, bytes.length - kept.length);
    this.#starts.copyWithin(0, first, this.#length);
    this.#offsets.copyWithin(0, first, this.#length + 1);
    this.#length -= first;
    for (let index = 0; index <= this.#length; index += 1) this.#offsets[index] = (this.#offsets[index] ?? 0) - dropped;
    this.#bytes = bytes;
  }

  /** The index of the first bar that starts at an instant or later. */
  #firstFrom(fromMs: number): number {
    return partitionPoint(this.#starts, (startMs) => startMs < fromMs, this.#length);
  }

  /**
   * The newest bars of a window, or the oldest.
   * @param fromMs first start, inclusive
   * @param toMs last start, inclusive
   * @param limit the maximum number of bars
   */
  page(fromMs: number, toMs: number, limit: number, order: PageOrder = "desc"): PageSpan {
    const newest = this.#firstFrom(toMs + 1) - 1;
    const oldest = this.#firstFrom(fromMs);
    if (order === "desc") {
      const from = Math.max(oldest, newest - limit + 1);
      return { from, to: newest, order, hasMore: from > oldest };
    }
    const to = Math.min(newest, oldest + limit - 1);
    return { from: oldest, to, order, hasMore: to < newest };
  }

  /** The bytes of a page, bars joined by commas: newest first they are shared, oldest first copied. */
  slice({ from, to, order }: PageSpan): Uint8Array<ArrayBuffer> {
    if (from > to) return new Uint8Array(0);
    const size = this.#bytes.length;
    const offsets = this.#offsets;
    const shared = this.#bytes.subarray(size - (offsets[to + 1] ?? 0), size - (offsets[from] ?? 0) - 1);
    if (order === "desc") return shared;
    const turned = new Uint8Array(shared.length + 1);
    let at = 0;
    for (let index = from; index <= to; index += 1) {
      const bar = this.#bytes.subarray(size - (offsets[index + 1] ?? 0), size - (offsets[index] ?? 0));
      turned.set(bar, at);
      at += bar.length;
    }
    return turned.subarray(0, -1);
  }

  /** Moves into a new buffer: slices already returned keep the old one, so a page being sent never changes. */
  #resize(size: number): void {
    const used = this.byteLength;
    const resized = new Uint8Array(size);
    resized.set(this.#bytes.subarray(this.#bytes.length - used), size - used);
    this.#bytes = resized;
  }

  #reserve(extra: number): void {
    const used = this.byteLength;
    if (used + extra > this.#bytes.length) this.#resize(Math.max(this.#bytes.length * 2, used + extra));
    if (this.#length + 1 >= this.#starts.length) {
      const starts = new Float64Array(this.#starts.length * 2);
      starts.set(this.#starts);
      const offsets = new Float64Array(starts.length + 1);
      offsets.set(this.#offsets);
      this.#starts = starts;
      this.#offsets = offsets;
    }
  }
}
