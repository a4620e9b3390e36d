/** Shrinks what waits for a reader that is too slow: of each name the newest value, behind gaps for all that is left out. */
import type { GapItem, Item, NoteItem, ValueItem } from "./items.ts";

type Numbered = ValueItem | GapItem;

const firstNumber = (item: Numbered): number => (item.kind === "value" ? item.seq : item.fromSeq);

/** Several gaps in a row as one. */
const joinGaps = (gaps: readonly Numbered[]): GapItem[] => {
  const [first, last] = [gaps[0], gaps.at(-1)];
  return first?.kind === "gap" && last?.kind === "gap" ? [{ ...first, toSeq: last.toSeq, untilMs: last.untilMs }] : [];
};

/** What was left out before a value, as one gap. */
const skipTo = (value: ValueItem, skipped: readonly Numbered[]): GapItem[] => {
  const [first] = skipped;
  if (first === undefined) return [];
  if (!skipped.some(({ kind }) => kind === "value")) return joinGaps(skipped);
  const { name, seq, atMs } = value;
  const fromSeq = firstNumber(first);
  return [{ kind: "gap", name, fromSeq, toSeq: seq - 1, reason: "slow_consumer", sinceMs: first.sinceMs, untilMs: atMs }];
};

/** The items of one name. Their numbers follow each other, but for a numbering that began anew. */
const conflateName = (items: readonly Numbered[]): Numbered[] => {
  const at = items.findLastIndex(({ kind }) => kind === "value");
  const value = items[at];
  if (value?.kind !== "value") return joinGaps(items);
  const before = items.slice(0, at);
  const after = joinGaps(items.slice(at + 1));
  const resets = before.filter((item): item is GapItem => item.kind === "gap" && item.reason === "reset");
  const [oldest, newest] = [resets[0], resets.at(-1)];
  if (oldest === undefined || newest === undefined) return [...skipTo(value, before), value, ...after];
  // The reader's own numbers are those before the first of them.
  const reset: GapItem = { ...newest, toSeq: oldest.toSeq, sinceMs: oldest.sinceMs };
  return [reset, ...skipTo(value, before.slice(before.indexOf(newest) + 1)), value, ...after];
};

/**
 * Shrinks a queue.
 * @param items in order
 * @returns of each name at most one value and three gaps, of heartbeats and of statuses the newest; in the order of what is kept
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
