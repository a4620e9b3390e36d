/** Validation rules for a single price reading before it may be a witness. Refusals are counted by rule name. */
import type { DecimalText } from "@assay/contract";
import type { Instrument } from "../market/symbols.ts";
import { toFixedText } from "../number/fraction.ts";
import { compareDecimalText, isDecimalText, readScaled, unitsAt } from "../number/scaled.ts";
import type { SourceInfo, SpotObservation } from "../readings/observation.ts";
import { PASSED, refused, type TimeRule, type Verdict, validateTime } from "../readings/validation.ts";

/** The rules, by name. */
export type SpotRule =
  | TimeRule
  /** A figure that is not a plain decimal. */
  | "malformed"
  /** A price, bid or ask that is not above zero, or a volume below zero. */
  | "not_positive"
  /** A price outside the instrument's plausible range: a wrong unit, currency or scale. */
  | "out_of_range"
  /** A bid above the ask. */
  | "crossed"
  /** A price below its own bid or above its own ask. */
  | "outside_spread"
  /** A spread so wide that bid or ask must be wrong. */
  | "wide_spread";

/** Plausible values of an instrument. */
export interface SaneBounds {
  /** USD per the instrument's unit, inclusive. */
  readonly low: DecimalText;
  readonly high: DecimalText;
  /** Maximum spread, in percent of the midpoint, inclusive. */
  readonly maxSpreadPercent: bigint;
}

const bounds = (low: DecimalText, high: DecimalText, maxSpreadPercent: bigint): SaneBounds => ({ low, high, maxSpreadPercent });

/**
 * The bounds of each instrument. They cover all prices since 1996 (gold 253 in 1999, silver 4, copper 0.60 per pound, GLD 41) up
 * to ten times today's, and exclude today's prices per gram or per kilogram of gold and per tonne of copper. Whether a figure
 * within them is right cannot be decided from one reading: see `believe`.
 */
export const SANE_BOUNDS: Readonly<Record<Instrument, SaneBounds>> = {
  "XAU-USD-SPOT": bounds("200", "50000", 2n),
  "XAG-USD-SPOT": bounds("3", "1000", 4n),
  "HG-USD-SPOT": bounds("0.4", "60", 4n),
  "XAU-USD-FUTURES": bounds("200", "50000", 2n),
  "XAG-USD-FUTURES": bounds("3", "1000", 4n),
  "HG-USD-FUTURES": bounds("0.4", "60", 4n),
  GLD: bounds("20", "5000", 2n),
};

/** The context of a validation. */
export interface SpotContext {
  readonly nowMs: number;
  /** The sources by key. */
  readonly sources: ReadonlyMap<string, SourceInfo>;
}

const QUOTED = ["price", "bid", "ask"] as const;
const FIGURES = [...QUOTED, "volume"] as const;

/** -1, 0 or 1, of a plain decimal. */
const signOf = (text: DecimalText): number => (/[1-9]/.test(text) ? (text.startsWith("-") ? -1 : 1) : 0);

/** Compares text as far as possible, which is exact too: readings come by the hundred a second. */
const validateFigures = (observation: SpotObservation): Verdict<SpotRule> => {
  for (const name of FIGURES) {
    const text = observation[name];
    if (text === undefined) continue;
    if (!isDecimalText(text)) return refused("malformed", `${name} ${JSON.stringify(text)}`);
    if (signOf(text) < (name === "volume" ? 0 : 1)) return refused("not_positive", `${name} ${text}`);
  }
  const { low, high, maxSpreadPercent } = SANE_BOUNDS[observation.instrument];
  for (const name of QUOTED) {
    const text = observation[name];
    if (text !== undefined && (compareDecimalText(text, low) < 0 || compareDecimalText(text, high) > 0))
      return refused("out_of_range", `${text}, believable is ${low} to ${high}`);
  }
  const { price, bid, ask } = observation;
  if (bid !== undefined && ask !== undefined && compareDecimalText(ask, bid) < 0)
    return refused("crossed", `bid ${bid} above ask ${ask}`);
  if (bid !== undefined && compareDecimalText(price, bid) < 0)
    return refused("outside_spread", `price ${price} below bid ${bid}`);
  if (ask !== undefined && compareDecimalText(price, ask) > 0)
    return refused("outside_spread", `price ${price} above ask ${ask}`);
  if (bid === undefined || ask === undefined) return PASSED;
  const [lower, upper] = [readScaled(bid), readScaled(ask)];
  const scale = Math.max(lower.scale, upper.scale);
  const [from, to] = [unitsAt(lower, scale), unitsAt(upper, scale)];
  const percent = { numerator: (to - from) * 200n, denominator: to + from };
  if (percent.numerator > maxSpreadPercent * percent.denominator)
    return refused("wide_spread", `${bid} to ${ask} is ${toFixedText(percent, 2)} % wide, at most ${maxSpreadPercent} %`);
  return PASSED;
};

/**
 * Validates a single price reading against every rule, in this order: time, figures, range, spread. `believe` compares it with
 * other sources.
 * @param observation the reading, as the feed made it
 * @param context when, and the sources
 * @returns ok, or the first rule it breaks
 */
export const validateSpot = (observation: SpotObservation, { nowMs, sources }: SpotContext): Verdict<SpotRule> => {
  const freshForMs = sources.get(observation.source)?.freshForMs ?? 0;
  const time = validateTime(observation.observedAtMs, nowMs, freshForMs);
  return time.ok ? validateFigures(observation) : time;
};
