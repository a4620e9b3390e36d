/** Which state of the past a page is of, and whether it is whole. */
import { type FailWith, formatClockReading, MINUTE_MS, type PageOrder } from "@assay/contract";
import { type KnownState, readKnownAt, type Store } from "@assay/db";
import type { PagePlace } from "../cursor.ts";
import { instantFault, readInstant, refuseParameter } from "../input.ts";

/** A state, and the instant it is asked for. */
interface AskedState extends KnownState {
  readonly atMs: number;
  /** Whether the same request will always be answered from this state. */
  readonly isFinal: boolean;
}

/** A writer's clock and its commit are closer together than this. */
const SETTLED_MS = 60_000;

/**
 * Finds the state a caller asks for.
 * @param asOfMs the latest instant the caller may see
 * @returns null for now, when the parameter is left out
 */
export const knownState = async (
  store: Store,
  text: string | undefined,
  { nowMs, asOfMs, fail }: { nowMs: number; asOfMs: number; fail: FailWith<"validation_error" | "unknown_past"> },
): Promise<AskedState | null> => {
  if (text === undefined) return null;
  const { endMs } = readInstant(text) ?? refuseParameter(fail, "known_at", instantFault(text));
  if (endMs > nowMs) refuseParameter(fail, "known_at", "must not be in the future");
  const atMs = Math.min(endMs, asOfMs);
  const known = await readKnownAt(store, atMs);
  if (known.isKnown) return { ...known.state, atMs, isFinal: endMs === atMs && endMs < nowMs - SETTLED_MS };
  // Before anything is recorded, the ledger begins now at the earliest.
  const starts = formatClockReading(known.startsAtMs ?? nowMs);
  if (atMs === endMs) return fail("unknown_past", { ledger_starts_at: starts });
  const minutes = (nowMs - asOfMs) / MINUTE_MS;
  const message = `What was known ${minutes} minutes ago, the latest you may see, is not recorded.`;
  return fail("unknown_past", { ledger_starts_at: starts, message });
};

/** The field of `meta` while bars that an answer is read from are still being filled in; absent when nothing is missing. */
export const completeness = (isComplete: boolean): { readonly complete?: false } => (isComplete ? {} : { complete: false });

interface WalkInput {
  readonly from: string;
  readonly to: string;
  readonly known_at?: string | undefined;
  readonly order: PageOrder;
}

/** Both ends are inclusive. */
export interface Window {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The end of a window that a page followed by another reaches only up to its last row. */
export const reachOf = (order: PageOrder, lastStartMs: number): Partial<Window> =>
  order === "desc" ? { fromMs: lastStartMs } : { toMs: lastStartMs };

/** What is left of a window behind the page that a cursor was given for. */
export const restOf = (window: Window, place: PagePlace | null): Window => {
  if (place === null) return window;
  const { lastStartMs, endMs } = place;
  return endMs === undefined
    ? { ...window, toMs: Math.min(window.toMs, lastStartMs - 1) }
    : { fromMs: Math.max(window.fromMs, lastStartMs + 1), toMs: Math.min(window.toMs, endMs) };
};

/** What a cursor is bound to of every list: the window, what was known of it, and its order. */
export const walkOf = ({ from, to, known_at: knownAt, order }: WalkInput): string[] => [
  from,
  to,
  ...(knownAt === undefined ? [] : [knownAt]),
  ...(order === "asc" ? [order] : []),
];

/** A revision of the ledger for each of the two. */
export type PairRevisions = readonly [number, number];

export interface PairSnapshot {
  readonly revisions: PairRevisions;
  /** From these on, rows were only added after the newest. */
  readonly unchangedSince: PairRevisions;
}

/** The revisions that a walk through pages began with; null on its first page, and in a cursor of an older process. */
const begunWith = (place: PagePlace | null): PairRevisions | null => {
  const [first, second] = place?.revisions ?? [];
  return first === undefined || second === undefined ? null : [first, second];
};

interface Readers<Rows> {
  /** Those in memory. */
  now(): (Rows & PairSnapshot) | Promise<Rows & PairSnapshot>;
  /** Those that stood, in the store. */
  at(revisions: PairRevisions): Promise<Rows>;
}

/**
 * The rows that a page is cut from, and their revisions: those in memory, as long as they show what was asked for.
 * @param asked.known the revision that `known_at` asks for; null for now
 * @param asked.place where a walk is; null on its first page
 */
export const snapshotFor = async <Rows>(
  { known, place }: { readonly known: number | null; readonly place: PagePlace | null },
  { now, at }: Readers<Rows>,
): Promise<Rows & Pick<PairSnapshot, "revisions">> => {
  const begun = begunWith(place);
  if (known !== null) {
    const revisions: PairRevisions = begun ?? [known, known];
    return { ...(await at(revisions)), revisions };
  }
  const found = now();
  const current = found instanceof Promise ? await found : found;
  const { unchangedSince } = current;
  if (begun === null || (begun[0] >= unchangedSince[0] && begun[1] >= unchangedSince[1])) return current;
  return { ...(await at(begun)), revisions: begun };
};
