/** The document's general parts: what the API is, how to start, common rules, and tags. */
import { type Contract, FUTURES_NAMES, keylessText, SUMMARY, SURFACE_NAMES, type TierCatalog, VERSION } from "@assay/contract";
import type { Json } from "./types.ts";

const description = (publicUrl: string, catalog: TierCatalog): string => `${SUMMARY}.

### Start

\`\`\`sh
curl ${publicUrl}/v1/spot/gold
curl -H "Authorization: Bearer $KEY" "${publicUrl}/v1/prices?include=all"
\`\`\`

Many routes work without a key. The [first-call guide](${publicUrl}/docs/guides/first-call) explains the response, and
[keys and tiers](${publicUrl}/docs/guides/keys-and-tiers) what each tier includes.

### On every route

- **Amounts are JSON strings**. Parse them as decimals, never as floats. JSON numbers are counts and basis points.
- **Instants are ISO-8601 in UTC** with a \`Z\`. Days are UTC calendar days.
- **Prices on Free are [15 minutes late](${publicUrl}/docs/guides/delay-and-staleness)**; paid tiers are live. ${keylessText(catalog)}
- **\`is_stale\`** is true when a price is past its freshness window.
- **Prices are spot**: they exclude dealer premiums, tax and making charges; the physical routes have those.
- **Errors are JSON**: \`error\` is one of [these codes](${publicUrl}/docs/errors), \`request_id\` identifies the request in the log. Unexpected errors \
are a plain-text 500.
- **[Limits](${publicUrl}/docs/guides/limits)** are in the \`RateLimit\` and \`X-RateLimit-*\` headers of every response; 429 and 503 have \`Retry-After\`.
- **[Other formats](${publicUrl}/docs/guides/formats)**: lists as CSV, single figures as text, daily prices for beancount and ledger, by \`format\` or \`Accept\`.
- \`HEAD\` works wherever \`GET\` does. Unknown and repeated parameters are refused, except that names beginning with an \
underscore are ignored. Responses may get new fields.
- There is no CORS: keys belong on servers, not in browsers.`;

export const infoOf = (publicUrl: string, catalog: TierCatalog): Json => ({
  title: "Assay",
  summary: SUMMARY,
  description: description(publicUrl, catalog),
  version: VERSION,
  contact: { name: "The operator of this service", url: `${publicUrl}/docs` },
  license: { name: "Apache-2.0", identifier: "Apache-2.0" },
});

/** The two ways to send a key. */
export const SECURITY_SCHEMES = {
  bearer: { type: "http", scheme: "bearer", description: "`Authorization: Bearer <API_KEY>`" },
  apiKey: {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description: "Alternative to `Authorization`. A request with two different keys is refused.",
  },
} as const;

/** What a tag covers, and its guide. */
const TAGS: Readonly<Record<string, { readonly about: string; readonly guide?: string }>> = {
  System: { about: "Liveness, readiness and freshness, the tiers, and the metals, currencies and units known here." },
  "Public history": { about: "A year of daily gold closes, without a key or a limit." },
  "Spot prices": {
    about: "Current prices, at once or as a stream, and how far the sources agree.",
    guide: "delay-and-staleness",
  },
  Bars: { about: "Open, high, low, close and volume of eight intervals, page by page.", guide: "pagination" },
  "Bulk download": {
    about: "A year of bars as one file, Parquet or CSV.",
    guide: "downloads",
  },
  Ratios: { about: "Ratios of daily closes of two series, page by page.", guide: "pagination" },
  Series: { about: "Daily prices of a metal in any currency, unit and purity, page by page.", guide: "past-prices" },
  Futures: { about: `Daily settlements of ${FUTURES_NAMES} futures, and the forward curve.` },
  Corrections: { about: "What published history is no longer what it was, chained and signed.", guide: "history" },
  Sources: { about: "What each source delivered, and how complete each day is.", guide: "sources" },
  Surface: {
    about: `Probabilities of ${SURFACE_NAMES} prices implied by options and prediction markets, and edges between venues.`,
    guide: "methodology",
  },
  Receipts: {
    about: "The keys that verify signed answers: prices, conversions and quotes with `format=jws`.",
    guide: "receipts",
  },
  Conversion: { about: "Between metals, currencies and weights, and gold per gram by karat." },
  Counter: {
    about: "What pieces of metal cost in a shop, with margin, making and tax: one, or a stock of hundreds.",
    guide: "counter",
  },
  Physical: {
    about: "What bullion dealers of twelve countries ask and pay, and how far that is from spot.",
    guide: "physical",
  },
  Console: {
    about:
      "What the console and embedded prices are made of, outside `/v1`: open to everyone, as callers without a key see them.",
  },
  Account: { about: "Your keys and your usage.", guide: "keys-and-tiers" },
  Alerts: { about: "Events to your own servers when prices cross, move or go stale.", guide: "alerts" },
};

/**
 * The tags of a contract, in contract order.
 * @throws Error when a tag has no description
 */
export const tagsOf = (contract: Contract, publicUrl: string): Json[] => {
  const names = new Set(Object.values(contract).flatMap((routes) => Object.values(routes).map(({ tag }) => tag)));
  return [...names].map((name) => {
    const tag = TAGS[name];
    if (!tag) throw new Error(`the tag ${name} has no description`);
    const guide = tag.guide && { description: "Guide", url: `${publicUrl}/docs/guides/${tag.guide}` };
    return { name, description: tag.about, ...(guide ? { externalDocs: guide } : {}) };
  });
};
