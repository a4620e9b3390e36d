/** The desk for central banks' daily prices: it makes no price, and says when none of them supports the one that is believed. */
import { catalogue, spotSymbol } from "@assay/catalogue";
import type { DecimalText } from "@assay/contract";
import type { Judgement } from "@assay/feeds";
import type { OffReference } from "@assay/live";
import {
  type Observation,
  type ReferenceObservation,
  referencePrice,
  type SourceInfo,
  supports,
  validateReference,
} from "@assay/pricing";
import type { SideDesk } from "../desks.ts";
import type { Beliefs } from "../prices/beliefs.ts";

/** The desk of a term. Nothing is stored: every start reads the banks again. */
export class ReferenceDesk implements SideDesk {
  readonly kinds: SideDesk["kinds"] = new Set(["reference"]);
  readonly #sources: ReadonlyMap<string, SourceInfo>;
  readonly #beliefs: Pick<Beliefs, "at">;
  /** The newest of each source, by metal. */
  readonly #newest = new Map<string, Map<string, ReferenceObservation>>();

  constructor(sources: ReadonlyMap<string, SourceInfo>, beliefs: Pick<Beliefs, "at">) {
    this.#sources = sources;
    this.#beliefs = beliefs;
  }

  judge(observation: Observation, nowMs: number): Judgement {
    if (observation.kind !== "reference") return { ok: false, rule: "unknown_kind", detail: observation.kind };
    const known = this.#known(observation, nowMs);
    return validateReference(observation, { nowMs, freshForMs: this.#freshForMs(observation), known });
  }

  take(observations: readonly Observation[]): void {
    for (const each of observations) {
      if (each.kind !== "reference") continue;
      const bySource = this.#newest.get(each.metal) ?? new Map<string, ReferenceObservation>();
      this.#newest.set(each.metal, bySource);
      const before = bySource.get(each.source);
      if (!before || each.observedAtMs >= before.observedAtMs) bySource.set(each.source, each);
    }
  }

  /** The instruments whose believed price every fresh reference contradicts. */
  contradicted(nowMs: number): OffReference[] {
    return catalogue.spotMetals.flatMap(({ code }) => {
      const instrument = spotSymbol(code);
      const all = [...(this.#newest.get(code)?.values() ?? [])];
      const fresh = all.filter((each) => nowMs <= each.observedAtMs + this.#freshForMs(each));
      const belief = fresh.length > 0 ? this.#beliefs.at(instrument, nowMs) : null;
      if (belief?.verdict !== "confirmed" && belief?.verdict !== "unconfirmed") return [];
      const { price } = belief;
      if (fresh.some((each) => supports(each, { instrument, price, nowMs }))) return [];
      return [{ instrument, sources: fresh.map(({ source }) => source).sort() }];
    });
  }

  async begin(): Promise<void> {}

  async flush(): Promise<void> {}

  async end(): Promise<void> {}

  #freshForMs({ source }: ReferenceObservation): number {
    return this.#sources.get(source)?.freshForMs ?? 0;
  }

  /** What the metal costs by two witnesses of the present, else by the bank's last price; null when neither is known. */
  #known({ metal, source }: ReferenceObservation, nowMs: number): DecimalText | null {
    const isSpot = catalogue.spotMetals.some(({ code }) => code === metal);
    const belief = isSpot ? this.#beliefs.at(spotSymbol(metal), nowMs) : null;
    if (belief?.verdict === "confirmed") return belief.price;
    const last = this.#newest.get(metal)?.get(source);
    return last ? referencePrice(last) : null;
  }
}
