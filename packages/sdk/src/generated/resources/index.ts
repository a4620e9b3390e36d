/**
 * Every resource's class.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
export { AccountResource } from "./account.ts";
export { AlertsResource } from "./alerts.ts";
export { BarsResource } from "./bars.ts";
export { CaratResource } from "./carat.ts";
export { CatalogResource } from "./catalog.ts";
export { ConvertResource } from "./convert.ts";
export { CorrectionsResource } from "./corrections.ts";
export { DeliveriesResource } from "./deliveries.ts";
export { DownloadsResource } from "./downloads.ts";
export { EndpointsResource } from "./endpoints.ts";
export { ForwardViewResource } from "./forward-view.ts";
export { PhysicalResource } from "./physical.ts";
export { PricesResource } from "./prices.ts";
export { PublicHistoryResource } from "./public-history.ts";
export { QualityResource } from "./quality.ts";
export { QuotesResource } from "./quotes.ts";
export { RatiosResource } from "./ratios.ts";
export { ReceiptsResource } from "./receipts.ts";
export { SeriesResource } from "./series.ts";
export { SettlementsResource } from "./settlements.ts";
export { SignalsResource } from "./signals.ts";
export { SourcesResource } from "./sources.ts";
export { SpotResource } from "./spot.ts";
export { SurfaceResource } from "./surface.ts";
export { SystemResource } from "./system.ts";
export { TiersResource } from "./tiers.ts";
