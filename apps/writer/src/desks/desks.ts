/** The desks of a term: the price desk and those beside it; each reading goes to the desk it is for. */
import type { Judgement } from "@assay/feeds";
import { isPrice, type Observation } from "@assay/pricing";
import type { Refusals } from "../feeds/refusals.ts";
import type { MarketDesk, PriceMoment } from "../prices/market-desk.ts";
import type { SideDesk } from "./side-desk.ts";

const ofKinds = (observations: readonly Observation[], kinds: SideDesk["kinds"]): readonly Observation[] =>
  observations.filter(({ kind }) => kinds.has(kind));

/** All desks. */
export class Desks {
  readonly market: MarketDesk;
  readonly sides: readonly SideDesk[];
  readonly #refusals: Refusals;

  constructor(market: MarketDesk, sides: readonly SideDesk[], refusals: Refusals) {
    this.market = market;
    this.sides = sides;
    this.#refusals = refusals;
  }

  /** Checks a reading against the rules of its desk. */
  judge(observation: Observation, nowMs: number, options: { readonly doubts?: boolean } = {}): Judgement {
    if (isPrice(observation)) return this.market.judge(observation, nowMs, options);
    const side = this.sides.find(({ kinds }) => kinds.has(observation.kind));
    return side?.judge(observation, nowMs) ?? { ok: false, rule: "unknown_kind", detail: observation.kind };
  }

  /** Checks a clocked source's readings against the rules and counts the refused ones. */
  accept(observations: readonly Observation[], atMs: number): Observation[] {
    return observations.flatMap((observation) => {
      // Unbelieved readings are counted when the verdict is made; a clocked source has no health to track.
      const judgement = this.judge(observation, atMs, { doubts: false });
      const refused = judgement.ok ? (judgement.refused ?? []) : [judgement];
      for (const { rule, detail } of refused) this.#refusals.refuse(observation.source, rule, detail);
      return judgement.ok ? [judgement.observation ?? observation] : [];
    });
  }

  /** Distributes accepted readings of one instant; returns the resulting prices. */
  take(observations: readonly Observation[], atMs: number, options: { readonly grows?: boolean } = {}): PriceMoment {
    // Prices first: the other desks check their readings against the spot of the same instant.
    const moment = this.market.take(observations.filter(isPrice), atMs, options);
    for (const side of this.sides) side.take(ofKinds(observations, side.kinds), atMs);
    return moment;
  }

  /** Applies what was written in an earlier term. */
  learn(observations: readonly Observation[], atMs: number): void {
    this.market.learn(observations.filter(isPrice), atMs);
    const others = this.accept(
      observations.filter((observation) => !isPrice(observation)),
      atMs,
    );
    for (const side of this.sides) side.take(ofKinds(others, side.kinds), atMs);
  }
}
