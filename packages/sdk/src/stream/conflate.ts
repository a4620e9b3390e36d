/** Conflates the queue of a slow reader: the newest value of each name, preceded by gaps for what is left out. */
import type { GapItem, Item, NoteItem, ValueItem } from "./items.ts";

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
  const value = items[at];
  if (value?.kind !== "value") return joinGaps(items);
  const { seq, atMs } = value;
  const before = items.slice(0, at);
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

/**
 * Conflates a queue.
 * @param items in order
 * @returns at most one value and four gaps per name, and the newest heartbeat and status; in the order of the items kept
 */
export const conflate = (items: readonly Item[]): Item[] => {
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
