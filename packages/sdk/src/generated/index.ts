/**
 * Everything generated from the contract.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
export * from "./assay.ts";
export * from "./errors.ts";
export type * from "./inputs.ts";
export type { AccountMintKeyParams, AccountResource } from "./resources/account.ts";
export type { AlertsCreateParams, AlertsResource, AlertsUpdateParams } from "./resources/alerts.ts";
export type { BarsLatestParams, BarsListParams, BarsResource } from "./resources/bars.ts";
export type { CaratGetParams, CaratResource } from "./resources/carat.ts";
export type { CatalogResource } from "./resources/catalog.ts";
export type { ConvertGetParams, ConvertResource } from "./resources/convert.ts";
export type { CorrectionsListParams, CorrectionsResource } from "./resources/corrections.ts";
export type { DeliveriesListParams, DeliveriesResource } from "./resources/deliveries.ts";
export type { DownloadsLinkParams, DownloadsResource } from "./resources/downloads.ts";
export type { EndpointsCreateParams, EndpointsResource } from "./resources/endpoints.ts";
export type { ForwardViewResource } from "./resources/forward-view.ts";
export type { PhysicalResource } from "./resources/physical.ts";
export type { PricesDivergenceParams, PricesHistoryParams, PricesListParams, PricesResource } from "./resources/prices.ts";
export type { PublicHistoryResource } from "./resources/public-history.ts";
export type { QualityListParams, QualityResource } from "./resources/quality.ts";
export type { QuotesCreateParams, QuotesResource } from "./resources/quotes.ts";
export type { RatiosLatestParams, RatiosListParams, RatiosResource } from "./resources/ratios.ts";
export type { ReceiptsResource, ReceiptsVerifyParams } from "./resources/receipts.ts";
export type { SeriesListParams, SeriesResource } from "./resources/series.ts";
export type { SettlementsListParams, SettlementsResource } from "./resources/settlements.ts";
export type { SignalsArbitrageParams, SignalsResource } from "./resources/signals.ts";
export type { SourcesListParams, SourcesResource } from "./resources/sources.ts";
export type { SpotGetParams, SpotResource } from "./resources/spot.ts";
export type { SurfaceGetParams, SurfaceResource } from "./resources/surface.ts";
export type { SystemResource } from "./resources/system.ts";
export type { TiersResource } from "./resources/tiers.ts";
export type * from "./types.ts";
export * from "./values.ts";
export type * as Wire from "./wire.ts";
