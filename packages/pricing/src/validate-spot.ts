/** The rules a price reading obeys by itself before it may be a witness. Each has a name; a refusal is counted under it. */
import { Decimal } from "./decimal.ts";
import type { SourceInfo, SpotObservation } from "./observation.ts";
import { isDecimalText } from "./scaled.ts";
import type { Instrument } from "./symbols.ts";
import { PASSED, refused, type TimeRule, type Verdict, validateTime } from "./validation.ts";

/** The rules, by name. */
export type SpotRule =
  | TimeRule
  /** A figure that is no plain decimal. */
  | "malformed"
  /** A price, bid or ask that is not above zero, or a volume below zero. */
  | "not_positive"
  /** A price no market of this instrument has: a wrong unit, currency or scale. */
  | "out_of_range"
  /** A bid above the ask. */
  | "crossed"
  /** A price below its own bid or above its own ask. */
  | "outside_spread"
  /** A bid and an ask so far apart that one of them is wrong. */
  | "wide_spread";

/** What is believable of an instrument. */
export interface SaneBounds {
  /** USD per the instrument's unit, inclusive. */
  readonly low: Decimal;
  readonly high: Decimal;
  /** How far bid and ask may be apart, in percent of their middle, inclusive. */
  readonly maxSpreadPercent: Decimal;
}

const bounds = (low: string, high: string, maxSpreadPercent: string): SaneBounds => ({
  low: new Decimal(low),
  high: new Decimal(high),
  maxSpreadPercent: new Decimal(maxSpreadPercent),
});

/**
 * The bounds of each instrument. They span what was paid since 1996 (gold 253 in 1999, silver 4, copper 0.60 per pound,
 * GLD 41) and ten times today's prices, and leave out today's prices per gram or per kilogram of gold and per tonne of
 * copper. Whether a figure within them is right is not for one reading to say: see `believe`.
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

/** What a reading is judged with. */
export interface SpotContext {
  readonly nowMs: number;
  /** Who the sources are, by key. */
  readonly sources: ReadonlyMap<string, SourceInfo>;
}

const validateFigures = (observation: SpotObservation): Verdict<SpotRule> => {
  const { price, bid, ask, volume } = observation;
  for (const [name, text] of Object.entries({ price, bid, ask, volume })) {
    if (text === undefined) continue;
    if (!isDecimalText(text)) return refused("malformed", `${name} ${JSON.stringify(text)}`);
    const figure = new Decimal(text);
    if (name === "volume" ? figure.lt(0) : figure.lte(0)) return refused("not_positive", `${name} ${text}`);
  }
  const { low, high } = SANE_BOUNDS[observation.instrument];
  for (const text of [price, bid, ask]) {
    if (text === undefined) continue;
    const figure = new Decimal(text);
    if (figure.lt(low) || figure.gt(high)) return refused("out_of_range", `${text}, believable is ${low} to ${high}`);
  }
  return PASSED;
};

const validateSpread = ({ price, bid, ask, instrument }: SpotObservation): Verdict<SpotRule> => {
  const middle = new Decimal(price);
  if (bid !== undefined && ask !== undefined && new Decimal(bid).gt(ask))
    return refused("crossed", `bid ${bid} above ask ${ask}`);
  if (bid !== undefined && middle.lt(bid)) return refused("outside_spread", `price ${price} below bid ${bid}`);
  if (ask !== undefined && middle.gt(ask)) return refused("outside_spread", `price ${price} above ask ${ask}`);
  if (bid === undefined || ask === undefined) return PASSED;
  const percent = new Decimal(ask).minus(bid).mul(200).div(new Decimal(ask).plus(bid));
  const { maxSpreadPercent } = SANE_BOUNDS[instrument];
  if (percent.gt(maxSpreadPercent))
    return refused("wide_spread", `${bid} to ${ask} is ${percent.toFixed(2)} % wide, at most ${maxSpreadPercent} %`);
  return PASSED;
};

/**
 * Checks a price reading by itself against every rule, in the order they are listed here: time, figures, range, spread.
 * What other sources say is compared by `believe`.
 * @param observation the reading, as the feed made it
 * @param context when, and who the sources are
 * @returns ok, or the first rule it breaks
 */
export const validateSpot = (observation: SpotObservation, { nowMs, sources }: SpotContext): Verdict<SpotRule> => {
  const freshForMs = sources.get(observation.source)?.freshForMs ?? 0;
  const checks = [
    () => validateTime(observation.observedAtMs, nowMs, freshForMs),
    () => validateFigures(observation),
    () => validateSpread(observation),
  ];
  for (const check of checks) {
    const verdict = check();
    if (!verdict.ok) return verdict;
  }
  return PASSED;
};
