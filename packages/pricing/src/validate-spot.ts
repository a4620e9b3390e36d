/** The rules a price reading obeys before it may take part in a price. Each has a name; a refusal is counted under it. */
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
  /** Too far from what the other fresh primaries say. */
  | "jump";

/** What is believable of an instrument. */
export interface SaneBounds {
  /** USD per the instrument's unit, inclusive. */
  readonly low: Decimal;
  readonly high: Decimal;
  /** How far a reading may be from the median of the other fresh primaries, in percent of it, inclusive. */
  readonly maxJumpPercent: Decimal;
}

const bounds = (low: string, high: string, maxJumpPercent: string): SaneBounds => ({
  low: new Decimal(low),
  high: new Decimal(high),
  maxJumpPercent: new Decimal(maxJumpPercent),
});

/**
 * The bounds of each instrument. They span what was paid since 1996 (gold 253 in 1999, silver 4, copper 0.60 per pound,
 * GLD 41) and ten times today's prices, and leave out today's prices per gram or per kilogram of gold and per tonne of
 * copper. Sources of one instrument differ by tens of basis points when markets are wild; by whole percents they do not.
 */
export const SANE_BOUNDS: Readonly<Record<Instrument, SaneBounds>> = {
  "XAU-USD-SPOT": bounds("200", "50000", "5"),
  "XAG-USD-SPOT": bounds("3", "1000", "8"),
  "HG-USD-SPOT": bounds("0.4", "60", "8"),
  "XAU-USD-FUTURES": bounds("200", "50000", "5"),
  "XAG-USD-FUTURES": bounds("3", "1000", "8"),
  "HG-USD-FUTURES": bounds("0.4", "60", "8"),
  GLD: bounds("20", "5000", "5"),
};

/** What a reading is held against. */
export interface SpotContext {
  readonly nowMs: number;
  /** The latest valid reading of every source; the reading's own source and other instruments are passed over. */
  readonly latestBySource: readonly SpotObservation[];
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

const validateSpread = ({ price, bid, ask }: SpotObservation): Verdict<SpotRule> => {
  const middle = new Decimal(price);
  if (bid !== undefined && ask !== undefined && new Decimal(bid).gt(ask))
    return refused("crossed", `bid ${bid} above ask ${ask}`);
  if (bid !== undefined && middle.lt(bid)) return refused("outside_spread", `price ${price} below bid ${bid}`);
  if (ask !== undefined && middle.gt(ask)) return refused("outside_spread", `price ${price} above ask ${ask}`);
  return PASSED;
};

const validateJump = (observation: SpotObservation, context: SpotContext): Verdict<SpotRule> => {
  const others = context.latestBySource
    .filter((other) => {
      const info = context.sources.get(other.source);
      return (
        other.instrument === observation.instrument &&
        other.source !== observation.source &&
        info?.role === "primary" &&
        context.nowMs <= other.observedAtMs + info.freshForMs
      );
    })
    .map((other) => new Decimal(other.price))
    .sort((a, b) => a.cmp(b));
  const upper = others[others.length >> 1];
  const lower = others[(others.length - 1) >> 1];
  if (!upper || !lower) return PASSED;
  const median = upper.plus(lower).div(2);
  const percent = new Decimal(observation.price).minus(median).abs().mul(100).div(median);
  const { maxJumpPercent } = SANE_BOUNDS[observation.instrument];
  if (percent.lte(maxJumpPercent)) return PASSED;
  return refused("jump", `${observation.price} is ${percent.toFixed(2)} % from ${median.toFixed()}, at most ${maxJumpPercent} %`);
};

/**
 * Checks a price reading against every rule, in the order they are listed here: time, figures, range, spread, jump.
 *
 * The jump is measured against the median of the other fresh primaries; with none there is nothing to measure against. The
 * council's daily rate is not measured: it is meant to be of another hour.
 * @param observation the reading, as the feed made it
 * @param context what it is held against
 * @returns ok, or the first rule it breaks
 */
export const validateSpot = (observation: SpotObservation, context: SpotContext): Verdict<SpotRule> => {
  const info = context.sources.get(observation.source);
  const checks = [
    () => validateTime(observation.observedAtMs, context.nowMs, info?.freshForMs ?? 0),
    () => validateFigures(observation),
    () => validateSpread(observation),
    () => (info?.role === "council" ? PASSED : validateJump(observation, context)),
  ];
  for (const check of checks) {
    const verdict = check();
    if (!verdict.ok) return verdict;
  }
  return PASSED;
};
