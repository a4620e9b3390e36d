/** Every verb, of the contract and of the pages outside `/v1`. A route without a verb does not compile. */
import type { AssayContract, AssayPages, Verbs } from "@assay/contract";
import type { Authenticator } from "./access/authenticate.ts";
import type { Limits } from "./access/limits.ts";
import { keyAnnouncer } from "./account/keys.ts";
import type { ServiceDeps, VerbContext } from "./context.ts";
import { RecordBook } from "./market/record-book.ts";
import { RowCache } from "./prices/row-cache.ts";
import type { SigningKeyRing } from "./receipts.ts";
import { listKeys, mintKey, revokeKey, usage } from "./routes/account.ts";
import { createAlerts, deleteAlerts, getAlerts, listAlerts, updateAlerts } from "./routes/alerts.ts";
import { getBadge, sourcesBadge } from "./routes/badge.ts";
import { latestBars, listBars } from "./routes/bars.ts";
import { getCarat } from "./routes/carat.ts";
import { getCatalog } from "./routes/catalog.ts";
import { frontDocument } from "./routes/console.ts";
import { getConvert } from "./routes/convert.ts";
import { headCorrections, listCorrections } from "./routes/corrections.ts";
import { listDeliveries, redeliver } from "./routes/deliveries.ts";
import { linkDownloads } from "./routes/downloads.ts";
import { getEmbed } from "./routes/embed.ts";
import { createEndpoints, deleteEndpoints, listEndpoints, rotateEndpoints, testEndpoints } from "./routes/endpoints.ts";
import { getForwardView } from "./routes/forward-view.ts";
import { getPhysical, listPhysical } from "./routes/physical.ts";
import { divergence, history, listPrices } from "./routes/prices.ts";
import { xauPublicHistory } from "./routes/public-history.ts";
import { listQuality } from "./routes/quality.ts";
import { createQuotes } from "./routes/quotes.ts";
import { latestRatios, listRatios } from "./routes/ratios.ts";
import { verify } from "./routes/receipts.ts";
import { listSeries } from "./routes/series.ts";
import { listSettlements } from "./routes/settlements.ts";
import { arbitrageSignals } from "./routes/signals.ts";
import { listSources } from "./routes/sources.ts";
import { getSpot } from "./routes/spot.ts";
import { expiries, getSurface } from "./routes/surface.ts";
import { health, status } from "./routes/system.ts";
import { listTiers } from "./routes/tiers.ts";
import { jwks } from "./routes/well-known.ts";

/** What the verbs share besides the engines. */
export interface VerbParts {
  readonly authenticator: Authenticator;
  readonly limits: Limits;
  /** Signs page cursors; the same in every process of a service. */
  readonly cursorSecret: string;
  readonly signingKeys: SigningKeyRing;
}

export const createVerbs = (deps: ServiceDeps, parts: VerbParts): Verbs<AssayContract, VerbContext> => {
  const rows = new RowCache(deps.market);
  const announce = keyAnnouncer(deps, parts.authenticator);
  return {
    system: { health, status: status(deps) },
    tiers: { list: listTiers(deps.catalog) },
    catalog: { get: getCatalog() },
    publicHistory: { xau: xauPublicHistory(deps) },
    prices: { list: listPrices(deps, rows), divergence: divergence(deps), history: history(deps) },
    spot: { get: getSpot(deps, rows) },
    bars: { list: listBars(deps, parts.cursorSecret), latest: latestBars(deps) },
    downloads: { link: linkDownloads(deps) },
    ratios: { list: listRatios(deps, parts.cursorSecret), latest: latestRatios(deps) },
    series: { list: listSeries(deps, parts.cursorSecret) },
    settlements: { list: listSettlements(deps) },
    corrections: { list: listCorrections(deps), head: headCorrections(deps) },
    sources: { list: listSources(new RecordBook(deps)) },
    quality: { list: listQuality(deps) },
    forwardView: { get: getForwardView(deps) },
    convert: { get: getConvert(deps) },
    carat: { get: getCarat(deps) },
    quotes: { create: createQuotes(deps) },
    receipts: { verify: verify(parts.signingKeys) },
    physical: { list: listPhysical(deps), get: getPhysical(deps) },
    surface: { get: getSurface(deps.surfaces), expiries: expiries(deps.surfaces) },
    signals: { arbitrage: arbitrageSignals(deps.surfaces) },
    account: {
      listKeys: listKeys(deps),
      mintKey: mintKey(deps, announce),
      revokeKey: revokeKey(deps, announce),
      usage: usage(deps, parts.limits),
    },
    alerts: {
      list: listAlerts(deps),
      create: createAlerts(deps),
      get: getAlerts(deps),
      update: updateAlerts(deps),
      delete: deleteAlerts(deps),
    },
    endpoints: {
      list: listEndpoints(deps),
      create: createEndpoints(deps),
      delete: deleteEndpoints(deps),
      test: testEndpoints(deps),
      rotate: rotateEndpoints(deps),
    },
    deliveries: { list: listDeliveries(deps), redeliver: redeliver(deps) },
  };
};

/** What the verbs of the pages need besides the engines. */
export interface PageParts {
  /** Origins whose pages may frame the embedded one. */
  readonly embedOrigins: readonly string[];
  readonly signingKeys: SigningKeyRing;
}

export const createPageVerbs = (deps: ServiceDeps, { embedOrigins, signingKeys }: PageParts): Verbs<AssayPages, VerbContext> => ({
  console: { frontDocument: frontDocument(deps) },
  badge: { get: getBadge(deps), sourcesBadge: sourcesBadge(deps, new RecordBook(deps)) },
  embed: { get: getEmbed(deps, embedOrigins) },
  wellKnown: { jwks: jwks(signingKeys) },
});
