/** Price lists per gram by karat, as on retail pages of the Arab world: rows in any order, possibly repeated. */
import type { DecimalText } from "@assay/contract";
import { FeedError } from "../../feed/error.ts";
import { missing } from "../../payload/html.ts";
import { printedFigure } from "../../payload/printed-figure.ts";
import type { DealerProduct } from "./dealer-source.ts";

/** Karats that are sold; a page's other rows are not gold per gram. */
const KARATS = [24, 22, 21, 18, 14];

/** One row of such a list. */
export interface KaratRow {
  readonly karat: number;
  readonly sell: DecimalText | null;
  readonly buyback: DecimalText | null;
}

/** A karat in printed digits. */
export const karatOf = (text: string): number => Number(printedFigure(text, "comma") ?? Number.NaN);

/** A gram of a karat: fine gold is a reference price, anything below is jewellery. */
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
 * The rows, one per karat, finest first.
 * @param required karats that the list must contain
 * @throws FeedError when one of those is missing, or a karat has two prices
 */
export const onePerKarat = (rows: readonly KaratRow[], required: readonly number[]): readonly KaratRow[] =>
  KARATS.flatMap((karat) => {
    const [row, ...others] = rows.filter((each) => each.karat === karat);
    if (!row && required.includes(karat)) throw missing(`price of ${karat} karat gold`);
    if (others.some(({ sell, buyback }) => sell !== row?.sell || buyback !== row?.buyback))
      throw new FeedError("payload", `the page has two prices of ${karat} karat gold`);
    return row ? [row] : [];
  });
