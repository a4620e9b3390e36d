/** The contract: every route of Assay, and the tables behind them. */

import type { Contract } from "./route.ts";
import { listKeys, mintKey, revokeKey, usage } from "./routes/account.ts";
import { latestBar, listBars } from "./routes/bars.ts";
import { carat, convert } from "./routes/conversion.ts";
import { linkDownload } from "./routes/downloads.ts";
import { forwardView, listSettlements } from "./routes/futures.ts";
import { getPhysical, listPhysical } from "./routes/physical.ts";
import { divergence, getSpot, history, listPrices } from "./routes/prices.ts";
import { xauHistory } from "./routes/public-history.ts";
import { latestRatio, listRatios } from "./routes/ratios.ts";
import { arbitrageSignals } from "./routes/signals.ts";
import { getSurface, surfaceExpiries } from "./routes/surface.ts";
import { health, listTiers, status } from "./routes/system.ts";

/** The version of the interface, as health and the documents state it. */
export const VERSION = "0.1.0";

/** Every route, by resource and action. */
export const contract = {
  system: { health, status },
  tiers: { list: listTiers },
  publicHistory: { xau: xauHistory },
  prices: { list: listPrices, divergence, history },
  spot: { get: getSpot },
  bars: { list: listBars, latest: latestBar },
  downloads: { link: linkDownload },
  ratios: { list: listRatios, latest: latestRatio },
  settlements: { list: listSettlements },
  forwardView: { get: forwardView },
  convert: { get: convert },
  carat: { get: carat },
  physical: { list: listPhysical, get: getPhysical },
  surface: { get: getSurface, expiries: surfaceExpiries },
  signals: { arbitrage: arbitrageSignals },
  account: { listKeys, mintKey, revokeKey, usage },
} as const satisfies Contract;

/** The type of the contract. */
export type AssayContract = typeof contract;

export * from "./errors.ts";
export * from "./named-values.ts";
export * from "./route.ts";
export { type KeyMintResponse, type KeyPublic, keyMintResponse, keyPublic, MAX_LIVE_KEYS } from "./routes/account.ts";
export { type Bar, bar } from "./routes/bars.ts";
export { ARCHIVE_FORMATS, type ArchiveFormat, FIRST_ARCHIVE_YEAR } from "./routes/downloads.ts";
export { type FuturesBlock, futuresBlock, type Horizon, horizon, type Settlement, settlement } from "./routes/futures.ts";
export {
  DEALER_FORMS,
  DEALER_KINDS,
  DEALER_WEIGHT_UNITS,
  type DealerForm,
  type DealerKind,
  type DealerWeightUnit,
  dealerQuote,
  getPhysical,
  listPhysical,
  PHYSICAL_MARKETS,
  type PhysicalMarket,
} from "./routes/physical.ts";
export { GRAM_FIELDS, type Source, type SpotRow, source, spotRow } from "./routes/prices.ts";
export { type RatioPoint, ratioPoint } from "./routes/ratios.ts";
export { arbitrageSignal, arbitrageSignals, SIGNAL_TYPES, type SignalType } from "./routes/signals.ts";
export {
  CONFIDENCE_LEVELS,
  type Confidence,
  getSurface,
  SURFACE_FLAGS,
  SURFACE_METALS,
  SURFACE_METHODS,
  SURFACE_VENUE_TYPES,
  type SurfaceFlag,
  type SurfaceMetal,
  type SurfaceMethod,
  type SurfaceVenueType,
  surfaceExpiries,
  surfacePoint,
  surfaceVenue,
} from "./routes/surface.ts";
export { type FeedStatus, feedStatus } from "./routes/system.ts";
export * from "./stream.ts";
export * from "./stream-frames.ts";
export * from "./tiers.ts";
export { upperCase } from "./upper-case.ts";
export * from "./values.ts";
