/** GET /v1/forward-view/{asset}: the settlement curve, from the front contract on, with the spot price, up to a year out. */
import {
  type AssayContract,
  FUTURES_METALS,
  formatTimestamp,
  type Horizon,
  type OutputOf,
  upperCase,
  type Verb,
} from "@assay/contract";
import { type ForwardHorizon, forwardCurve, futuresOf, presentPrice, settlementPublisher } from "@assay/pricing";
import { requireSymbol } from "../access/gate.ts";
import type { ServiceDeps, VerbContext } from "../context.ts";
import { missingMessage } from "../prices/missing-parts.ts";

type Route = AssayContract["forwardView"]["get"];

const present = ({ futuresContract, expiry, settlement, ageSeconds, errors }: ForwardHorizon): Horizon => ({
  expiry,
  futures: settlement && {
    contract: futuresContract.name,
    settle_usd: presentPrice(settlement.price),
    settle_source: settlement.source,
    settle_age_seconds: ageSeconds,
    open_interest: settlement.openInterest,
    volume: settlement.volume,
  },
  errors: [...errors],
});

/** A block for each source, with the instant its newest settlement was received. */
const sourcesOf = (horizons: readonly ForwardHorizon[]): OutputOf<Route>["sources"] => {
  const retrievedAtMs = new Map<string, number>();
  for (const { settlement } of horizons) {
    if (!settlement) continue;
    const { source, fetchedAtMs } = settlement;
    retrievedAtMs.set(source, Math.max(retrievedAtMs.get(source) ?? fetchedAtMs, fetchedAtMs));
  }
  return [...retrievedAtMs].map(([id, atMs]) => {
    const { publisher, url } = settlementPublisher(id);
    return { id, publisher, url, retrieved_at: formatTimestamp(atMs), type: "futures" };
  });
};

/** The curve and the spot price, both as of the caller's instant. */
export const getForwardView =
  ({ market, catalog }: Pick<ServiceDeps, "market" | "catalog">): Verb<Route, VerbContext> =>
  (input, { caller, asOfMs, fail }) => {
    const asset =
      FUTURES_METALS.find((each) => each === upperCase(input.asset)) ??
      fail("bad_request", { message: `asset must be one of ${FUTURES_METALS.join(", ")}.` });
    // Tiers are about the metal, not the contract: gold is open to all of them.
    requireSymbol(catalog, caller, { metal: asset, contractType: "spot" }, fail);
    const spot = market.priceAt(`${asset}-USD-SPOT`, asOfMs);
    if (!spot) return fail("spot_unavailable", { message: missingMessage([{ kind: "metal", code: asset }]) });
    const product = futuresOf(asset);
    if (product === undefined) return fail("no_horizons_available"); // not reached: the metal has futures
    const horizons = forwardCurve(product, (name) => market.settlements.newestAt(name, asOfMs), asOfMs);
    if (horizons.every(({ settlement }) => settlement === null)) return fail("no_horizons_available");
    return {
      asset,
      spot_usd: presentPrice(spot.price),
      computed_at: formatTimestamp(spot.computedAtMs),
      horizons: horizons.map(present),
      sources: sourcesOf(horizons),
      errors: horizons.flatMap(({ futuresContract, errors }) => errors.map((error) => `${futuresContract.name}: ${error}`)),
    };
  };
