/** Every verb of the contract in one table. A route without a verb does not compile. */
import type { AssayContract, Verbs } from "@assay/contract";
import type { Authenticator } from "./access/authenticate.ts";
import type { Limits } from "./access/limits.ts";
import { keyAnnouncer } from "./account/announce-key.ts";
import { listKeys } from "./account/list-keys.ts";
import { mintKey } from "./account/mint-key.ts";
import { revokeKey } from "./account/revoke-key.ts";
import { usage } from "./account/usage.ts";
import { latestBars } from "./bars/latest.ts";
import { listBars } from "./bars/list.ts";
import { getCarat } from "./carat/get.ts";
import type { ServiceDeps, VerbContext } from "./context.ts";
import { getConvert } from "./convert/get.ts";
import { linkDownloads } from "./downloads/link.ts";
import { getForwardView } from "./forward-view/get.ts";
import { getPhysical } from "./physical/get.ts";
import { listPhysical } from "./physical/list.ts";
import { divergence } from "./prices/divergence.ts";
import { history } from "./prices/history.ts";
import { listPrices } from "./prices/list.ts";
import { RowCache } from "./prices/row-cache.ts";
import { xauPublicHistory } from "./public-history/xau.ts";
import { latestRatios } from "./ratios/latest.ts";
import { listRatios } from "./ratios/list.ts";
import { listSettlements } from "./settlements/list.ts";
import { arbitrageSignals } from "./signals/arbitrage.ts";
import { getSpot } from "./spot/get.ts";
import { expiries } from "./surface/expiries.ts";
import { getSurface } from "./surface/get.ts";
import { health } from "./system/health.ts";
import { status } from "./system/status.ts";
import { listTiers } from "./tiers/list.ts";

/** What the verbs share besides the engines. */
export interface VerbParts {
  readonly authenticator: Authenticator;
  readonly limits: Limits;
  /** Signs page cursors; the same in every process of a service. */
  readonly cursorSecret: string;
}

/** Creates the verbs over their engines. */
export const createVerbs = (deps: ServiceDeps, parts: VerbParts): Verbs<AssayContract, VerbContext> => {
  const rows = new RowCache(deps.market);
  const announce = keyAnnouncer(deps, parts.authenticator);
  return {
    system: { health, status: status(deps) },
    tiers: { list: listTiers(deps.catalog) },
    publicHistory: { xau: xauPublicHistory(deps) },
    prices: { list: listPrices(deps, rows), divergence: divergence(deps), history: history(deps) },
    spot: { get: getSpot(deps, rows) },
    bars: { list: listBars(deps, parts.cursorSecret), latest: latestBars(deps) },
    downloads: { link: linkDownloads(deps) },
    ratios: { list: listRatios(deps, parts.cursorSecret), latest: latestRatios(deps) },
    settlements: { list: listSettlements(deps) },
    forwardView: { get: getForwardView(deps) },
    convert: { get: getConvert(deps) },
    carat: { get: getCarat(deps) },
    physical: { list: listPhysical(deps), get: getPhysical(deps) },
    surface: { get: getSurface(deps.surfaces), expiries: expiries(deps.surfaces) },
    signals: { arbitrage: arbitrageSignals(deps.surfaces) },
    account: {
      listKeys: listKeys(deps),
      mintKey: mintKey(deps, announce),
      revokeKey: revokeKey(deps, announce),
      usage: usage(deps, parts.limits),
    },
  };
};
