/** Lists of what a gram of gold costs by karat, as retail pages of the Arab world print them: in any order, perhaps twice. */
import type { DecimalText } from "@assay/contract";
import { FeedError } from "../../feed-error.ts";
import { missing } from "../../payload/html.ts";
import { printedFigure } from "../../payload/printed-figure.ts";
import type { DealerProduct } from "./dealer-source.ts";

/** Karats that are sold; a page's other rows are none of gold by the gram. */
const KARATS = [24, 22, 21, 18, 14];

/** One row of such a list. */
export interface KaratRow {
  readonly karat: number;
  readonly sell: DecimalText | null;
  readonly buyback: DecimalText | null;
}

/** A karat in printed digits. */
export const karatOf = (text: string): number => Number(printedFigure(text, "comma") ?? Number.NaN);

/** A gram of it: fine gold is a reference price, what is below is worn. */
export const gramOf = (karat: number, product: string): DealerProduct => ({
  id: `gram-${karat}k`,
  product,
  form: karat === 24 ? "reference" : "jewellery",
  karat,
  fineness: null,
  weight: "1",
  weightUnit: "gram",
});

/**
 * The rows, one a karat, finest first.
 * @param required karats without which the list is not the one that is known
 * @throws FeedError when one of those is not there, or a karat has two prices
 */
export const onePerKarat = (rows: readonly KaratRow[], required: readonly number[]): readonly KaratRow[] =>
  KARATS.flatMap((karat) => {
    const [row, ...others] = rows.filter((each) => each.karat === karat);
    if (!row && required.includes(karat)) throw missing(`price of ${karat} karat gold`);
    if (others.some(({ sell, buyback }) => sell !== row?.sell || buyback !== row?.buyback))
      throw new FeedError("payload", `the page has two prices of ${karat} karat gold`);
    return row ? [row] : [];
  });
