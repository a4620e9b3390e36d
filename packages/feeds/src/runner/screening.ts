/** Which observations of a reading pass: of a known source, not frozen while the market is open, and valid by the rules. */
import { type FrozenRun, frozenRun, isFrozen, type Observation } from "@assay/pricing";
import type { Feed } from "../feed/feed.ts";

/** A refusal by a rule. */
export interface Refused {
  readonly rule: string;
  readonly detail: string;
}

/**
 * The verdict of the rules: refused, or passed, possibly without the refused parts. A doubted reading is passed on, because
 * others may still agree with it, but counts as refused.
 */
export type Judgement =
  | { readonly ok: true; readonly observation?: Observation; readonly refused?: readonly Refused[]; readonly doubted?: Refused }
  | ({ readonly ok: false } & Refused);

interface Screened {
  readonly passed: readonly Observation[];
  /** Whether any that passed is not doubted. */
  readonly isBelieved: boolean;
}

interface ScreeningDeps {
  /** While false, figures may stand still; afterwards counting restarts. */
  readonly isMarketOpen: (nowMs: number) => boolean;
  readonly judge: (observation: Observation) => Judgement;
  /** Called for every refusal, in the order of the observations. */
  readonly refuse: (rule: string, detail: string) => void;
  /** Called for every observation of a known source, with the rule that refused it as a whole, or null. */
  readonly judged?: ((observation: Observation, rule: string | null) => void) | undefined;
}

const seriesOf = (observation: Observation): string => {
  switch (observation.kind) {
    case "spot":
      return `${observation.source} ${observation.instrument}`;
    case "fx":
      return `${observation.source} ${observation.role}`;
    case "bar":
      return `${observation.source} ${observation.symbol} ${observation.interval}`;
    case "settlement":
      return `${observation.source} ${observation.futuresContract}`;
    case "dealer":
      return `${observation.source} ${observation.quote.id}`;
    case "reference":
      return `${observation.source} ${observation.metal}`;
    case "options":
    case "markets":
      return observation.source;
  }
};

/** The figures without their time: a timestamp that advances beside a frozen price is no sign of life. */
const figuresOf = (observation: Observation): string => {
  switch (observation.kind) {
    case "spot":
      return `${observation.price} ${observation.bid} ${observation.ask}`;
    case "fx":
      return JSON.stringify(observation.rates);
    case "bar":
      return `${observation.barStartMs} ${observation.close} ${observation.volume}`;
    case "settlement":
      return `${observation.settlementDate} ${observation.price}`;
    case "dealer":
      return `${observation.quote.sell} ${observation.quote.buyback}`;
    case "reference":
      return `${observation.perGram} ${observation.perUsd}`;
    case "options":
      return JSON.stringify(observation.chain.expiries);
    case "markets":
      return JSON.stringify(observation.markets.map(({ marketId, book }) => [marketId, book]));
  }
};

/** Since when a reading's figure has been the same, when that is too long; otherwise null. */
const standstill = (isMarketOpen: ScreeningDeps["isMarketOpen"]) => {
  const runs = new Map<string, FrozenRun>();
  return (observation: Observation, nowMs: number): number | null => {
    const series = seriesOf(observation);
    if (!isMarketOpen(nowMs)) {
      runs.delete(series);
      return null;
    }
    const run = frozenRun(runs.get(series) ?? null, figuresOf(observation), nowMs);
    runs.set(series, run);
    return isFrozen(run, nowMs, true) ? run.sinceMs : null;
  };
};

/** Screens each reading of a feed in turn. */
export const screening = ({ info, sources }: Feed, { isMarketOpen, judge, refuse, judged }: ScreeningDeps) => {
  const known = new Set(sources.map(({ key }) => key));
  const frozenSince = standstill(isMarketOpen);

  /** The judgement of one observation; null when it is refused. */
  const passing = (observation: Observation, frozenSinceMs: number | null): (Judgement & { readonly ok: true }) | null => {
    if (!known.has(observation.source)) {
      refuse("unknown_source", observation.source);
      return null;
    }
    if (frozenSinceMs !== null) {
      refuse("frozen", `unchanged since ${new Date(frozenSinceMs).toISOString()}`);
      judged?.(observation, "frozen");
      return null;
    }
    const judgement = judge(observation);
    if (!judgement.ok) {
      refuse(judgement.rule, judgement.detail);
      judged?.(observation, judgement.rule);
      return null;
    }
    for (const { rule, detail } of judgement.refused ?? []) refuse(rule, detail);
    if (judgement.doubted) refuse(judgement.doubted.rule, judgement.doubted.detail);
    judged?.(observation, judgement.doubted?.rule ?? null);
    return judgement;
  };

  return (observations: readonly Observation[], nowMs: number): Screened => {
    // Every one is noted before any is judged.
    const frozen = observations.map((each) => (info.moves ? frozenSince(each, nowMs) : null));
    const passed: Observation[] = [];
    let isBelieved = false;
    for (const [index, observation] of observations.entries()) {
      const judgement = passing(observation, frozen[index] ?? null);
      if (!judgement) continue;
      passed.push(judgement.observation ?? observation);
      isBelieved ||= judgement.doubted === undefined;
    }
    return { passed, isBelieved };
  };
};
