/** What the document says of the whole: what it is, how to begin, what holds everywhere, and its parts. */
import { type Contract, VERSION } from "@assay/contract";
import type { Json } from "./types.ts";

const description = (
  publicUrl: string,
): string => `Prices of gold, silver and copper, exact to the digit: spot in 31 currencies, \
OHLCV bars, conversion and karat prices.

### Begin

\`\`\`sh
curl ${publicUrl}/v1/spot/gold
curl -H "Authorization: Bearer $KEY" "${publicUrl}/v1/prices?include=all"
\`\`\`

Many routes work without a key. The [first call](${publicUrl}/docs/guides/first-call) walks through an answer,
[keys and tiers](${publicUrl}/docs/guides/keys-and-tiers) says what a key opens.

### What holds everywhere

- **Amounts are JSON strings** and are to be parsed as decimals, never as floats. Numbers in JSON are counts and basis points.
- **Instants are ISO-8601 in UTC** with a \`Z\`. Days are UTC calendar days.
- **Free and keyless prices are [15 minutes late](${publicUrl}/docs/guides/delay-and-staleness)**; paid tiers are live. \`is_stale\` says when a price \
is past its freshness window.
- **Prices are spot**: they leave out dealer premiums, tax and making charges; the physical routes tell of those.
- **Refusals are JSON**: \`error\` is one of [these codes](${publicUrl}/docs/errors), \`request_id\` names the request in the log. What nobody foresaw \
is a plain-text 500.
- **[Limits](${publicUrl}/docs/guides/limits)** are told on every answer by \`RateLimit\` and \`X-RateLimit-*\`; 429 and 503 carry \`Retry-After\`.
- \`HEAD\` works wherever \`GET\` does. Unknown parameters are ignored, a repeated one is refused. Fields may be added to answers.
- There is no CORS: keys belong on servers, not in browsers.`;

/** The document's info. */
export const infoOf = (publicUrl: string): Json => ({
  title: "Assay",
  summary: "Precious-metals prices: spot, bars, conversion and karat prices",
  description: description(publicUrl),
  version: VERSION,
  contact: { name: "The operator of this service", url: `${publicUrl}/docs` },
  license: { name: "Apache-2.0", identifier: "Apache-2.0" },
});

/** The two ways a key can be sent. */
export const SECURITY_SCHEMES = {
  bearer: { type: "http", scheme: "bearer", description: "`Authorization: Bearer <API_KEY>`" },
  apiKey: {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description: "An alias of the bearer form. Send one of the two; two different keys are refused.",
  },
} as const;

/** What a tag holds, and the guide that tells more. */
const TAGS: Readonly<Record<string, { readonly about: string; readonly guide?: string }>> = {
  System: { about: "Liveness, readiness and the tier catalog.", guide: "deployment" },
  "Public history": { about: "A year of daily gold closes for everybody, without a key or a limit." },
  "Spot prices": { about: "What metals cost now, and how far the sources agree.", guide: "delay-and-staleness" },
  Bars: { about: "Open, high, low, close and volume of eight intervals, page by page.", guide: "pagination" },
  "Bulk download": {
    about: "A year of bars as one file, Parquet or CSV, by a link that is good for an hour.",
    guide: "downloads",
  },
  Ratios: { about: "Ratios of daily closes of two series, page by page.", guide: "pagination" },
  Futures: { about: "Daily settlements of gold, silver and copper futures, and the curve they make beside the spot price." },
  Surface: {
    about:
      "How likely gold and silver are to end above a price on a day, as options and prediction markets have it, and edges between venues.",
    guide: "methodology",
  },
  Conversion: { about: "Between metals, currencies and weights, and gold per gram by karat." },
  Physical: {
    about: "What bullion dealers of twelve countries ask and pay, and how far that is from spot.",
    guide: "physical",
  },
  Account: { about: "Your keys and your usage.", guide: "keys-and-tiers" },
};

/**
 * The tags of a contract in its own order.
 * @throws Error when one of them is not described
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
