/** The belief state of an instrument: what confirmed its published prices, which are on probation, which were withdrawn. */
import { DAY_MS, type DecimalText, HOUR_MS } from "@assay/contract";
import type { BarRow } from "../bars/bar.ts";
import type { Instrument } from "../conventions/symbols.ts";
import type { Anchor, Belief, LastPrice } from "./believe.ts";
import { bandBps, isSamePrice } from "./voices.ts";

/** How long a price that started without history, or against it, can still be withdrawn, in milliseconds. */
export const PROBATION_MS = HOUR_MS;
/** Withdrawn sequence numbers are kept longer than ticks are. */
const REMEMBER_MS = 31 * DAY_MS;
/** The most runs remembered; a price that flaps for weeks has more. */
const MAX_REMEMBERED = 1_000;

/** A run of ticks that may turn out to be wrong. */
export interface Probation {
  /** Its first tick. */
  readonly fromSeq: number;
  readonly fromMs: number;
  /** Every witness that has supported it so far. */
  readonly by: readonly string[];
  /** When it ends; null while only one witness supports it. */
  readonly untilMs: number | null;
  /** The forming bars of the series before its first tick. */
  readonly bars: readonly BarRow[];
}

/** Hidden ticks, both ends inclusive. */
export interface WithdrawnTicks {
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly atMs: number;
}

/** A published price, some of whose sources have since said what is doubted. */
export interface DoubtedTick {
  readonly seq: number;
  /** Those sources, each with the instant of its first doubted reading. */
  readonly sources: readonly { readonly source: string; readonly atMs: number }[];
  /** The last instant at which the price is fresh by the other sources that set it. */
  readonly freshUntilMs: number;
}

/** The belief state of one instrument; plain data, stored and sent unchanged. */
export interface BeliefState {
  readonly instrument: Instrument;
  readonly anchor: Anchor | null;
  readonly last: LastPrice | null;
  readonly probation: Probation | null;
  /** Whether the ticks on probation are hidden, because it is no longer known whether they are right. */
  readonly hidden: boolean;
  readonly withdrawn: readonly WithdrawnTicks[];
  /** Ticks whose sources have since said what is doubted, oldest first; left out when there are none. */
  readonly doubted?: readonly DoubtedTick[];
}

/** An instrument without a published price. */
export const unknownBelief = (instrument: Instrument, anchor: Anchor | null = null): BeliefState => ({
  instrument,
  anchor,
  last: null,
  probation: null,
  hidden: false,
  withdrawn: [],
});

/**
 * Whether a tick may be shown.
 * @param state the newest state of its instrument; undefined when there is none
 * @param seq the tick's sequence number
 */
export const isShown = (state: BeliefState | undefined, seq: number): boolean =>
  !state ||
  (!(state.hidden && state.probation !== null && seq >= state.probation.fromSeq) &&
    !state.withdrawn.some(({ fromSeq, toSeq }) => seq >= fromSeq && seq <= toSeq));

export const isUnconfirmed = (state: BeliefState): boolean =>
  state.probation !== null && state.probation.untilMs === null && !state.hidden;

export interface BeliefStep {
  readonly state: BeliefState;
  readonly publishes: boolean;
  /** The run whose bars must be undone first; null for none. */
  readonly withdraws: Probation | null;
  /** Whether the tick starts a new run: the forming bars before it must then be stored in the run's `bars`. */
  readonly begins: boolean;
}

const isFar = (instrument: Instrument, price: DecimalText, past: LastPrice, nowMs: number): boolean =>
  !isSamePrice(price, past.price, bandBps(instrument, nowMs - past.atMs));

const union = (left: readonly string[], right: readonly string[]): readonly string[] => [...new Set([...left, ...right])];

/** No verdict: a run on probation is hidden, unless only its own confirmed witnesses now disagree. */
const disputedStep = (before: BeliefState, by: readonly string[]): BeliefState => {
  const { probation, hidden } = before;
  if (!probation || hidden) return before;
  const isByOthers = probation.untilMs === null || by.some((name) => !probation.by.includes(name));
  return isByOthers ? { ...before, hidden: true } : before;
};

/**
 * Whether the witnesses of another price take a run back: always when nothing confirmed it, otherwise only when none of them ever
 * supported it and they are more than those who did. Those that have fallen silent keep their vote, or the few that speak on would
 * take back what many confirmed.
 */
const outvote = (by: readonly string[], run: Probation): boolean =>
  run.untilMs === null || (by.length > run.by.length && !by.some((name) => run.by.includes(name)));

/**
 * Applies a verdict to the state.
 * @param before the state so far
 * @param seq the next tick's sequence number
 */
export const takeVerdict = (before: BeliefState, belief: Belief, seq: number, nowMs: number): BeliefStep => {
  if (belief.verdict === "silent" || belief.verdict === "waiting")
    return { state: before, publishes: false, withdraws: null, begins: false };
  if (belief.verdict === "disputed")
    return { state: disputedStep(before, belief.by), publishes: false, withdraws: null, begins: false };

  const { price, by, verdict } = belief;
  const { instrument } = before;
  const isConfirmed = verdict === "confirmed";
  const contradicted = before.last && isFar(instrument, price, before.last, nowMs) ? before.probation : null;
  const withdraws = contradicted && outvote(by, contradicted) ? contradicted : null;
  const kept = before.withdrawn.filter(({ atMs }) => atMs >= nowMs - REMEMBER_MS).slice(-MAX_REMEMBERED);
  const withdrawn = withdraws ? [...kept, { fromSeq: withdraws.fromSeq, toSeq: seq - 1, atMs: nowMs }] : kept;
  const isOver = (probation: Probation): boolean => probation.untilMs !== null && nowMs > probation.untilMs;
  // A contradicted run that is not withdrawn is settled: the other price is a run of its own, which may be withdrawn in turn.
  const open = contradicted || !before.probation || isOver(before.probation) ? null : before.probation;
  const isLeap = !before.anchor || isFar(instrument, price, before.anchor, nowMs);
  const begins = isConfirmed ? !open && isLeap : open === null || open.untilMs !== null;

  const own: Probation | null = begins ? { fromSeq: seq, fromMs: nowMs, by: [], untilMs: null, bars: [] } : open;
  const probation: Probation | null = own && {
    ...own,
    by: union(own.by, by),
    untilMs: own.untilMs ?? (isConfirmed ? nowMs + PROBATION_MS : null),
  };
  const anchor: Anchor | null = isConfirmed && by.length > 1 ? { price, atMs: nowMs, by } : before.anchor;
  const { doubted } = before;
  const last = { price, atMs: nowMs, by };
  const state = { instrument, anchor, last, probation, hidden: false, withdrawn, ...(doubted && { doubted }) };
  return { state, publishes: true, withdraws, begins };
};

/** How often changes of the anchor and the last price alone are stored, in milliseconds. */
const STORE_EVERY_MS = 60_000;

/**
 * Whether a state differs enough to be stored and sent.
 * @param stored the state as last stored
 */
export const isWorthStoring = (stored: BeliefState | undefined, state: BeliefState): boolean =>
  !stored ||
  stored.probation?.fromSeq !== state.probation?.fromSeq ||
  stored.probation?.untilMs !== state.probation?.untilMs ||
  stored.probation?.by.length !== state.probation?.by.length ||
  stored.hidden !== state.hidden ||
  stored.withdrawn.length !== state.withdrawn.length ||
  stored.doubted?.at(-1) !== state.doubted?.at(-1) ||
  (stored.anchor === null) !== (state.anchor === null) ||
  (state.last?.atMs ?? 0) - (stored.last?.atMs ?? 0) >= STORE_EVERY_MS;
