/** Checks live rates against the reference rate: which legs of live tables may be used, and for how long. */
import { Decimal } from "../number/decimal.ts";
import type { FxObservation } from "../readings/observation.ts";
import { type FxLeg, legOf } from "./leg.ts";
import { PEGS } from "./pegs.ts";
import type { FxState } from "./state.ts";

/** How long a reference rate is valid, in milliseconds: seven days, longer than any holiday of the European Central Bank. */
export const REFERENCE_SERVES_MS = 7 * 86_400_000;

/** Maximum deviation of a live leg from the reference rate, in percent of it, inclusive. */
export const MAX_OFF_REFERENCE_PERCENT = 10;

/** Maximum deviation of a pegged currency from its peg. */
export const MAX_OFF_PEG_PERCENT = 1;

/** The deviation of a leg, and its limit. */
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
 * The newest reference rate of a currency known at a moment and at most seven days old.
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
 * The reference table that live legs of a currency are compared with: the newest at the moment or, when there was none yet, the
 * first one within seven days after it, so that a wrong leg is not shown to delayed callers either.
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

/** A pegged currency against its anchor, both from one table; compared with the reference, otherwise with the peg. */
const offPeg = (table: FxObservation, leg: FxLeg, currency: string, witness: FxObservation | null): OffReference | null => {
  const peg = Object.hasOwn(PEGS, currency) ? PEGS[currency] : undefined;
  const anchor = peg && legOf(table, peg.to);
  // When the euro itself is wrong, it says nothing about the krone.
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
 * The deviation of a live table's leg, when it is too large. Cached until another reference applies.
 * @param table a live table
 * @param currency ISO 4217, upper case
 * @param witness the reference table it is compared with; when omitted, only pegs are checked
 * @returns null when the leg may be used, and when the table does not have it
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
