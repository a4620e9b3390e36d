/** What dealer feeds share: a quote made from what is special to it, and a feed that asks once and reads the answer. */

import type { PhysicalCountry } from "@assay/contract";
import { type DealerForm, type DealerKind, type DealerWeightUnit, type DecimalText, PHYSICAL_MARKETS } from "@assay/contract";
import type { DealerObservation } from "@assay/pricing";
import type { Feed, FeedInfo, FeedRequest } from "../../feed.ts";
import { freshFor } from "../../freshness.ts";
import { textOf } from "../../payload/json.ts";

/** Who quotes. */
export interface DealerSource {
  /** The feed's key. */
  readonly key: string;
  readonly country: PhysicalCountry;
  readonly dealer: string;
  readonly kind: DealerKind;
  /** Whether sales tax is in its sell prices, where a product does not say otherwise. */
  readonly taxIncluded: boolean;
  /** The page a person reads the prices on. */
  readonly url: string;
}

/** What is sold. */
export interface DealerProduct {
  /** Kebab-case, and never changed: with the source's key it names the product's history. */
  readonly id: string;
  /** As the dealer names it. */
  readonly product: string;
  readonly form: DealerForm;
  /** Parts of 24. */
  readonly karat: number;
  /** Parts of 1000 where the dealer states them, else null. */
  readonly fineness: DecimalText | null;
  readonly weight: DecimalText;
  readonly weightUnit: DealerWeightUnit;
  /** Whether sales tax is in its sell price; as the source says when it is left out. */
  readonly taxIncluded?: boolean;
}

/** A product's prices in the country's currency, for its whole weight, with the published digits. */
export interface DealerPrices {
  /** What a customer pays; null where the dealer does not say. */
  readonly sell: DecimalText | null;
  /** What a customer is paid; null where the dealer does not say. */
  readonly buyback: DecimalText | null;
  /** When the dealer said so, or the answer's arrival where it bears no time; epoch milliseconds. */
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

/** What a dealer feed is made of. */
export interface DealerFeedParts {
  readonly source: DealerSource;
  /** The class of its terms. */
  readonly license: "official-open" | "attribution" | "undocumented" | "personal-use-only" | "operator-licence";
  readonly publisher: string;
  /** What the publisher allows, in a sentence. */
  readonly terms: string;
  readonly intervalMs: number;
  /** How long its prices stay current; three intervals where nothing else is said. */
  readonly freshForMs?: number;
  /** Scheme and host, without a slash at the end. */
  readonly baseUrl: string;
  readonly request: FeedRequest;
  /**
   * Reads the body.
   * @param receivedAtMs when it arrived, for publishers that give no time
   * @throws FeedError on anything unexpected, an empty set included
   */
  readonly parse: (text: string, receivedAtMs: number) => readonly DealerObservation[];
}

/** A feed of one dealer, one request a reading; nobody's status depends on it. */
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
