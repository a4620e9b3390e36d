/**
 * What dealers' feeds share: building quotes from a dealer's specifics, gold listed by karat, and a feed with one request per
 * reading.
 */
import {
  type DealerForm,
  type DealerKind,
  type DealerWeightUnit,
  type DecimalText,
  PHYSICAL_MARKETS,
  type PhysicalCountry,
} from "@assay/contract";
import type { DealerObservation } from "@assay/pricing";
import { FeedError } from "../../feed/error.ts";
import { type Feed, type FeedInfo, type FeedRequest, freshFor } from "../../feed/feed.ts";
import { textOf } from "../../payload/body.ts";
import { missing } from "../../payload/html.ts";
import { printedFigure } from "../../payload/printed-figure.ts";

export interface DealerSource {
  readonly key: string;
  readonly country: PhysicalCountry;
  readonly dealer: string;
  readonly kind: DealerKind;
  /** Whether sell prices are known to include sales tax, false where nothing is stated; a product can override it. */
  readonly taxIncluded: boolean;
  /** A human-readable page with the prices. */
  readonly url: string;
}

export interface DealerProduct {
  /** Kebab-case, and never changed: with the source's key it identifies the product's history. */
  readonly id: string;
  /** The dealer's name for it. */
  readonly product: string;
  readonly form: DealerForm;
  /** Parts of 24. */
  readonly karat: number;
  /** Parts of 1000 where the dealer states them, otherwise null. */
  readonly fineness: DecimalText | null;
  readonly weight: DecimalText;
  readonly weightUnit: DealerWeightUnit;
  /** Whether its sell price includes sales tax; defaults to the source's value. */
  readonly taxIncluded?: boolean;
}

/** A product's prices in the country's currency, for its whole weight, with the published digits. */
interface DealerPrices {
  /** What a customer pays; null where it is not published. */
  readonly sell: DecimalText | null;
  /** What a customer is paid; null where it is not published. */
  readonly buyback: DecimalText | null;
  /** When the dealer published it, or the answer's arrival where it has no timestamp; epoch milliseconds. */
  readonly observedAtMs: number;
}

/** The quote of one product, as feeds report it. */
export const dealerObservation = (
  source: DealerSource,
  { id, ...product }: DealerProduct,
  prices: DealerPrices,
): DealerObservation => {
  const { key, country, dealer, kind, taxIncluded, url } = source;
  const currency = PHYSICAL_MARKETS.find((market) => market.country === country)?.currency;
  if (currency === undefined) throw new RangeError(`the contract has no country ${country}`);
  const quote = { source: key, country, dealer, kind, metal: "XAU", taxIncluded, currency, sourceUrl: url } as const;
  return {
    kind: "dealer",
    source: key,
    quote: { id: `${key}:${id}`, ...quote, ...product, ...prices },
    observedAtMs: prices.observedAtMs,
  };
};

interface DealerFeedParts {
  readonly source: DealerSource;
  readonly license: "official-open" | "attribution" | "undocumented" | "personal-use-only" | "operator-licence";
  readonly publisher: string;
  /** What the publisher allows, in a sentence. */
  readonly terms: string;
  readonly intervalMs: number;
  /** How long its prices stay fresh; defaults to three intervals. */
  readonly freshForMs?: number;
  /** Scheme and host, without a trailing slash. */
  readonly baseUrl: string;
  readonly request: FeedRequest;
  /**
   * Parses the body.
   * @param receivedAtMs when it arrived, for publishers without a timestamp
   * @throws FeedError on anything unexpected, an empty set included
   */
  readonly parse: (text: string, receivedAtMs: number) => readonly DealerObservation[];
}

/** A feed of one dealer, one request per reading; the overall status does not depend on it. */
export const dealerFeed = (parts: DealerFeedParts): Feed => {
  const { source, license, publisher, terms, intervalMs, baseUrl, request, parse } = parts;
  const info: FeedInfo = {
    key: source.key,
    displayName: source.dealer,
    license,
    role: "informational",
    intervalMs,
    freshForMs: parts.freshForMs ?? freshFor(intervalMs),
    country: source.country,
    required: false,
    origin: source.key,
    publisher,
    url: source.url,
    terms,
    // A shop may keep its prices all day.
    moves: false,
  };
  return {
    info,
    kind: "dealer",
    sources: [info],
    baseUrl,
    fetch: async (context) => {
      const reply = await context.get(request);
      return parse(textOf(reply), reply.receivedAtMs);
    },
  };
};

/** Karats that are sold; a page's other rows are not gold per gram. */
const KARATS = [24, 22, 21, 18, 14];

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
