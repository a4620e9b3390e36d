/**
 * The reader's queue: in order, and bounded. For a slow reader it keeps the newest value of each name, preceded by gaps for
 * what is left out.
 */
import type { GapFrame } from "../generated/stream.ts";
import type { HeartbeatEvent, PhysicalEvent, StatusEvent, StreamName, TickEvent } from "./events.ts";

/** Why numbers are missing. */
export type GapReason = GapFrame["reason"];

/** A tick or quote in order. */
export interface ValueItem {
  readonly kind: "value";
  readonly name: StreamName;
  readonly seq: number;
  /** Whether its number is accounted for already: the price of a closed market has the last one again. */
  readonly isRepeat: boolean;
  /** When it was computed or quoted, epoch milliseconds. */
  readonly atMs: number;
  /** The same for the value before it; null when there was none. */
  readonly sinceMs: number | null;
  readonly event: TickEvent | PhysicalEvent;
}

/** Numbers that will not be delivered. */
export interface GapItem {
  readonly kind: "gap";
  readonly name: StreamName;
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly reason: GapReason;
  /** The missed time: from the last value before it, null when there was none, to when it was noticed. */
  readonly sinceMs: number | null;
  readonly untilMs: number;
}

/** An item without a number. */
export interface NoteItem {
  readonly kind: "note";
  readonly event: HeartbeatEvent | StatusEvent;
}

/** Any queued item. */
export type Item = ValueItem | GapItem | NoteItem;

type Numbered = ValueItem | GapItem;

/** The number that the reader expects before this item. */
const firstNumber = (item: Numbered): number => {
  if (item.kind === "value") return item.seq;
  return item.reason === "reset" ? item.toSeq + 1 : item.fromSeq;
};

/** Merges consecutive gaps into one. */
const joinGaps = (gaps: readonly Numbered[]): GapItem[] => {
  const [first, last] = [gaps[0], gaps.at(-1)];
  return first?.kind === "gap" && last?.kind === "gap" ? [{ ...first, toSeq: last.toSeq, untilMs: last.untilMs }] : [];
};

/** What is left out, as one gap. */
const leaveOut = (items: readonly Numbered[], toSeq: number, untilMs: number): GapItem[] => {
  const [first] = items;
  if (first === undefined) return [];
  if (!items.some(({ kind }) => kind === "value")) return joinGaps(items);
  const { name } = first;
  const fromSeq = firstNumber(first);
  if (fromSeq > toSeq) return [];
  // The very first values have no predecessor: the missed time starts with them.
  const sinceMs = first.sinceMs ?? (first.kind === "value" ? first.atMs : null);
  return [{ kind: "gap", name, fromSeq, toSeq, reason: "slow_consumer", sinceMs, untilMs }];
};

/** The items of one name. Their numbers are consecutive, unless the numbering restarted. */
const conflateName = (items: readonly Numbered[]): Numbered[] => {
  const at = items.findLastIndex(({ kind }) => kind === "value");
  const newestValue = items[at];
  if (newestValue?.kind !== "value") return joinGaps(items);
  const { seq, atMs } = newestValue;
  const before = items.slice(0, at).filter((item) => item.kind === "gap" || !item.isRepeat);
  // A repeat accounts for its number once the tick that had it is left out.
  const value = { ...newestValue, isRepeat: newestValue.isRepeat && before.every(({ kind }) => kind === "gap") };
  const after = joinGaps(items.slice(at + 1));
  const resets = before.filter((item): item is GapItem => item.kind === "gap" && item.reason === "reset");
  const [oldest, newest] = [resets[0], resets.at(-1)];
  // When the newest numbering is above the reader's, there is no reset to report.
  if (oldest === undefined || newest === undefined || newest.fromSeq > oldest.toSeq)
    return [...leaveOut(before, seq - 1, atMs), value, ...after];
  const unread = leaveOut(before.slice(0, before.indexOf(oldest)), oldest.toSeq, oldest.untilMs);
  const reset: GapItem = { ...newest, toSeq: oldest.toSeq, sinceMs: oldest.sinceMs };
  return [...unread, reset, ...leaveOut(before.slice(before.indexOf(newest) + 1), seq - 1, atMs), value, ...after];
};

/** At most one value and four gaps per name, and the newest heartbeat and status; in the order of the items kept. */
const conflate = (items: readonly Item[]): Item[] => {
  const names = new Map<string, { at: number; readonly items: Numbered[] }>();
  const notes = new Map<string, { readonly at: number; readonly note: NoteItem }>();
  items.forEach((item, at) => {
    if (item.kind === "note") {
      notes.set(item.event.type, { at, note: item });
      return;
    }
    const group = names.get(item.name) ?? { at, items: [] };
    group.at = at;
    group.items.push(item);
    names.set(item.name, group);
  });
  const kept = [
    ...[...names.values()].map((group) => ({ at: group.at, items: conflateName(group.items) as Item[] })),
    ...[...notes.values()].map(({ at, note }) => ({ at, items: [note] as Item[] })),
  ];
  return kept.sort((left, right) => left.at - right.at).flatMap(({ items: some }) => some);
};

/** A bounded queue. */
export class Queue {
  readonly #limit: number;
  #items: Item[] = [];
  #head = 0;

  /** @param limit how many items may wait before they are conflated */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The number of queued items. */
  get size(): number {
    return this.#items.length - this.#head;
  }

  /** Adds the items of one frame; they are never separated. */
  push(items: readonly Item[]): void {
    this.#items.push(...items);
    if (this.size > this.#limit) this.#replace(conflate(this.#items.slice(this.#head)));
  }

  /** Takes the oldest; undefined when empty. */
  shift(): Item | undefined {
    const item = this.#items[this.#head];
    if (item === undefined) return undefined;
    this.#head += 1;
    // Compacted when half is free: a queue that is never quite empty must not grow.
    if (this.#head * 2 >= this.#items.length) this.#replace(this.#items.slice(this.#head));
    return item;
  }

  /** Drops the queued items of one name. */
  drop(name: string): void {
    this.#replace(this.#items.slice(this.#head).filter((item) => item.kind === "note" || item.name !== name));
  }

  /** Drops everything. */
  clear(): void {
    this.#replace([]);
  }

  #replace(items: Item[]): void {
    this.#items = items;
    this.#head = 0;
  }
}
