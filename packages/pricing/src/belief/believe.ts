/**
 * Decides which readings are believed: all readings of an instrument are judged by the same witnesses, independent of arrival
 * order.
 */
import type { DecimalText } from "@assay/contract";
import type { Instrument } from "../conventions/symbols.ts";
import { divideHalfUp, readScaled, unitsAt, writeUnits } from "../number/scaled.ts";
import type { SourceInfo, SpotObservation } from "../readings/observation.ts";
import { bandBps, groupsOf, isNear, MAX_BAND_BPS, middleOf, unitFactor, type Voice, type Voices, voicesOf } from "./voices.ts";

/** The past as a witness: the last price confirmed by two sources, otherwise the close of the newest closed bar. */
export interface Anchor {
  readonly price: DecimalText;
  /** Its time, epoch milliseconds; the band around it widens with its age. */
  readonly atMs: number;
  /**
   * Its witnesses; empty for bars that come from none of the sources. When all of them repeat it, it is not an additional
   * witness.
   */
  readonly by: readonly string[];
}

/** The last published price and its sources; not a witness. */
export interface LastPrice {
  readonly price: DecimalText;
  readonly atMs: number;
  readonly by: readonly string[];
}

export interface RefusedReading {
  readonly observation: SpotObservation;
  /**
   * `jump`: outside the band of the majority, or of the past; `unit`: the same, and within it when read in another unit.
   * `dispute`: there is no majority.
   */
  readonly rule: "jump" | "unit" | "dispute";
  readonly detail: string;
}

export type Belief =
  /** There is a price: by a majority of at least two witnesses (`confirmed`), or by one with nothing to compare it with. */
  | {
      readonly verdict: "confirmed" | "unconfirmed";
      /** The median of the believed readings that set the price. */
      readonly price: DecimalText;
      /** Readings that set the price, and those that may be listed beside it. */
      readonly believed: readonly SpotObservation[];
      readonly refused: readonly RefusedReading[];
      /** The current witnesses that support it, without the past. */
      readonly by: readonly string[];
    }
  /** Too few witnesses at a cold start, while others may still arrive. */
  | {
      readonly verdict: "waiting";
      readonly price: DecimalText | null;
      readonly by: readonly string[];
      readonly refused: readonly [];
    }
  /** No majority: nothing is published. */
  | { readonly verdict: "disputed"; readonly by: readonly string[]; readonly refused: readonly RefusedReading[] }
  /** No fresh reading that may set a price. */
  | { readonly verdict: "silent"; readonly refused: readonly [] };

/** How long a cold start waits for a second witness when several primaries are configured, in milliseconds. */
export const SECOND_WITNESS_MS = 30_000;

export interface BeliefInput {
  readonly instrument: Instrument;
  /** The latest well-formed reading of each source, including disbelieved ones. */
  readonly readings: readonly SpotObservation[];
  readonly sources: ReadonlyMap<string, SourceInfo>;
  readonly anchor: Anchor | null;
  readonly last: LastPrice | null;
  /** Whether the last price is hidden because another witness disputed it. */
  readonly isDisputed: boolean;
  /** Number of configured primary witnesses of the instrument. */
  readonly configured: number;
  /** When the cold start began waiting; null when it is not waiting. */
  readonly waitingSinceMs: number | null;
  readonly nowMs: number;
}

/** A group of agreeing readings with all its witnesses. */
interface Case {
  readonly group: readonly Voice[];
  readonly price: bigint;
  /** Current witnesses that support it. */
  readonly names: ReadonlySet<string>;
  readonly weight: number;
  readonly total: number;
}

const timeOf = (group: readonly Voice[], nowMs: number): number =>
  group[0]?.info.role === "council" ? Math.max(...group.map(({ observation }) => observation.observedAtMs)) : nowMs;

const unitsOf = (price: DecimalText, scale: number): bigint => unitsAt(readScaled(price), scale);

/** Measured from the lower of the two, as within a group: otherwise a rate could agree with two groups that do not overlap. */
const agrees = (input: BeliefInput, price: bigint, { units, observation }: Voice): boolean => {
  const [higher, lower] = units > price ? [units, price] : [price, units];
  return isNear(higher, lower, bandBps(input.instrument, input.nowMs - observation.observedAtMs));
};

const isNearPast = (input: BeliefInput, past: LastPrice, scale: number, price: bigint, atMs: number): boolean =>
  isNear(price, unitsOf(past.price, scale), bandBps(input.instrument, atMs - past.atMs));

/** Whether the past only repeats its own current witnesses, and so is not an additional witness. */
const isEcho = ({ anchor, instrument }: BeliefInput, { primaries, councils, scale }: Voices): boolean => {
  if (!anchor || anchor.by.length === 0) return false;
  const past = unitsOf(anchor.price, scale);
  return anchor.by.every((name) =>
    [...primaries, ...councils].some(
      ({ origin, units, observation }) =>
        origin === name && isNear(units, past, bandBps(instrument, observation.observedAtMs - anchor.atMs)),
    ),
  );
};

const caseOf = (input: BeliefInput, voices: Voices, group: readonly Voice[]): Case => {
  const { scale, origins: all, councils } = voices;
  const price = middleOf(group);
  const isPrimary = group[0]?.info.role === "primary";
  const supporters = isPrimary ? councils.filter((voice) => agrees(input, price, voice)) : [];
  const names = new Set([...group, ...supporters].map(({ origin }) => origin));
  const anchor = isEcho(input, voices) ? null : input.anchor;
  const isNearAnchor = anchor !== null && isNearPast(input, anchor, scale, price, timeOf(group, input.nowMs));
  return { group, price, names, weight: names.size + (isNearAnchor ? 1 : 0), total: all.size + (anchor ? 1 : 0) };
};

/**
 * A market gap: at least two primaries that are most of the fresh ones and half of all witnesses. They outweigh the past and the
 * council's daily rate when no other primary independently agrees with those, and the move is plausible for a market.
 */
const isGap = (input: BeliefInput, { scale, primaries, councils }: Voices, { group, price, weight, total }: Case): boolean => {
  if (2 * weight !== total || group[0]?.info.role !== "primary") return false;
  const distinct = (voices: readonly Voice[]): number => new Set(voices.map(({ origin }) => origin)).size;
  if (distinct(group) < 2 || 2 * distinct(group) <= distinct(primaries)) return false;
  const before = councils.map(({ units }) => units);
  if (input.anchor) before.push(unitsOf(input.anchor.price, scale));
  // The past's own witnesses agree with it for that reason alone.
  const others = primaries.filter((voice) => !group.includes(voice) && !input.anchor?.by.includes(voice.origin));
  return before.every(
    (reference) =>
      isNear(price, reference, MAX_BAND_BPS) &&
      !others.some(({ units }) => isNear(units, reference, bandBps(input.instrument, 0))),
  );
};

const widthOf = ({ group }: Case): bigint => (group.at(-1)?.units ?? 0n) - (group[0]?.units ?? 0n);

/**
 * The case that outweighs all others together, or is a gap: among equals that share a reading, the closest; `tie` when two share
 * none.
 */
const majorityOf = (input: BeliefInput, voices: Voices, cases: readonly Case[]): Case | "tie" | null => {
  const winners = cases.filter((each) => 2 * each.weight > each.total || isGap(input, voices, each));
  const heaviest = Math.max(0, ...winners.map(({ weight }) => weight));
  const [first, ...rest] = winners.filter(({ weight }) => weight === heaviest);
  if (!first) return null;
  const closest = rest.reduce((best, each) => (widthOf(each) < widthOf(best) ? each : best), first);
  const hasRival = [first, ...rest].some((each) => !each.group.some((voice) => closest.group.includes(voice)));
  return hasRival ? "tie" : closest;
};

/** The refusal of a reading that is not near a price. */
const refusal = (instrument: Instrument, { units, observation }: Voice, price: bigint, scale: number): RefusedReading => {
  const apart = units > price ? units - price : price - units;
  const percent = writeUnits(divideHalfUp(apart * 10_000n, price), 2);
  const detail = `${observation.price} is ${percent} % from ${writeUnits(price, scale, 2)}`;
  const factor = unitFactor(units, price, bandBps(instrument, 0));
  if (factor === null) return { observation, rule: "jump", detail };
  return { observation, rule: "unit", detail: `${detail}; a factor of ${factor} apart` };
};

const observationsOf = (voices: readonly Voice[]): SpotObservation[] => voices.map(({ observation }) => observation);

/** A price, what it is composed of, and what is refused. */
const decided = (input: BeliefInput, voices: Voices, chosen: Case, verdict: "confirmed" | "unconfirmed"): Belief => {
  const { scale, primaries, councils, others } = voices;
  const { group, price, names } = chosen;
  const members = new Set(group);
  const isFresh = ({ freshUntilMs }: Voice): boolean => input.nowMs <= freshUntilMs;
  const councilsIn = councils.filter((voice) => members.has(voice) || agrees(input, price, voice));
  const beside = others.filter((voice) => agrees(input, price, voice));
  const believed = new Set([...group, ...councilsIn, ...beside]);
  const refused = [...primaries, ...councils, ...others.filter(isFresh)]
    .filter((voice) => !believed.has(voice))
    .map((voice) => refusal(input.instrument, voice, price, scale));
  return {
    verdict,
    price: writeUnits(price, scale, scale - 1),
    believed: observationsOf([...believed]),
    refused,
    by: [...names],
  };
};

const disputed = ({ primaries, councils, origins }: Voices, refuse: (voice: Voice) => RefusedReading): Belief => ({
  verdict: "disputed",
  by: [...origins],
  refused: [...primaries, ...councils].map(refuse),
});

const mayWait = ({ nowMs, waitingSinceMs }: BeliefInput): boolean => nowMs < (waitingSinceMs ?? nowMs) + SECOND_WITNESS_MS;

const waiting = ({ scale }: Voices, { group, price, names }: Case): Belief => ({
  verdict: "waiting",
  // A council rate makes no bar, so there is nothing to save.
  price: group[0]?.info.role === "primary" ? writeUnits(price, scale, scale - 1) : null,
  by: [...names],
  refused: [],
});

/** A single witness: the past can confirm or block it; without a past it is published for lack of alternatives. */
const alone = (input: BeliefInput, voices: Voices, only: Case): Belief => {
  const { anchor, last, nowMs } = input;
  const { scale } = voices;
  const atMs = timeOf(only.group, nowMs);
  const isOwnPast = anchor !== null && anchor.by.length > 0 && anchor.by.every((name) => only.names.has(name));
  if (anchor && isNearPast(input, anchor, scale, only.price, atMs))
    return decided(input, voices, only, isOwnPast ? "unconfirmed" : "confirmed");
  if (last && isNearPast(input, last, scale, only.price, atMs)) {
    // The disputing source may be late, as every source is after a restart.
    return input.isDisputed && mayWait(input) ? waiting(voices, only) : decided(input, voices, only, "unconfirmed");
  }
  const contradicted = anchor ?? (last?.by.some((name) => only.names.has(name)) ? last : null);
  if (contradicted)
    return disputed(voices, (voice) => refusal(input.instrument, voice, unitsOf(contradicted.price, scale), scale));
  if (input.configured > 1 && mayWait(input)) return waiting(voices, only);
  return decided(input, voices, only, "unconfirmed");
};

/**
 * Judges every reading of an instrument by all witnesses: the fresh primaries, the fresh council rates and the anchor.
 *
 * The readings within one band that have the most witnesses are believed when those are more than half of all; the council sets
 * the price when no primary is among them. Without a majority nothing is believed. Informational readings never count as
 * witnesses.
 * @param input the readings and the past
 * @returns the verdict, what to compose the price from, and what is refused
 * @throws RangeError when a price is not a plain decimal; validated readings always are
 */
export const believe = (input: BeliefInput): Belief => {
  const { anchor, last } = input;
  const digits = Math.max(anchor ? readScaled(anchor.price).scale : 0, last ? readScaled(last.price).scale : 0);
  const voices = voicesOf(input.instrument, input.readings, input.sources, input.nowMs, digits);
  const { primaries, councils, origins } = voices;
  if (origins.size === 0) return { verdict: "silent", refused: [] };
  const casesOf = (sorted: readonly Voice[]): Case[] =>
    groupsOf(input.instrument, sorted).map((group) => caseOf(input, voices, group));
  const cases = casesOf(primaries);
  const [only, ...rest] = cases.length > 0 ? cases : casesOf(councils);
  if (origins.size === 1 && only && rest.length === 0) return alone(input, voices, only);
  const chosen = majorityOf(input, voices, cases) ?? majorityOf(input, voices, casesOf(councils));
  if (chosen && chosen !== "tie") {
    // Without a past or against it, the first readings may be wrong: for a while, more than half of all configured witnesses have
    // to agree.
    const hasPast = anchor
      ? isNearPast(input, anchor, voices.scale, chosen.price, timeOf(chosen.group, input.nowMs))
      : last !== null;
    const isEarly = !hasPast && 2 * chosen.names.size <= input.configured;
    return isEarly && mayWait(input) ? waiting(voices, chosen) : decided(input, voices, chosen, "confirmed");
  }
  const detail = `among ${origins.size} witnesses without a majority`;
  return disputed(voices, ({ observation }) => ({ observation, rule: "dispute", detail: `${observation.price} ${detail}` }));
};
