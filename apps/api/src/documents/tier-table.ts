/** The table of tiers in the guides, built from the service's catalog. */
import { TIER_NAMES, TIER_REACH, type TierCatalog, type TierName } from "@assay/contract";

const BEGIN = "<!-- The tier catalog; a test holds it to packages/contract/src/tiers.ts. -->";
const END = "<!-- End of the tier catalog. -->";

const count = (figure: number): string => figure.toLocaleString("en-US").replaceAll(",", " ");

const depth = (name: TierName): string => {
  const { dailyDepthDays: days } = TIER_REACH[name];
  return days === null ? "all" : `${days} days`;
};

const row = (name: TierName, { tiers }: TierCatalog): string => {
  const tier = tiers[name];
  const cells = [
    `\`${name}\`${tier.hidden ? " (closed)" : ""}`,
    `$${tier.monthly_price_usd}`,
    count(tier.rate_limit_per_minute),
    count(tier.monthly_quota),
    tier.allowed_bases.join(" "),
    TIER_REACH[name].delayMs === 0 ? "live" : `${TIER_REACH[name].delayMs / 60_000} min late`,
    depth(name),
    TIER_REACH[name].intraday ? "yes" : "no",
    tier.commercial_use ? "yes" : "no",
  ];
  return `| ${cells.join(" | ")} |`;
};

const keylessRow = ({ keyless, tiers }: TierCatalog): string =>
  `| no key | – | ${count(keyless.perMinute)} | ${count(keyless.perHour)} per hour | ${tiers.free.allowed_bases.join(" ")} | \
${TIER_REACH.free.delayMs / 60_000} min late | ${depth("free")} | no | no |`;

/** The table, between its markers. */
export const tierTable = (catalog: TierCatalog): string =>
  [
    BEGIN,
    "| tier | a month | per minute | per month | metals | prices | daily bars | intraday | commercial use |",
    "|---|---|---|---|---|---|---|---|---|",
    keylessRow(catalog),
    ...TIER_NAMES.map((name) => row(name, catalog)),
    END,
  ].join("\n");

/** Replaces a guide's table with the one of this service. */
export const withTierTable = (text: string, catalog: TierCatalog): string => {
  const from = text.indexOf(BEGIN);
  const to = text.indexOf(END);
  return from === -1 || to === -1 ? text : text.slice(0, from) + tierTable(catalog) + text.slice(to + END.length);
};
