/** What a reference rate vouches for: which legs of live tables may be used beside it, and for how long. */
import { Decimal } from "./decimal.ts";
import { type FxLeg, legOf } from "./fx-leg.ts";
import { PEGS } from "./fx-pegs.ts";
import type { FxState } from "./fx-state.ts";
import type { FxObservation } from "./observation.ts";

/** How long a reference rate is one, in milliseconds: seven days, which no holiday of the European Central Bank reaches. */
export const REFERENCE_SERVES_MS = 7 * 86_400_000;

/** How far a live leg may be off the reference rate, in percent of it, inclusive. */
export const MAX_OFF_REFERENCE_PERCENT = 10;

/** How far a pegged currency may be off, against the currency it is pegged to. */
export const MAX_OFF_PEG_PERCENT = 1;

/** How far a leg is off, and how far it may be. */
export interface OffReference {
  readonly percent: Decimal;
  readonly limit: number;
}

/** A currency's leg of a reference table. */
export interface ReferenceLeg {
  readonly table: FxObservation;
  readonly leg: FxLeg;
}

/**
 * The newest reference rate of a currency that was known at a moment and is not older than seven days.
 * @param fx the tables
 * @param currency ISO 4217, upper case
 * @param atMs the moment, epoch milliseconds
 */
export const referenceLeg = (fx: FxState, currency: string, atMs: number): ReferenceLeg | null => {
  for (let index = fx.reference.length - 1; index >= 0; index--) {
    const table = fx.reference[index];
    if (!table || table.observedAtMs > atMs) continue;
    if (atMs - table.observedAtMs > REFERENCE_SERVES_MS) return null;
    const leg = legOf(table, currency);
    if (leg) return { table, leg };
  }
  return null;
};

/**
 * The reference table that live legs of a currency are compared with: the newest at the moment, or before there was any
 * the first one within seven days after it, so that a wrong leg is not shown to late callers either.
 */
export const witnessOf = (fx: FxState, currency: string, atMs: number): FxObservation | null =>
  referenceLeg(fx, currency, atMs)?.table ??
  fx.reference.find(
    (table) => table.observedAtMs > atMs && table.observedAtMs - atMs <= REFERENCE_SERVES_MS && legOf(table, currency) !== null,
  ) ??
  null;

const beyond = (figure: Decimal, expected: Decimal, limit: number): OffReference | null => {
  const percent = figure.minus(expected).abs().mul(100).div(expected);
  return percent.gt(limit) ? { percent, limit } : null;
};

const offRate = (leg: FxLeg, currency: string, witness: FxObservation | null): OffReference | null => {
  const expected = witness && legOf(witness, currency);
  return expected && beyond(leg.rate, expected.rate, MAX_OFF_REFERENCE_PERCENT);
};

/** A pegged currency against what it is pegged to, both of one table; as the reference has it, else as the peg is. */
const offPeg = (table: FxObservation, leg: FxLeg, currency: string, witness: FxObservation | null): OffReference | null => {
  const peg = Object.hasOwn(PEGS, currency) ? PEGS[currency] : undefined;
  const anchor = peg && legOf(table, peg.to);
  // A euro that is itself wrong says nothing of the krone.
  if (!peg || !anchor || offRate(anchor, peg.to, witness)) return null;
  const [published, publishedAnchor] = [witness && legOf(witness, currency), witness && legOf(witness, peg.to)];
  const expected = published && publishedAnchor ? published.rate.div(publishedAnchor.rate) : new Decimal(peg.units);
  return beyond(leg.rate.div(anchor.rate), expected, MAX_OFF_PEG_PERCENT);
};

interface Verdict {
  readonly witness: FxObservation | null;
  readonly off: OffReference | null;
}

const VERDICTS = new WeakMap<FxObservation, Map<string, Verdict>>();

/**
 * How far a leg of a live table is off, when that is too far. Kept once made, until another reference is the witness.
 * @param table a live table
 * @param currency ISO 4217, upper case
 * @param witness the reference table it is compared with; without one only pegs are looked at
 * @returns null when the leg may be used, and when the table has none
 */
export const offReference = (table: FxObservation, currency: string, witness: FxObservation | null): OffReference | null => {
  const verdicts = VERDICTS.get(table) ?? new Map<string, Verdict>();
  if (verdicts.size === 0) VERDICTS.set(table, verdicts);
  const known = verdicts.get(currency);
  if (known?.witness === witness) return known.off;
  const leg = legOf(table, currency);
  const off = leg && (offRate(leg, currency, witness) ?? offPeg(table, leg, currency, witness));
  verdicts.set(currency, { witness, off });
  return off;
};
