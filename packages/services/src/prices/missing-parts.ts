/** What a price cannot be made without, in words. */
import type { Currency, Metal } from "@assay/contract";

/** A part of a price: a metal's spot price, or a currency's rate. */
export type PricePart = { readonly kind: "metal"; readonly code: Metal } | { readonly kind: "currency"; readonly code: Currency };

const nameOf = ({ kind, code }: PricePart): string => (kind === "metal" ? `spot price of ${code}` : `exchange rate of ${code}`);

/**
 * The message of `spot_unavailable`.
 * @param parts at least one
 */
export const missingMessage = (parts: readonly PricePart[]): string =>
  `There is no ${parts.map(nameOf).join(" and no ")} at the moment.`;
