/**
 * Currency rates at a moment: live where the reference rate does not contradict it, then the daily reference, each leg on its
 * own.
 */
import { startOfUtcDay } from "@assay/contract";
import { Decimal, fraction, multiplyExact, ONE, toDecimal } from "../number/exact.ts";
import type { FxObservation } from "../readings/observation.ts";
import { publishedMs, REFERENCE_SERVES_MS } from "./published.ts";
import { type FxLeg, type FxState, legOf, pegOf } from "./tables.ts";

/** Units of a currency per US dollar, and where the rate comes from. Exact as a fraction; `rate` is rounded to 40 digits. */
export interface FxRate extends FxLeg {
  /** The table's source; `identity` for USD, `peg` for currencies pegged to it. */
  readonly source: string;
  /** A peg to another currency than the dollar has the role of that leg. */
  readonly role: "identity" | "live" | "reference" | "peg";
  /** Its own instant: of a reference, when it was published. */
  readonly observedAtMs: number;
  /** The last instant at which it is fresh; Infinity for what never ages. */
  readonly freshUntilMs: number;
  /** Past its freshness at the given moment. */
  readonly isStale: boolean;
}

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
 * The newest reference rate of a currency that was published by a moment and is at most seven days old.
 * @param currency ISO 4217, upper case
 * @param atMs the moment, epoch milliseconds
 */
export const referenceLeg = (fx: FxState, currency: string, atMs: number): ReferenceLeg | null => {
  const table = fx.reference.findLast(
    (each) => publishedMs(each) <= atMs && atMs - each.observedAtMs <= REFERENCE_SERVES_MS && legOf(each, currency) !== null,
  );
  const leg = table && legOf(table, currency);
  return leg ? { table, leg } : null;
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
  const peg = pegOf(currency);
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

const isFreshAt = (table: FxObservation, atMs: number): boolean => atMs <= table.observedAtMs + table.freshForMs;

/** Without a reference rate, validation on arrival was the only check. */
const isRefused = (table: FxObservation, currency: string, witness: FxObservation | null): boolean =>
  witness !== null && offReference(table, currency, witness) !== null;

const rateFrom = (table: FxObservation, leg: FxLeg, atMs: number): FxRate => {
  const { source, role } = table;
  const freshUntilMs = table.observedAtMs + table.freshForMs;
  return { ...leg, source, role, observedAtMs: publishedMs(table), freshUntilMs, isStale: atMs > freshUntilMs };
};

/** The newest rate of a live table that is fresh at a moment and close to the reference; tables are oldest first. */
const freshLive = (fx: FxState, currency: string, atMs: number, witness: FxObservation | null): FxRate | null => {
  const isUsable = (table: FxObservation): boolean =>
    table.observedAtMs <= atMs &&
    isFreshAt(table, atMs) &&
    legOf(table, currency) !== null &&
    !isRefused(table, currency, witness);
  const table = fx.live.findLast(isUsable);
  const leg = table && legOf(table, currency);
  return leg ? rateFrom(table, leg, atMs) : null;
};

/** The newest live rate of the last seven days, fresh or not; none when it is too far off the reference. */
const lastLive = (fx: FxState, currency: string, atMs: number, witness: FxObservation | null): FxRate | null => {
  const table = fx.live.findLast((each) => each.observedAtMs <= atMs && legOf(each, currency) !== null);
  const leg = table && legOf(table, currency);
  if (!leg || atMs - table.observedAtMs > REFERENCE_SERVES_MS || isRefused(table, currency, witness)) return null;
  return rateFrom(table, leg, atMs);
};

const UNAGING = { freshUntilMs: Number.POSITIVE_INFINITY, isStale: false } as const;

/**
 * The rate of any currency, from those that are published: the dollar is one, and a currency with a fixed peg follows its anchor,
 * whatever a feed says.
 */
const derivedRate = (currency: string, atMs: number, published: (currency: string) => FxRate | null): FxRate | null => {
  if (currency === "USD")
    return { ...ONE, rate: new Decimal(1), source: "identity", role: "identity", observedAtMs: atMs, ...UNAGING };
  const peg = pegOf(currency);
  if (!peg?.fixed) return published(currency);
  const anchor = derivedRate(peg.to, atMs, published);
  if (!anchor) return null;
  const exact = multiplyExact(anchor, fraction(peg.units));
  const rate = { ...exact, rate: toDecimal(exact) };
  return anchor.role === "identity" ? { ...anchor, ...rate, source: "peg", role: "peg" } : { ...anchor, ...rate };
};

/**
 * Units of a currency per US dollar, as known at a moment.
 *
 * USD is one. A currency with a fixed peg follows its anchor, whatever a feed says. Every other currency is read from the newest
 * live table that is fresh, has it, and is not off the reference rate (`offReference`); otherwise from the newest reference table of the last seven days that has it, stale past that table's freshness; otherwise,
 * when no such reference has it, from the newest live table of the last seven days, stale. Verdicts are made at each lookup, so
 * that a later reference also ends the use of a table that was accepted before it. Only tables observed at or before the moment
 * count, and references published by then.
 * @param currency ISO 4217, upper case
 * @param atMs the moment, epoch milliseconds
 * @returns the rate, exact as a fraction and rounded to 40 digits in `rate`; null when no usable table has the currency
 */
export const fxRate = (fx: FxState, currency: string, atMs: number): FxRate | null =>
  derivedRate(currency, atMs, (published) => {
    const witness = witnessOf(fx, published, atMs);
    const live = freshLive(fx, published, atMs, witness);
    if (live) return live;
    const reference = referenceLeg(fx, published, atMs);
    return reference ? rateFrom(reference.table, reference.leg, atMs) : lastLive(fx, published, atMs, witness);
  });

/**
 * The reference rate that serves a past moment, or a whole day: of an instant the newest that was published by it, of a day the
 * newest of it or of the seven days before.
 * @param tables references, oldest first
 * @param when.dayMs null for an instant; else the start of the UTC day
 */
export const pastRate = (
  tables: readonly FxObservation[],
  currency: string,
  { atMs, dayMs }: { readonly atMs: number; readonly dayMs: number | null },
): FxRate | null =>
  derivedRate(currency, atMs, (published) => {
    const serves = (table: FxObservation): boolean => {
      if (dayMs === null) return publishedMs(table) <= atMs && atMs - table.observedAtMs <= REFERENCE_SERVES_MS;
      const daysMs = dayMs - startOfUtcDay(table.observedAtMs);
      return daysMs >= 0 && daysMs <= REFERENCE_SERVES_MS;
    };
    const table = tables.findLast((each) => serves(each) && legOf(each, published) !== null);
    const leg = table && legOf(table, published);
    return leg ? rateFrom(table, leg, atMs) : null;
  });
