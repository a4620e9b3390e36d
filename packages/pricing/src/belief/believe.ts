/** Who is believed: every reading of an instrument is judged by the same witnesses, whoever came first. */
import type { DecimalText } from "@assay/contract";
import type { SourceInfo, SpotObservation } from "../observation.ts";
import { divideHalfUp, readScaled, unitsAt, writeUnits } from "../scaled.ts";
import type { Instrument } from "../symbols.ts";
import { bandBps, isNear, MAX_BAND_BPS } from "./band.ts";
import type { Anchor, Belief, Disbelieved, LastPrice } from "./belief.ts";
import { groupsOf, middleOf, type Voice, type Voices, voicesOf } from "./voices.ts";

/** How long a cold start waits for a second witness where several primaries are configured, in milliseconds. */
export const SECOND_WITNESS_MS = 30_000;

/** What a verdict is made from. */
export interface BeliefInput {
  readonly instrument: Instrument;
  /** The latest well-formed reading of each source, the disbelieved ones among them. */
  readonly readings: readonly SpotObservation[];
  readonly sources: ReadonlyMap<string, SourceInfo>;
  readonly anchor: Anchor | null;
  readonly last: LastPrice | null;
  /** Whether the last price is hidden, because another witness disputed it. */
  readonly isDisputed: boolean;
  /** How many primary witnesses are configured for the instrument. */
  readonly configured: number;
  /** Since when a cold start has been waiting; null when it has not. */
  readonly waitingSinceMs: number | null;
  readonly nowMs: number;
}

/** A group of agreeing readings with everything that speaks for it. */
interface Case {
  readonly group: readonly Voice[];
  readonly price: bigint;
  /** Witnesses of the present that speak for it. */
  readonly names: ReadonlySet<string>;
  readonly weight: number;
  readonly total: number;
}

const timeOf = (group: readonly Voice[], nowMs: number): number =>
  group[0]?.reading.info.role === "council" ? Math.max(...group.map(({ reading }) => reading.observation.observedAtMs)) : nowMs;

const unitsOf = (price: DecimalText, scale: number): bigint => unitsAt(readScaled(price), scale);

const agrees = (input: BeliefInput, price: bigint, voice: Voice): boolean =>
  isNear(voice.units, price, bandBps(input.instrument, input.nowMs - voice.reading.observation.observedAtMs));

const isNearPast = (input: BeliefInput, past: LastPrice, scale: number, price: bigint, atMs: number): boolean =>
  isNear(price, unitsOf(past.price, scale), bandBps(input.instrument, atMs - past.atMs));

/** Whether the past only repeats what its own witnesses say again now: it is then not another witness. */
const isEcho = ({ anchor, instrument }: BeliefInput, { primaries, councils, scale }: Voices): boolean => {
  if (!anchor || anchor.by.length === 0) return false;
  const past = unitsOf(anchor.price, scale);
  return anchor.by.every((name) =>
    [...primaries, ...councils].some(
      (voice) =>
        voice.name === name &&
        isNear(voice.units, past, bandBps(instrument, voice.reading.observation.observedAtMs - anchor.atMs)),
    ),
  );
};

const caseOf = (input: BeliefInput, voices: Voices, group: readonly Voice[]): Case => {
  const { scale, names: all, councils } = voices;
  const price = middleOf(group);
  const isPrimary = group[0]?.reading.info.role === "primary";
  const supporters = isPrimary ? councils.filter((voice) => agrees(input, price, voice)) : [];
  const names = new Set([...group, ...supporters].map(({ name }) => name));
  const anchor = isEcho(input, voices) ? null : input.anchor;
  const isNearAnchor = anchor !== null && isNearPast(input, anchor, scale, price, timeOf(group, input.nowMs));
  return { group, price, names, weight: names.size + (isNearAnchor ? 1 : 0), total: all.size + (anchor ? 1 : 0) };
};

/**
 * A gap in the market: two primaries or more, most of those that are fresh, that make up half of all witnesses. They outweigh the
 * past and the council's daily rate when no other primary agrees with these of its own, and the move is one that markets make.
 */
const isGap = (input: BeliefInput, { scale, primaries, councils }: Voices, { group, price, weight, total }: Case): boolean => {
  if (2 * weight !== total || group[0]?.reading.info.role !== "primary") return false;
  const distinct = (voices: readonly Voice[]): number => new Set(voices.map(({ name }) => name)).size;
  if (distinct(group) < 2 || 2 * distinct(group) <= distinct(primaries)) return false;
  const before = councils.map(({ units }) => units);
  if (input.anchor) before.push(unitsOf(input.anchor.price, scale));
  // Who made the past what it is agrees with it for that reason alone.
  const others = primaries.filter((voice) => !group.includes(voice) && !input.anchor?.by.includes(voice.name));
  return before.every(
    (reference) =>
      isNear(price, reference, MAX_BAND_BPS) &&
      !others.some(({ units }) => isNear(units, reference, bandBps(input.instrument, 0))),
  );
};

const widthOf = ({ group }: Case): bigint => (group.at(-1)?.units ?? 0n) - (group[0]?.units ?? 0n);

/** The case that outweighs all others together, or is a gap: of equals with a reading in common the closest one; `tie` when two have none. */
const majorityOf = (input: BeliefInput, voices: Voices, cases: readonly Case[]): Case | "tie" | null => {
  const winners = cases.filter((each) => 2 * each.weight > each.total || isGap(input, voices, each));
  const heaviest = Math.max(0, ...winners.map(({ weight }) => weight));
  const [first, ...rest] = winners.filter(({ weight }) => weight === heaviest);
  if (!first) return null;
  const closest = rest.reduce((best, each) => (widthOf(each) < widthOf(best) ? each : best), first);
  const hasRival = [first, ...rest].some((each) => !each.group.some((voice) => closest.group.includes(voice)));
  return hasRival ? "tie" : closest;
};

const detailOf = ({ units, reading }: Voice, price: bigint, scale: number): string => {
  const apart = units > price ? units - price : price - units;
  const percent = writeUnits(divideHalfUp(apart * 10_000n, price), 2);
  return `${reading.observation.price} is ${percent} % from ${writeUnits(price, scale, 2)}`;
};

const observationsOf = (voices: readonly Voice[]): SpotObservation[] => voices.map(({ reading }) => reading.observation);

/** A price, what it is made of, and what is refused beside it. */
const decided = (input: BeliefInput, voices: Voices, chosen: Case, verdict: "confirmed" | "unconfirmed"): Belief => {
  const { scale, primaries, councils, others } = voices;
  const { group, price, names } = chosen;
  const members = new Set(group);
  const isFresh = ({ reading }: Voice): boolean => input.nowMs <= reading.freshUntilMs;
  const councilsIn = councils.filter((voice) => members.has(voice) || agrees(input, price, voice));
  const beside = others.filter((voice) => agrees(input, price, voice));
  const believed = new Set([...group, ...councilsIn, ...beside]);
  const refused = [...primaries, ...councils, ...others.filter(isFresh)]
    .filter((voice) => !believed.has(voice))
    .map(
      (voice): Disbelieved => ({ observation: voice.reading.observation, rule: "jump", detail: detailOf(voice, price, scale) }),
    );
  return {
    verdict,
    price: writeUnits(price, scale, scale - 1),
    believed: observationsOf([...believed]),
    refused,
    by: [...names],
  };
};

const disputed = (voices: Voices, rule: Disbelieved["rule"], detail: (voice: Voice) => string): Belief => ({
  verdict: "disputed",
  by: [...voices.names],
  refused: [...voices.primaries, ...voices.councils].map((voice) => ({
    observation: voice.reading.observation,
    rule,
    detail: detail(voice),
  })),
});

const mayWait = ({ nowMs, waitingSinceMs }: BeliefInput): boolean => nowMs < (waitingSinceMs ?? nowMs) + SECOND_WITNESS_MS;

const waiting = ({ scale }: Voices, { group, price, names }: Case): Belief => ({
  verdict: "waiting",
  // A council rate makes no bar, so there is nothing to keep of it.
  price: group[0]?.reading.info.role === "primary" ? writeUnits(price, scale, scale - 1) : null,
  by: [...names],
  refused: [],
});

/** One witness alone: the past may confirm it or stop it; without a past it is published for want of anything better. */
const alone = (input: BeliefInput, voices: Voices, only: Case): Belief => {
  const { anchor, last, nowMs } = input;
  const { scale } = voices;
  const atMs = timeOf(only.group, nowMs);
  const isOwnPast = anchor !== null && anchor.by.length > 0 && anchor.by.every((name) => only.names.has(name));
  if (anchor && isNearPast(input, anchor, scale, only.price, atMs))
    return decided(input, voices, only, isOwnPast ? "unconfirmed" : "confirmed");
  if (last && isNearPast(input, last, scale, only.price, atMs)) {
    // Whoever disputed it may be late, as all are after a restart.
    return input.isDisputed && mayWait(input) ? waiting(voices, only) : decided(input, voices, only, "unconfirmed");
  }
  const contradicted = anchor ?? (last?.by.some((name) => only.names.has(name)) ? last : null);
  if (contradicted) return disputed(voices, "jump", (voice) => detailOf(voice, unitsOf(contradicted.price, scale), scale));
  if (input.configured > 1 && mayWait(input)) return waiting(voices, only);
  return decided(input, voices, only, "unconfirmed");
};

/**
 * Judges every reading of an instrument by all witnesses: the fresh primaries, the fresh council rates and the anchor.
 *
 * The readings of one band with the most witnesses are believed when these are more than half of all; the council sets a price
 * when no primary is among them. Without a majority nothing is. Informational readings never speak for a price.
 * @param input the readings and the past
 * @returns the verdict, what to compose the price from, and what is refused
 * @throws RangeError when a price is not a plain decimal; validated readings always are
 */
export const believe = (input: BeliefInput): Belief => {
  const { anchor, last } = input;
  const digits = Math.max(anchor ? readScaled(anchor.price).scale : 0, last ? readScaled(last.price).scale : 0);
  const voices = voicesOf(input.instrument, input.readings, input.sources, input.nowMs, digits);
  const { primaries, councils, names } = voices;
  if (names.size === 0) return { verdict: "silent", refused: [] };
  const casesOf = (sorted: readonly Voice[]): Case[] =>
    groupsOf(input.instrument, sorted).map((group) => caseOf(input, voices, group));
  const cases = casesOf(primaries);
  const [only, ...rest] = cases.length > 0 ? cases : casesOf(councils);
  if (names.size === 1 && only && rest.length === 0) return alone(input, voices, only);
  const chosen = majorityOf(input, voices, cases) ?? majorityOf(input, voices, casesOf(councils));
  if (chosen && chosen !== "tie") {
    // Without the past or against it, the first to speak may be the wrong ones: for a while, more than half of all that are configured
    // have to agree.
    const hasPast = anchor
      ? isNearPast(input, anchor, voices.scale, chosen.price, timeOf(chosen.group, input.nowMs))
      : last !== null;
    const isEarly = !hasPast && 2 * chosen.names.size <= input.configured;
    return isEarly && mayWait(input) ? waiting(voices, chosen) : decided(input, voices, chosen, "confirmed");
  }
  return disputed(
    voices,
    "dispute",
    ({ reading }) => `${reading.observation.price} among ${names.size} witnesses without a majority`,
  );
};
