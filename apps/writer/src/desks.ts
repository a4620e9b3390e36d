/** The desks of a term: the price desk, and one for each kind of reading that makes no price; each reading goes to its desk. */
import type { Judgement } from "@assay/feeds";
import { isPrice, type Observation } from "@assay/pricing";
import type { Refusals } from "./feed-health.ts";
import type { MarketDesk, PriceMoment } from "./prices/market-desk.ts";
import type { SourceRecorder } from "./record/source-recorder.ts";

/** Handles one kind of reading, alongside the price desk. */
export interface SideDesk {
  readonly kinds: ReadonlySet<Observation["kind"]>;
  /** Checks a reading of its kinds against the rules. */
  judge(observation: Observation, nowMs: number): Judgement;
  /** Applies accepted readings of its kinds, of one instant; also called without any. */
  take(observations: readonly Observation[], atMs: number): void;
  /** Continues from the previous term; what was applied so far is history. */
  begin(nowMs: number): Promise<void>;
  /** Stores what changed and publishes it, after the prices of the same instant. */
  flush(atMs: number): Promise<void>;
  /** Finishes work in progress. */
  end(): Promise<void>;
}

const ofKinds = (observations: readonly Observation[], kinds: SideDesk["kinds"]): readonly Observation[] =>
  observations.filter(({ kind }) => kinds.has(kind));

export class Desks {
  readonly market: MarketDesk;
  readonly sides: readonly SideDesk[];
  readonly #refusals: Refusals;
  readonly #record: SourceRecorder;

  constructor(market: MarketDesk, sides: readonly SideDesk[], refusals: Refusals, record: SourceRecorder) {
    this.market = market;
    this.sides = sides;
    this.#refusals = refusals;
    this.#record = record;
  }

  /** Checks a reading against the rules of its desk. */
  judge(observation: Observation, nowMs: number, options: { readonly doubts?: boolean } = {}): Judgement {
    if (isPrice(observation)) return this.market.judge(observation, nowMs, options);
    const side = this.sides.find(({ kinds }) => kinds.has(observation.kind));
    return side?.judge(observation, nowMs) ?? { ok: false, rule: "unknown_kind", detail: observation.kind };
  }

  /**
   * Notes what the rules said of a reading.
   * @param rule the rule that refused it, or that doubts it; null when it passed
   */
  judged(observation: Observation, rule: string | null, atMs: number): void {
    this.#record.judged(observation, rule, atMs);
    if (rule !== null && observation.kind === "spot") this.market.prices.beliefs.reject(observation, rule);
  }

  /** Checks a clocked source's readings against the rules and counts the refused ones. */
  accept(observations: readonly Observation[], atMs: number): Observation[] {
    return observations.flatMap((observation) => {
      // Unbelieved readings are counted when the verdict is made; a clocked source has no health to track.
      const judgement = this.judge(observation, atMs, { doubts: false });
      const refused = judgement.ok ? (judgement.refused ?? []) : [judgement];
      for (const { rule, detail } of refused) this.#refusals.refuse(observation.source, rule, detail);
      this.judged(observation, judgement.ok ? null : judgement.rule, atMs);
      return judgement.ok ? [judgement.observation ?? observation] : [];
    });
  }

  /** Distributes accepted readings of one instant; returns the resulting prices. */
  take(observations: readonly Observation[], atMs: number, options: { readonly grows?: boolean } = {}): PriceMoment {
    // Prices first: the other desks check their readings against the spot of the same instant.
    const moment = this.market.take(observations.filter(isPrice), atMs, options);
    this.#record.settle(this.market.prices.beliefs, atMs);
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
