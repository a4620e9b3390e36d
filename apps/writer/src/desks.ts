/** The desks of a term: the one that makes prices, and those beside it; each reading goes to the desk it is for. */
import type { Judgement } from "@assay/feeds";
import { isPrice, type Observation } from "@assay/pricing";
import type { MarketDesk, PriceMoment } from "./market-desk.ts";
import type { Refusals } from "./refusals.ts";
import type { SideDesk } from "./side-desk.ts";

const ofKinds = (observations: readonly Observation[], kinds: SideDesk["kinds"]): readonly Observation[] =>
  observations.filter(({ kind }) => kinds.has(kind));

/** All of them. */
export class Desks {
  readonly market: MarketDesk;
  readonly sides: readonly SideDesk[];
  readonly #refusals: Refusals;

  constructor(market: MarketDesk, sides: readonly SideDesk[], refusals: Refusals) {
    this.market = market;
    this.sides = sides;
    this.#refusals = refusals;
  }

  /** Holds a reading to the rules of its desk. */
  judge(observation: Observation, nowMs: number, options: { readonly doubts?: boolean } = {}): Judgement {
    if (isPrice(observation)) return this.market.judge(observation, nowMs, options);
    const side = this.sides.find(({ kinds }) => kinds.has(observation.kind));
    return side?.judge(observation, nowMs) ?? { ok: false, rule: "unknown_kind", detail: observation.kind };
  }

  /** Holds a clocked source's readings to the rules and counts what they refuse. */
  accept(observations: readonly Observation[], atMs: number): Observation[] {
    return observations.flatMap((observation) => {
      // What is not believed is counted with the verdict of the moment; a clocked source has no health of its own to be doubted.
      const judgement = this.judge(observation, atMs, { doubts: false });
      const refused = judgement.ok ? (judgement.refused ?? []) : [judgement];
      for (const { rule, detail } of refused) this.#refusals.refuse(observation.source, rule, detail);
      return judgement.ok ? [judgement.observation ?? observation] : [];
    });
  }

  /** Hands out accepted readings of one moment; what becomes of the prices is the answer. */
  take(observations: readonly Observation[], atMs: number, options: { readonly grows?: boolean } = {}): PriceMoment {
    // The prices first: what the other desks take in is held against the spot of the same moment.
    const moment = this.market.take(observations.filter(isPrice), atMs, options);
    for (const side of this.sides) side.take(ofKinds(observations, side.kinds), atMs);
    return moment;
  }

  /** Takes in what was written in an earlier term. */
  learn(observations: readonly Observation[], atMs: number): void {
    this.market.learn(observations.filter(isPrice), atMs);
    const others = this.accept(
      observations.filter((observation) => !isPrice(observation)),
      atMs,
    );
    for (const side of this.sides) side.take(ofKinds(others, side.kinds), atMs);
  }
}
