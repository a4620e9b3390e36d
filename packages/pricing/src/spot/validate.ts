/** Validation rules for a single price reading before it may be a witness. Refusals are counted by rule name. */
import { catalogue } from "@assay/catalogue";
import type { DecimalText } from "@assay/contract";
import { toFixedText } from "../number/exact.ts";
import { atOneScale, compareDecimalText, isDecimalText } from "../number/scaled.ts";
import type { SourceInfo, SpotObservation } from "../readings/observation.ts";
import { PASSED, refused, type TimeRule, type Verdict, validateTime } from "../readings/validation.ts";

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

export interface SpotContext {
  readonly nowMs: number;
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
  // Whether a figure within the bounds is right cannot be decided from one reading: see `believe`.
  const { bounds, max_spread_percent } = catalogue.instrument(observation.instrument).plausible;
  const { low, high } = bounds;
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
  const { left, right } = atOneScale(bid, ask);
  const percent = { numerator: (right - left) * 200n, denominator: right + left };
  if (percent.numerator > BigInt(max_spread_percent) * percent.denominator)
    return refused("wide_spread", `${bid} to ${ask} is ${toFixedText(percent, 2)} % wide, at most ${max_spread_percent} %`);
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
