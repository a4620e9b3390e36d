/**
 * Rows of encoded JSON, read and copied where they are: an answer of thousands of rows is rewritten without a value made of
 * any.
 */

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const BRACKET = 0x5b;
const BACKSLASH = 0x5c;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Where the value that begins at a place ends; -1 for lists, objects, and text with escapes. */
const endOfValue = (bytes: Uint8Array, from: number): number => {
  let at = from;
  let byte = bytes[at];
  if (byte === QUOTE) {
    do {
      at += 1;
      byte = bytes[at];
      if (byte === BACKSLASH || byte === undefined) return -1;
    } while (byte !== QUOTE);
    return at + 1;
  }
  if (byte === OPEN || byte === BRACKET) return -1;
  while (byte !== COMMA && byte !== CLOSE) {
    if (byte === undefined) return -1;
    at += 1;
    byte = bytes[at];
  }
  return at;
};

/** What precedes each value of the first row, such as `{"bar_start":` and `,"open":`. */
const namesIn = (bytes: Uint8Array): Uint8Array[] => {
  const names: Uint8Array[] = [];
  let at = 0;
  while (bytes[at] === (at === 0 ? OPEN : COMMA)) {
    // An object, or the next field; then a name in quotes and a colon.
    const end = bytes.indexOf(QUOTE, at + 2);
    if (end === -1) break;
    names.push(bytes.subarray(at, end + 2));
    at = endOfValue(bytes, end + 2);
  }
  return names;
};

/**
 * Memory that one use after another works in: new arrays of this size, thousands a minute, would keep the garbage collector busy
 * for longer than the work takes. A use within a use gets memory of its own.
 */
class Scratch<T extends Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>> {
  readonly #make: (length: number) => T;
  /** The shortest first. */
  readonly #free: T[] = [];

  constructor(make: (length: number) => T) {
    this.#make = make;
  }

  /** @param length the least there is room for */
  take(length = FIRST_LENGTH): T {
    const place = this.#free.findIndex((each) => each.length >= length);
    const [taken] = place === -1 ? [] : this.#free.splice(place, 1);
    // With room to spare: the next use may need a little more.
    return taken ?? this.#make(length + (length >> 2));
  }

  /** The same with more room. */
  longer(taken: T, length: number): T {
    const longer = this.#make(Math.max(2 * taken.length, length));
    longer.set(taken);
    return longer;
  }

  give(taken: T): void {
    if (taken.length > MOST_LENGTH) return;
    this.#free.push(taken);
    this.#free.sort((left, right) => left.length - right.length);
    if (this.#free.length > MOST_FREE) this.#free.shift();
  }
}

const FIRST_LENGTH = 16 * 1024;
/** Longer ones are not kept: 4 Mi of bytes, and of places. */
const MOST_LENGTH = 4 * 1024 * 1024;
/** An answer that is rewritten twice, such as history as CSV, needs two at a time. */
const MOST_FREE = 2;
const spanScratch = new Scratch((length) => new Int32Array(length));
const byteScratch = new Scratch((length) => new Uint8Array(length));

/** Objects of numbers, text, true, false and null, joined by commas, all with the same fields in the same order. */
export interface EncodedRows {
  readonly bytes: Uint8Array;
  readonly count: number;
  /** The column of a field; -1 when rows do not have it. */
  column(name: string): number;
  /** Where a value begins, with its quotes. */
  from(row: number, column: number): number;
  /** Where a value ends; exclusive. */
  to(row: number, column: number): number;
  isNull(row: number, column: number): boolean;
}

class Rows implements EncodedRows {
  readonly bytes: Uint8Array;
  count = 0;
  readonly #names: readonly Uint8Array[];
  /** Where each value begins and ends, row by row. */
  #spans = spanScratch.take();

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#names = namesIn(bytes);
  }

  scan(): void {
    const bytes = this.bytes;
    const names = this.#names;
    let spans = this.#spans;
    let used = 0;
    let at = 0;
    while (bytes[at] === OPEN) {
      if (used + 2 * names.length > spans.length) spans = spanScratch.longer(spans, used + 2 * names.length);
      for (const name of names) {
        const from = at + name.length;
        at = endOfValue(bytes, from);
        if (at === -1) throw new Error("an encoded row has a list, an object, or text with an escape");
        spans[used] = from;
        spans[used + 1] = at;
        used += 2;
      }
      if (bytes[at] !== CLOSE) throw new Error("an encoded row has other fields than the first");
      this.count += 1;
      at += bytes[at + 1] === COMMA ? 2 : 1;
    }
    if (at !== bytes.length) throw new Error("an encoded row does not end, or is followed by something else");
    this.#spans = spans;
  }

  close(): void {
    spanScratch.give(this.#spans);
  }

  column(name: string): number {
    return this.#names.findIndex((each) => decoder.decode(each.subarray(2, -2)) === name);
  }

  from(row: number, column: number): number {
    return this.#spans[2 * (row * this.#names.length + column)] ?? 0;
  }

  to(row: number, column: number): number {
    return this.#spans[2 * (row * this.#names.length + column) + 1] ?? 0;
  }

  /** No other value begins with an n. */
  isNull(row: number, column: number): boolean {
    return this.bytes[this.from(row, column)] === 0x6e;
  }
}

const readPiece = <T>(bytes: Uint8Array, use: (rows: EncodedRows) => T): T => {
  const rows = new Rows(bytes);
  try {
    rows.scan();
    return use(rows);
  } finally {
    rows.close();
  }
};

/**
 * Reads rows, for as long as `use` runs.
 * @param pieces as an `EncodedList` has them
 * @returns what `use` returns
 */
export const readRows = <T>(pieces: readonly Uint8Array[], use: (rows: EncodedRows) => T): T => {
  const [only = new Uint8Array(0)] = pieces;
  if (pieces.length < 2) return readPiece(only, use);
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const joined = byteScratch.take(length);
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  try {
    return readPiece(joined.subarray(0, length), use);
  } finally {
    byteScratch.give(joined);
  }
};

/** Bytes in memory that is lent. */
export interface LentBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Gives the memory back. Called once nobody reads it any more; if it never is, it is garbage like other memory. */
  readonly giveBack: () => void;
}

/** Bytes written one after another. */
export class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;

  /** @param length about as many as will be written */
  constructor(length?: number) {
    this.#bytes = byteScratch.take(length);
  }

  #grow(length: number): void {
    this.#bytes = byteScratch.longer(this.#bytes, this.#length + length);
  }

  byte(byte: number): this {
    if (this.#length === this.#bytes.length) this.#grow(1);
    this.#bytes[this.#length] = byte;
    this.#length += 1;
    return this;
  }

  /** Copies bytes from a place to another, exclusive. For as few as a row has, a loop is faster than `set`. */
  copy(source: Uint8Array, from: number, to: number): this {
    if (this.#length + to - from > this.#bytes.length) this.#grow(to - from);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let index = from; index < to; index += 1) {
      bytes[at] = source[index] ?? 0;
      at += 1;
    }
    this.#length = at;
    return this;
  }

  /**
   * Copies bytes from a place to another, exclusive, unless one of two bytes is among them.
   * @returns whether they were copied
   */
  copyWithout(source: Uint8Array, from: number, to: number, one: number, other: number): boolean {
    if (this.#length + to - from > this.#bytes.length) this.#grow(to - from);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let index = from; index < to; index += 1) {
      const byte = source[index] ?? 0;
      if (byte === one || byte === other) return false;
      bytes[at] = byte;
      at += 1;
    }
    this.#length = at;
    return true;
  }

  /** Copies bytes. */
  all(source: Uint8Array): this {
    if (this.#length + source.length > this.#bytes.length) this.#grow(source.length);
    this.#bytes.set(source, this.#length);
    this.#length += source.length;
    return this;
  }

  /** Writes text as UTF-8. */
  text(text: string): this {
    return this.all(encoder.encode(text));
  }

  /** Writes a whole number that is not below zero, and below 2 ** 32. */
  whole(number: number): this {
    let length = 1;
    for (let bound = 10; bound <= number; bound *= 10) length += 1;
    if (this.#length + length > this.#bytes.length) this.#grow(length);
    this.#length += length;
    let rest = number;
    for (let at = this.#length - 1; length > 0; length -= 1) {
      // Division of 32-bit numbers is several times faster than that of others.
      const tenth = (rest / 10) >>> 0;
      this.#bytes[at] = 0x30 + rest - tenth * 10;
      rest = tenth;
      at -= 1;
    }
    return this;
  }

  /** What has been written; nothing can be written after it. */
  finish(): Uint8Array<ArrayBuffer> {
    const { bytes, giveBack } = this.lend();
    const written = bytes.slice();
    giveBack();
    return written;
  }

  /** The same without a copy. */
  lend(): LentBytes {
    const lent = this.#bytes;
    let isLent = true;
    const giveBack = (): void => {
      if (isLent) byteScratch.give(lent);
      isLent = false;
    };
    this.#bytes = new Uint8Array(0);
    return { bytes: lent.subarray(0, this.#length), giveBack };
  }
}
