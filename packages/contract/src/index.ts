/** The contract: every route of Assay, and the tables behind them. */
import type { Contract, VersionedContract } from "./route.ts";
import { listKeys, mintKey, revokeKey, usage } from "./routes/account.ts";
import { getBadge } from "./routes/badge.ts";
import { latestBars, listBars } from "./routes/bars.ts";
import { getCarat } from "./routes/carat.ts";
import { frontDocument } from "./routes/console.ts";
import { getConvert } from "./routes/convert.ts";
import { linkDownloads } from "./routes/downloads.ts";
import { getEmbed } from "./routes/embed.ts";
import { getForwardView } from "./routes/forward-view.ts";
import { getPhysical, listPhysical } from "./routes/physical.ts";
import { divergence, history, listPrices } from "./routes/prices.ts";
import { xauPublicHistory } from "./routes/public-history.ts";
import { latestRatios, listRatios } from "./routes/ratios.ts";
import { listSettlements } from "./routes/settlements.ts";
import { arbitrageSignals } from "./routes/signals.ts";
import { getSpot } from "./routes/spot.ts";
import { expiries, getSurface } from "./routes/surface.ts";
import { health, status } from "./routes/system.ts";
import { listTiers } from "./routes/tiers.ts";
import { jwks } from "./routes/well-known.ts";

/** Every route of the API, by resource and action. */
export const contract = {
  system: { health, status },
  tiers: { list: listTiers },
  publicHistory: { xau: xauPublicHistory },
  prices: { list: listPrices, divergence, history },
  spot: { get: getSpot },
  bars: { list: listBars, latest: latestBars },
  downloads: { link: linkDownloads },
  ratios: { list: listRatios, latest: latestRatios },
  settlements: { list: listSettlements },
  forwardView: { get: getForwardView },
  convert: { get: getConvert },
  carat: { get: getCarat },
  physical: { list: listPhysical, get: getPhysical },
  surface: { get: getSurface, expiries },
  signals: { arbitrage: arbitrageSignals },
  account: { listKeys, mintKey, revokeKey, usage },
} as const satisfies VersionedContract;

/** The type of the contract. */
export type AssayContract = typeof contract;

/**
 * Routes outside `/v1`, by resource and action: what pages of people are made of. Declared, checked and documented like the
 * others, but not part of the API: neither the SDK nor the tRPC router has them.
 */
export const pages = {
  console: { frontDocument },
  badge: { get: getBadge },
  embed: { get: getEmbed },
  wellKnown: { jwks },
} as const satisfies Contract;

/** The type of the pages. */
export type AssayPages = typeof pages;

export { accessNote } from "./access-note.ts";
export { DOCUMENTED_URL } from "./documented-url.ts";
export * from "./errors.ts";
export { EXAMPLE_RECEIPT } from "./formats/example-receipt.ts";
export {
  FORMATS,
  type Format,
  type FormatEntry,
  type Formats,
  formatEntry,
  formatsOf,
  type TextFormat,
} from "./formats/formats.ts";
export {
  type AnswerFormat,
  FORMAT_PARAMETER,
  type ParameterLocation,
  parameterLocation,
  requestSchema,
} from "./formats/request-schema.ts";
export { formatWriter, type Write } from "./formats/writer.ts";
export * from "./named-values.ts";
export * from "./route.ts";
export { type KeyMintResponse, type KeyPublic, keyMintResponse, keyPublic, MAX_LIVE_KEYS } from "./routes/account.ts";
export { type Bar, bar } from "./routes/bars.ts";
export { MARKET_MODES, type MarketMode } from "./routes/console.ts";
export { ARCHIVE_FORMATS, type ArchiveFormat, EXAMPLE_LINK, FIRST_ARCHIVE_YEAR } from "./routes/downloads.ts";
export { type FuturesBlock, futuresBlock, type Horizon, horizon } from "./routes/forward-view.ts";
export {
  DEALER_FORMS,
  DEALER_KINDS,
  DEALER_WEIGHT_UNITS,
  type DealerForm,
  type DealerKind,
  type DealerWeightUnit,
  dealerQuote,
  PHYSICAL_MARKETS,
  type PhysicalMarket,
} from "./routes/physical.ts";
export { type RatioPoint, ratioPoint } from "./routes/ratios.ts";
export { type Settlement, settlement } from "./routes/settlements.ts";
export { arbitrageSignal, SIGNAL_TYPES, type SignalType } from "./routes/signals.ts";
export { GRAM_FIELDS, type Source, type SpotRow, source, spotRow } from "./routes/spot.ts";
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
export { type FeedStatus, feedStatus } from "./routes/system.ts";
export * from "./stream.ts";
export * from "./stream-frames.ts";
export { SUMMARY } from "./summary.ts";
export type { SuppliedKey } from "./supplied-key.ts";
export * from "./tiers.ts";
export * from "./time.ts";
export { upperCase } from "./upper-case.ts";
export * from "./values.ts";
export { VERSION } from "./version.ts";
