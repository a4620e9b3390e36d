/** The contract: every route of Assay, and the tables behind them. */
import type { Contract, VersionedContract } from "./route.ts";
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

/** Every route of the API, by resource and action. */
export const contract = {
  system: { health, status },
  tiers: { list: listTiers },
  catalog: { get: getCatalog },
  publicHistory: { xau: xauPublicHistory },
  prices: { list: listPrices, divergence, history },
  spot: { get: getSpot },
  bars: { list: listBars, latest: latestBars },
  downloads: { link: linkDownloads },
  ratios: { list: listRatios, latest: latestRatios },
  series: { list: listSeries },
  settlements: { list: listSettlements },
  corrections: { list: listCorrections, head: headCorrections },
  sources: { list: listSources },
  quality: { list: listQuality },
  forwardView: { get: getForwardView },
  convert: { get: getConvert },
  carat: { get: getCarat },
  quotes: { create: createQuotes },
  receipts: { verify },
  physical: { list: listPhysical, get: getPhysical },
  surface: { get: getSurface, expiries },
  signals: { arbitrage: arbitrageSignals },
  account: { listKeys, mintKey, revokeKey, usage },
  alerts: { list: listAlerts, create: createAlerts, get: getAlerts, update: updateAlerts, delete: deleteAlerts },
  endpoints: {
    list: listEndpoints,
    create: createEndpoints,
    delete: deleteEndpoints,
    test: testEndpoints,
    rotate: rotateEndpoints,
  },
  deliveries: { list: listDeliveries, redeliver },
} as const satisfies VersionedContract;

export type AssayContract = typeof contract;

/**
 * Routes outside `/v1`, by resource and action: what pages of people are made of. Declared, checked and documented like the
 * others, but not part of the API: neither the SDK nor the tRPC router has them.
 */
export const pages = {
  console: { frontDocument },
  badge: { get: getBadge, sourcesBadge },
  embed: { get: getEmbed },
  wellKnown: { jwks },
} as const satisfies Contract;

export type AssayPages = typeof pages;

export { COUNTER_CURRENCIES } from "./bill.ts";
export * from "./currency-codes.ts";
export * from "./documents.ts";
export { bodyBytes, bodyText, type EncodedBody, EncodedList } from "./encoded-list.ts";
export { ByteWriter, type EncodedRows, type LentBytes, readRows } from "./encoded-rows.ts";
export * from "./errors.ts";
export { EXAMPLE_RECEIPT } from "./example-receipt.ts";
export {
  FORMATS,
  type Format,
  type FormatEntry,
  type Formats,
  formatEntry,
  formatsOf,
  type TextFormat,
} from "./formats/formats.ts";
export { csvListReader, MAX_FIELDS, MAX_LINE, SplitError, splitFields, splitLines } from "./formats/read-csv.ts";
export { encodedFormatWriter, formatWriter, noFigure, type Write } from "./formats/writer.ts";
export { parseGiven } from "./given.ts";
export { isRecord, parseJson } from "./json.ts";
export { Fault } from "./judged.ts";
export * from "./keyless.ts";
export type { PieceRequest } from "./piece.ts";
export { FX_ROLES } from "./price-parts.ts";
export * from "./refusal.ts";
export * from "./requests.ts";
export * from "./route.ts";
export { type KeyMintResponse, type KeyPublic, keyMintResponse, keyPublic, label, MAX_LIVE_KEYS } from "./routes/account.ts";
export {
  ALERT_KINDS,
  ALERT_STATES,
  type AlertKind,
  type AlertPublic,
  type AlertState,
  type MoveDirection,
} from "./routes/alerts.ts";
export { SHOWN_LANGUAGES, SHOWN_THEMES } from "./routes/badge.ts";
export { type Bar, bar } from "./routes/bars.ts";
export { publishedCatalog } from "./routes/catalog.ts";
export { MARKET_MODES, type MarketMode } from "./routes/console.ts";
export { CORRECTION_REASONS, correction } from "./routes/corrections.ts";
export { DELIVERY_STATUSES, type DeliveryPublic, type DeliveryStatus } from "./routes/deliveries.ts";
export { ARCHIVE_FORMATS, type ArchiveFormat, EXAMPLE_LINK, FIRST_ARCHIVE_YEAR } from "./routes/downloads.ts";
export { DISABLED_REASONS, type EndpointPublic, MAX_ENDPOINTS } from "./routes/endpoints.ts";
export { type FuturesBlock, futuresBlock, type Horizon, horizon } from "./routes/forward-view.ts";
export {
  DEALER_FORMS,
  DEALER_KINDS,
  type DealerForm,
  type DealerKind,
  dealerQuote,
  PHYSICAL_MARKETS,
  type PhysicalMarket,
} from "./routes/physical.ts";
export { DAY_CONDITIONS, type DayQuality, MAX_QUALITY_DAYS } from "./routes/quality.ts";
export { MAX_PIECES } from "./routes/quotes.ts";
export { type RatioPoint, ratioPoint } from "./routes/ratios.ts";
export { type SeriesPoint, seriesPoint } from "./routes/series.ts";
export { type Settlement, settlement } from "./routes/settlements.ts";
export { arbitrageSignal, SIGNAL_TYPES, type SignalType } from "./routes/signals.ts";
export { RECORD_WINDOWS, type SourceRecordRow } from "./routes/sources.ts";
export {
  GRAM_FIELDS,
  PAST_BASES,
  type PastBasis,
  SOURCE_VERDICTS,
  type Source,
  type SourceVerdict,
  type SpotAnswer,
  type SpotRow,
  source,
  spotAnswer,
  spotRow,
} from "./routes/spot.ts";
export {
  CONFIDENCE_LEVELS,
  type Confidence,
  SURFACE_FLAGS,
  SURFACE_METALS,
  SURFACE_METHODS,
  SURFACE_VENUE_TYPES,
  type SurfaceFlag,
  type SurfaceMetal,
  type SurfaceMethod,
  type SurfaceVenueType,
  surfacePoint,
  surfaceVenue,
} from "./routes/surface.ts";
export { type FeedStatus, feedStatus, VERSION } from "./routes/system.ts";
export * from "./stream.ts";
export * from "./stream-frames.ts";
export * from "./tiers.ts";
export * from "./values.ts";
export * from "./webhooks.ts";
export { FUTURES_NAMES, METAL_NAMES, SURFACE_NAMES } from "./wording.ts";
