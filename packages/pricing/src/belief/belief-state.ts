/** What is remembered of an instrument's published prices: what confirmed them, what is on probation, what was withdrawn. */
import type { DecimalText } from "@assay/contract";
import type { BarRow } from "../spot-price.ts";
import type { Instrument } from "../symbols.ts";
import { bandBps, isSamePrice } from "./band.ts";
import type { Anchor, Belief, LastPrice } from "./belief.ts";

/** For how long a price that began without the past, or against it, may still be withdrawn, in milliseconds. */
export const PROBATION_MS = 3_600_000;
/** Withdrawn numbers are remembered for longer than ticks are kept. */
const REMEMBER_MS = 2 * 3_600_000;

/** A run of ticks that may turn out wrong. */
export interface Probation {
  /** Its first tick. */
  readonly fromSeq: number;
  readonly fromMs: number;
  /** Everybody who spoke for it so far. */
  readonly by: readonly string[];
  /** When it ends; null while one witness alone speaks for it. */
  readonly untilMs: number | null;
  /** The forming bars of the series before its first tick. */
  readonly bars: readonly BarRow[];
}

/** Ticks nobody is shown any more, both ends included. */
export interface WithdrawnTicks {
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly atMs: number;
}

/** The state of one instrument; plain data, stored and sent as it is. */
export interface BeliefState {
  readonly instrument: Instrument;
  readonly anchor: Anchor | null;
  readonly last: LastPrice | null;
  readonly probation: Probation | null;
  /** Whether the ticks on probation are hidden, because nobody can say any more whether they are right. */
  readonly hidden: boolean;
  readonly withdrawn: readonly WithdrawnTicks[];
}

/** An instrument of which nothing was published yet. */
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
 * @param seq the tick's number
 */
export const isShown = (state: BeliefState | undefined, seq: number): boolean =>
  !state ||
  (!(state.hidden && state.probation !== null && seq >= state.probation.fromSeq) &&
    !state.withdrawn.some(({ fromSeq, toSeq }) => seq >= fromSeq && seq <= toSeq));

/** Whether the price that is shown is one that nothing confirms. */
export const isUnconfirmed = (state: BeliefState): boolean =>
  state.probation !== null && state.probation.untilMs === null && !state.hidden;

/** What a verdict does to the state. */
export interface BeliefStep {
  readonly state: BeliefState;
  /** Whether a tick is published. */
  readonly publishes: boolean;
  /** The run whose bars are to be undone before anything else; null for none. */
  readonly withdraws: Probation | null;
  /** Whether the tick is the first of a new run: the bars of before it are to be put into its `bars`. */
  readonly begins: boolean;
}

const isFar = (instrument: Instrument, price: DecimalText, past: LastPrice, nowMs: number): boolean =>
  !isSamePrice(price, past.price, bandBps(instrument, nowMs - past.atMs));

const union = (left: readonly string[], right: readonly string[]): readonly string[] => [...new Set([...left, ...right])];

/** Nobody knows: a run on probation is hidden, unless it is its own confirmed witnesses alone that now say something else. */
const disputedStep = (before: BeliefState, by: readonly string[]): BeliefState => {
  const { probation, hidden } = before;
  if (!probation || hidden) return before;
  const isByOthers = probation.untilMs === null || by.some((name) => !probation.by.includes(name));
  return isByOthers ? { ...before, hidden: true } : before;
};

/** Whether a believed price proves the run on probation wrong: nobody of those who spoke for it is believed, or nothing ever confirmed it. */
const provesWrong = (before: BeliefState, price: DecimalText, by: readonly string[], nowMs: number): boolean => {
  const { probation, last, instrument } = before;
  if (!probation || !last || !isFar(instrument, price, last, nowMs)) return false;
  return probation.untilMs === null || !by.some((name) => probation.by.includes(name));
};

/**
 * Takes a verdict into the state.
 * @param before the state so far
 * @param belief the verdict
 * @param seq the number the next tick would have
 * @param nowMs the moment of the verdict
 */
export const takeVerdict = (before: BeliefState, belief: Belief, seq: number, nowMs: number): BeliefStep => {
  if (belief.verdict === "silent" || belief.verdict === "waiting")
    return { state: before, publishes: false, withdraws: null, begins: false };
  if (belief.verdict === "disputed")
    return { state: disputedStep(before, belief.by), publishes: false, withdraws: null, begins: false };

  const { price, by, verdict } = belief;
  const { instrument } = before;
  const isConfirmed = verdict === "confirmed";
  const withdraws = provesWrong(before, price, by, nowMs) ? before.probation : null;
  const kept = before.withdrawn.filter(({ atMs }) => atMs >= nowMs - REMEMBER_MS);
  const withdrawn = withdraws ? [...kept, { fromSeq: withdraws.fromSeq, toSeq: seq - 1, atMs: nowMs }] : kept;
  const isOver = (probation: Probation): boolean => probation.untilMs !== null && nowMs > probation.untilMs;
  const open = withdraws || !before.probation || isOver(before.probation) ? null : before.probation;
  const isLeap = !before.anchor || isFar(instrument, price, before.anchor, nowMs);
  const begins = isConfirmed ? !open && isLeap : open === null || open.untilMs !== null;

  const own: Probation | null = begins ? { fromSeq: seq, fromMs: nowMs, by: [], untilMs: null, bars: [] } : open;
  const probation: Probation | null = own && {
    ...own,
    by: union(own.by, by),
    untilMs: own.untilMs ?? (isConfirmed ? nowMs + PROBATION_MS : null),
  };
  const anchor: Anchor | null = isConfirmed && by.length > 1 ? { price, atMs: nowMs, by } : before.anchor;
  const state = { instrument, anchor, last: { price, atMs: nowMs, by }, probation, hidden: false, withdrawn };
  return { state, publishes: true, withdraws, begins };
};

/** How far the anchor and the last price may move before they are worth storing again, in milliseconds. */
const STORE_EVERY_MS = 60_000;

/**
 * Whether a state is worth storing and sending.
 * @param stored the state as it was stored last
 */
export const isWorthStoring = (stored: BeliefState | undefined, state: BeliefState): boolean =>
  !stored ||
  stored.probation?.fromSeq !== state.probation?.fromSeq ||
  stored.probation?.untilMs !== state.probation?.untilMs ||
  stored.probation?.by.length !== state.probation?.by.length ||
  stored.hidden !== state.hidden ||
  stored.withdrawn.length !== state.withdrawn.length ||
  (stored.anchor === null) !== (state.anchor === null) ||
  (state.last?.atMs ?? 0) - (stored.last?.atMs ?? 0) >= STORE_EVERY_MS;
