/** Every verb of the contract, put together. A route without its verb does not compile here. */
import type { AssayContract, Verbs } from "@assay/contract";
import type { Authenticator } from "./access/authenticate.ts";
import type { Limits } from "./access/limits.ts";
import { keyAnnouncer } from "./account/announce-key.ts";
import { listAccountKeys } from "./account/list-keys.ts";
import { mintKey } from "./account/mint-key.ts";
import { revokeAccountKey } from "./account/revoke-key.ts";
import { usage } from "./account/usage.ts";
import { latestBar } from "./bars/latest.ts";
import { listBars } from "./bars/list.ts";
import { getKaratPrices } from "./carat/get.ts";
import type { ServiceDeps, VerbContext } from "./context.ts";
import { getConversion } from "./convert/get.ts";
import { linkDownload } from "./downloads/link.ts";
import { getForwardView } from "./forward-view/get.ts";
import { getCountryQuotes } from "./physical/get.ts";
import { listCountries } from "./physical/list.ts";
import { divergence } from "./prices/divergence.ts";
import { history } from "./prices/history.ts";
import { listPrices } from "./prices/list.ts";
import { RowCache } from "./prices/row-cache.ts";
import { publicHistory } from "./public-history/xau.ts";
import { latestRatio } from "./ratios/latest.ts";
import { listRatios } from "./ratios/list.ts";
import { listSettlements } from "./settlements/list.ts";
import { listSignals } from "./signals/arbitrage.ts";
import { getSpot } from "./spot/get.ts";
import { listExpiries } from "./surface/expiries.ts";
import { getMetalSurface } from "./surface/get.ts";
import { health } from "./system/health.ts";
import { status } from "./system/status.ts";
import { listTiers } from "./tiers/list.ts";

/** What the verbs share beside the engines. */
export interface VerbParts {
  readonly authenticator: Authenticator;
  readonly limits: Limits;
  /** Signs page cursors; the same in every process of a service. */
  readonly cursorSecret: string;
}

/** Makes the verbs over their engines. */
export const createVerbs = (deps: ServiceDeps, parts: VerbParts): Verbs<AssayContract, VerbContext> => {
  const rows = new RowCache(deps.market);
  const announce = keyAnnouncer(deps, parts.authenticator);
  return {
    system: { health, status: status(deps) },
    tiers: { list: listTiers(deps.catalog) },
    publicHistory: { xau: publicHistory(deps) },
    prices: { list: listPrices(deps, rows), divergence: divergence(deps), history: history(deps) },
    spot: { get: getSpot(deps, rows) },
    bars: { list: listBars(deps, parts.cursorSecret), latest: latestBar(deps) },
    downloads: { link: linkDownload(deps) },
    ratios: { list: listRatios(deps, parts.cursorSecret), latest: latestRatio(deps) },
    settlements: { list: listSettlements(deps) },
    forwardView: { get: getForwardView(deps) },
    convert: { get: getConversion(deps) },
    carat: { get: getKaratPrices(deps) },
    physical: { list: listCountries(deps), get: getCountryQuotes(deps) },
    surface: { get: getMetalSurface(deps.surfaces), expiries: listExpiries(deps.surfaces) },
    signals: { arbitrage: listSignals(deps.surfaces) },
    account: {
      listKeys: listAccountKeys(deps),
      mintKey: mintKey(deps, announce),
      revokeKey: revokeAccountKey(deps, announce),
      usage: usage(deps, parts.limits),
    },
  };
};
