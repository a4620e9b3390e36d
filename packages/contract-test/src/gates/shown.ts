/** What a caller may see in a successful answer: symbols of its tier, and the groups and sources open to it. */
import { TIER_REACH, type TierCatalog } from "@assay/contract";
import { PRICE_SYMBOLS } from "@assay/pricing";
import type { Caller } from "../wire/caller.ts";
import { type Exchange, fieldsOf } from "../wire/exchange.ts";

const rowsOf = (exchange: Exchange): Readonly<Record<string, unknown>>[] => {
  const { symbols } = fieldsOf(exchange.json);
  return (Array.isArray(symbols) ? symbols : [exchange.json]).map(fieldsOf);
};

/** What is wrong with a caller's list of prices: rows of other tiers, or missing rows of its own. */
export const listedFaults = (catalog: TierCatalog, caller: Caller, exchange: Exchange): string[] => {
  const { allowed_bases: bases, allowed_contracts: contracts } = catalog.tiers[caller.tier];
  const name = (metal: unknown, currency: unknown, contract: unknown) => `${metal}-${currency}-${contract}`;
  const wanted = PRICE_SYMBOLS.filter(({ metal, contractType }) => bases.includes(metal) && contracts.includes(contractType)).map(
    ({ metal, currency, contractType }) => name(metal, currency, contractType),
  );
  const listed = rowsOf(exchange).map((row) => name(row.symbol, row.quote_currency, row.contract_type));
  const extra = listed.filter((each) => !wanted.includes(each));
  const missing = wanted.filter((each) => !listed.includes(each));
  return [
    ...(extra.length > 0 ? [`lists ${extra.slice(0, 3).join(", ")}, which the tier does not include`] : []),
    ...(missing.length > 0 ? [`does not list ${missing.slice(0, 3).join(", ")}`] : []),
  ];
};

/** What is wrong with the groups of a row asked for with `include=all`. */
export const groupFaults = (caller: Caller, exchange: Exchange): string[] =>
  rowsOf(exchange).flatMap((row) => {
    const faults: string[] = [];
    const hasStats = "divergence_flag" in row;
    if (hasStats !== (caller.kind === "key")) faults.push(hasStats ? "stats are shown without a key" : "stats are missing");
    if (!Array.isArray(row.sources)) return [...faults, "sources are missing"];
    const informational = row.sources.some((source) => fieldsOf(source).informational === true);
    if (informational && !TIER_REACH[caller.tier].informationalSources)
      faults.push("informational sources are shown to a tier that does not include them");
    return faults;
  });
