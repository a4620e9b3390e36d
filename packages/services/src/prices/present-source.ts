/** Presents the sources of a price, each with its role and what became of it. */
import type { Source, TierReach } from "@assay/contract";
import {
  type Exact,
  metalUnit,
  type PriceSymbol,
  presentCrossed,
  type SourceRole,
  type StandingPrice,
  verdictOf,
} from "@assay/pricing";

/** A role in the words of the interface. */
export const shownRole = (role: SourceRole): NonNullable<Source["role"]> => (role === "informational" ? "reference" : role);

type Shown = Pick<StandingPrice["sources"][number], "source" | "displayName" | "license" | "role" | "rule">;

const headOf = ({ source, displayName }: Shown) => ({ source, display_name: displayName });

const statusOf = ({ role, rule }: Shown, verdict: NonNullable<Source["verdict"]>, isStale: boolean) => ({
  is_stale: isStale,
  informational: role === "informational",
  role: shownRole(role),
  verdict,
  ...(rule !== undefined && { rule }),
});

/**
 * Presents the sources of a price, converted like the price.
 * @param rate units of the row's currency for one USD
 * @param asOfMs decides which are stale now; the verdicts are those of when the price was made
 */
export const presentSources = (
  price: StandingPrice,
  symbol: Pick<PriceSymbol, "metal">,
  rate: Exact,
  reach: TierReach,
  asOfMs: number,
): Source[] => {
  const isSeen = ({ role }: Shown): boolean => reach.informationalSources || role !== "informational";
  return [
    ...price.sources.filter(isSeen).map((part) => ({
      ...headOf(part),
      price: presentCrossed(part.price, rate),
      unit: metalUnit(symbol.metal),
      license: part.license,
      ...statusOf(part, verdictOf(price, part), asOfMs > part.freshUntilMs),
    })),
    ...(price.absent ?? []).filter(isSeen).map((part) => ({
      ...headOf(part),
      license: part.license,
      ...statusOf(part, part.rule === undefined ? "silent" : "refused", true),
    })),
  ];
};
