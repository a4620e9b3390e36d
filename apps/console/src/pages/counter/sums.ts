/** What changes hands: what the customer pays for the pieces they buy, less what the shop pays for theirs. */
import type { Wire } from "@assay/sdk/trpc";

export interface Sums {
  /** Of the pieces the shop sells; null when there are none. */
  readonly sold: string | null;
  readonly bought: string | null;
  /** The difference, without its sign. */
  readonly due: string;
  readonly payer: "customer" | "shop";
}

/** What the pieces that have a price come to; null when none has. */
export const sumsOf = ({ items, totals }: Pick<Wire.Bill, "items" | "totals">): Sums | null => {
  const has = (wanted: string): boolean => items.some(({ side, total }) => side === wanted && total !== undefined);
  const sold = has("sell") ? totals.sell.total : null;
  const bought = has("buy") ? totals.buy.total : null;
  if (sold === null && bought === null) return null;
  const { due } = totals;
  return { sold, bought, due: due.replace("-", ""), payer: due.startsWith("-") ? "shop" : "customer" };
};
