/** Validation rules for a single price reading before it may be a witness. Refusals are counted by rule name. */
import type { Instrument } from "../market/symbols.ts";
import { Decimal } from "../number/decimal.ts";
import { isDecimalText } from "../number/scaled.ts";
import type { SourceInfo, SpotObservation } from "../readings/observation.ts";
import { PASSED, type Refusal, refused, type TimeRule, type Verdict, validateTime } from "../readings/validation.ts";

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
  readonly low: Decimal;
  readonly high: Decimal;
  /** Maximum spread, in percent of the midpoint, inclusive. */
  readonly maxSpreadPercent: Decimal;
}

const bounds = (low: string, high: string, maxSpreadPercent: string): SaneBounds => ({
  low: new Decimal(low),
  high: new Decimal(high),
  maxSpreadPercent: new Decimal(maxSpreadPercent),
});

/**
 * The bounds of each instrument. They cover all prices since 1996 (gold 253 in 1999, silver 4, copper 0.60 per pound, GLD 41) up
 * to ten times today's, and exclude today's prices per gram or per kilogram of gold and per tonne of copper. Whether a figure
 * within them is right cannot be decided from one reading: see `believe`.
 */
export const SANE_BOUNDS: Readonly<Record<Instrument, SaneBounds>> = {
  "XAU-USD-SPOT": bounds("200", "50000", "2"),
  "XAG-USD-SPOT": bounds("3", "1000", "4"),
  "HG-USD-SPOT": bounds("0.4", "60", "4"),
  "XAU-USD-FUTURES": bounds("200", "50000", "2"),
  "XAG-USD-FUTURES": bounds("3", "1000", "4"),
  "HG-USD-FUTURES": bounds("0.4", "60", "4"),
  GLD: bounds("20", "5000", "2"),
};

/** The context of a validation. */
export interface SpotContext {
  readonly nowMs: number;
  /** The sources by key. */
  readonly sources: ReadonlyMap<string, SourceInfo>;
}

type Quoted = "price" | "bid" | "ask";

/** Every figure of a reading, each parsed once: readings come by the hundred a second. */
const readFigures = ({ price, bid, ask, volume }: SpotObservation): Map<Quoted, Decimal> | Refusal<SpotRule> => {
  const figures = new Map<Quoted, Decimal>();
  const named = [
    ["price", price],
    ["bid", bid],
    ["ask", ask],
    ["volume", volume],
  ] as const;
  for (const [name, text] of named) {
    if (text === undefined) continue;
    if (!isDecimalText(text)) return refused("malformed", `${name} ${JSON.stringify(text)}`);
    const figure = new Decimal(text);
    if (name === "volume" ? figure.lt(0) : figure.lte(0)) return refused("not_positive", `${name} ${text}`);
    if (name !== "volume") figures.set(name, figure);
  }
  return figures;
};

const validateFigures = (observation: SpotObservation): Verdict<SpotRule> => {
  const figures = readFigures(observation);
  if (!(figures instanceof Map)) return figures;
  const { low, high, maxSpreadPercent } = SANE_BOUNDS[observation.instrument];
  for (const [name, figure] of figures)
    if (figure.lt(low) || figure.gt(high))
      return refused("out_of_range", `${observation[name]}, believable is ${low} to ${high}`);
  const { price, bid: bidText, ask: askText } = observation;
  const [middle, bid, ask] = [figures.get("price"), figures.get("bid"), figures.get("ask")];
  if (bid && ask?.lt(bid)) return refused("crossed", `bid ${bidText} above ask ${askText}`);
  if (bid && middle?.lt(bid)) return refused("outside_spread", `price ${price} below bid ${bidText}`);
  if (ask && middle?.gt(ask)) return refused("outside_spread", `price ${price} above ask ${askText}`);
  if (!bid || !ask) return PASSED;
  const percent = ask.minus(bid).mul(200).div(ask.plus(bid));
  if (percent.gt(maxSpreadPercent))
    return refused("wide_spread", `${bidText} to ${askText} is ${percent.toFixed(2)} % wide, at most ${maxSpreadPercent} %`);
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
