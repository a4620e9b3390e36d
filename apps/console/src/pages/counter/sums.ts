/** What changes hands: what the customer pays for the pieces they buy, less what the shop pays for theirs. */

import { Decimal } from "@assay/sdk";
import type { Wire } from "@assay/sdk/trpc";

/** The sums of a bill, exact: they add what the pieces show. */
export interface Sums {
  /** Of the pieces the shop sells; null when there are none. */
  readonly sold: string | null;
  /** Of those it buys. */
  readonly bought: string | null;
  /** The difference, without its sign. */
  readonly due: string;
  readonly payer: "customer" | "shop";
}

const sum = (totals: readonly string[]): string | null =>
  totals.length === 0
    ? null
    : Decimal.sum(...totals).toFixed(Math.max(...totals.map((total) => total.split(".")[1]?.length ?? 0)));

/** Sums the pieces that have a price; null when none has. */
export const sumsOf = ({ items }: Pick<Wire.Bill, "items">): Sums | null => {
  const totalsOf = (side: string): readonly string[] =>
    items.flatMap((item) => (item.total !== undefined && item.side === side ? [item.total] : []));
  const sold = sum(totalsOf("sell"));
  const bought = sum(totalsOf("buy"));
  if (sold === null && bought === null) return null;
  const due = new Decimal(sold ?? 0).minus(bought ?? 0);
  const decimals = Math.max(...[sold, bought].map((one) => one?.split(".")[1]?.length ?? 0));
  return { sold, bought, due: due.abs().toFixed(decimals), payer: due.isNegative() ? "shop" : "customer" };
};
