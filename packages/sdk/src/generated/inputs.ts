/**
 * Objects in requests: amounts are Decimals or decimal text, since a number may have lost digits.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { Decimal } from "../core/published-decimal.ts";
import type { Metal, Open, Unit } from "./values.ts";

/** A piece of metal, and how its price is made. */
export interface Piece {
  /** Your name for it; answered as it is. */
  readonly id?: string | undefined;
  /** Metal code; its name is read as well. */
  readonly metal: Open<Metal>;
  /** Weight of the whole piece. */
  readonly weight: Decimal | string;
  /** Unit of the weight. */
  readonly unit: Open<Unit>;
  /** Purity in parts of 24, gold only, 22K as well; pure metal when neither this nor `fineness` is given. */
  readonly karat?: number | undefined;
  /** Purity in parts of 1000, above 100, instead of `karat`. */
  readonly fineness?: number | string | undefined;
  /** Whether you sell or buy it; priced from the ask when you sell, from the bid when you buy. Default `sell`. */
  readonly side?: "sell" | "buy" | undefined;
  /** Percent of the metal's value; added to what you sell, taken off what you buy. */
  readonly marginPercent?: Decimal | string | undefined;
  /** What a shop adds for its work, in one of three ways. */
  readonly making?: Making | undefined;
  /** Further lines of the bill, in their order; at most 8. */
  readonly charges?: readonly Charge[] | undefined;
  /** Percent of `taxOn`. */
  readonly taxPercent?: Decimal | string | undefined;
  /**
   * What is taxed; value, margin, making and charges without a tax of their own together, making alone, or nothing. Default
   * `all`.
   */
  readonly taxOn?: "all" | "making" | "none" | undefined;
  /** Step the total is rounded to; the currency's smallest unit when left out. */
  readonly roundTo?: Decimal | string | undefined;
}

/** What a shop adds for its work, in one of three ways. */
export interface Making {
  /** Amount per gram; of the whole piece's weight. */
  readonly perGram?: Decimal | string | undefined;
  /** Percent of the metal's value. */
  readonly percent?: Decimal | string | undefined;
  /** An amount. */
  readonly fixed?: Decimal | string | undefined;
}

/** A further line of the bill, in one of three ways: wastage, a hallmark, stones. */
export interface Charge {
  /** Its name on the bill; 1 to 32 letters, digits, blanks, - and _, beginning with a letter. */
  readonly name: string;
  /** Amount per gram; of the whole piece's weight. */
  readonly perGram?: Decimal | string | undefined;
  /** Percent of `of`. */
  readonly percent?: Decimal | string | undefined;
  /** An amount. */
  readonly fixed?: Decimal | string | undefined;
  /**
   * What `percent` is taken of; the metal's value, that and the margin, or all lines before this one, making included; metal when
   * left out.
   */
  readonly of?: "metal" | "metal_and_margin" | "running" | undefined;
  /** Its own tax in percent; `taxPercent` of the piece is then not taken of it. */
  readonly taxPercent?: Decimal | string | undefined;
}
