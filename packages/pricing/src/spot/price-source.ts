/** The sources of a price, and what became of each when it was made: those believed in its role add up to it. */
import type { DecimalText, SourceVerdict } from "@assay/contract";
import type { SourceInfo, SourceRole, SpotObservation } from "../readings/observation.ts";

/** One source's reading when a price was made. */
export interface PriceSource {
  readonly source: string;
  readonly displayName: string;
  readonly license: string;
  readonly role: SourceRole;
  readonly price: DecimalText;
  readonly observedAtMs: number;
  /** The last instant at which its reading is fresh. */
  readonly freshUntilMs: number;
  readonly rule?: string;
  /** Another source of its origin was read later, and has their one vote. */
  readonly isCopy?: true;
}

/** A source that prices the instrument, and had no reading. */
export type AbsentSource = Pick<PriceSource, "source" | "displayName" | "license" | "role" | "rule">;

/** Every source of an instrument, believed or not. */
export interface KnownSources {
  readonly readings: readonly SpotObservation[];
  /** The rule that refused the newest reading, by source. */
  readonly refused: ReadonlyMap<string, string>;
  readonly declared: readonly SourceInfo[];
}

/**
 * What became of a source when a price was made: `refused` by a rule, `silent` without a fresh reading, `believed` if it set the
 * price, else on `standby`. The price is the median of the believed.
 * @param price what it was made of, and when
 */
export const verdictOf = (
  { basis, computedAtMs }: { readonly basis: string; readonly computedAtMs: number },
  { role, freshUntilMs, rule, isCopy }: Pick<PriceSource, "role" | "freshUntilMs" | "rule" | "isCopy">,
): SourceVerdict => {
  if (rule !== undefined) return "refused";
  if (freshUntilMs < computedAtMs) return "silent";
  return role === (basis === "council" ? "council" : "primary") && !isCopy ? "believed" : "standby";
};
