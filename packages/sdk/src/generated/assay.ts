/**
 * The client, with a property for each resource.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { ClientOptions } from "../core/options.ts";
import { ListClient } from "../core/pages/list-pages.ts";
import { errorRegistry } from "./errors.ts";
import { AccountResource } from "./resources/account.ts";
import { AlertsResource } from "./resources/alerts.ts";
import { BarsResource } from "./resources/bars.ts";
import { CaratResource } from "./resources/carat.ts";
import { CatalogResource } from "./resources/catalog.ts";
import { ConvertResource } from "./resources/convert.ts";
import { CorrectionsResource } from "./resources/corrections.ts";
import { DeliveriesResource } from "./resources/deliveries.ts";
import { DownloadsResource } from "./resources/downloads.ts";
import { EndpointsResource } from "./resources/endpoints.ts";
import { ForwardViewResource } from "./resources/forward-view.ts";
import { PhysicalResource } from "./resources/physical.ts";
import { PricesResource } from "./resources/prices.ts";
import { PublicHistoryResource } from "./resources/public-history.ts";
import { QualityResource } from "./resources/quality.ts";
import { QuotesResource } from "./resources/quotes.ts";
import { RatiosResource } from "./resources/ratios.ts";
import { ReceiptsResource } from "./resources/receipts.ts";
import { SeriesResource } from "./resources/series.ts";
import { SettlementsResource } from "./resources/settlements.ts";
import { SignalsResource } from "./resources/signals.ts";
import { SourcesResource } from "./resources/sources.ts";
import { SpotResource } from "./resources/spot.ts";
import { SurfaceResource } from "./resources/surface.ts";
import { SystemResource } from "./resources/system.ts";
import { TiersResource } from "./resources/tiers.ts";

/**
 * A client of an Assay service: precious-metals prices as exact decimals, typed errors, pages and retries.
 *
 * @example
 * ```ts
 * const assay = new Assay({ apiKey: process.env.ASSAY_API_KEY, baseUrl: "https://prices.example.com" });
 *
 * const gold = await assay.spot.get("gold", { include: ["karat"] });
 * console.log(gold.price?.toString(), gold.quoteCurrency, gold.priceGram18k?.toString());
 *
 * for await (const bar of assay.bars.list({ symbol: "XAU-USD-SPOT", from: "2026-01-01", to: new Date() })) {
 *   console.log(bar.barStart, bar.close?.toString());
 * }
 * ```
 */
export class Assay extends ListClient {
  /** Liveness; readiness, feed freshness and value staleness. */
  readonly system = new SystemResource(this);
  /** The tier catalog. */
  readonly tiers = new TiersResource(this);
  /** Metals, currencies and units. */
  readonly catalog = new CatalogResource(this);
  /** One year of daily XAU-USD-SPOT closes. */
  readonly publicHistory = new PublicHistoryResource(this);
  /** Spot prices; where the sources differ; price history (deprecated). */
  readonly prices = new PricesResource(this);
  /** One spot price. */
  readonly spot = new SpotResource(this);
  /** Bars of a window, newest first; the latest bar. */
  readonly bars = new BarsResource(this);
  /** A link to a year of bars. */
  readonly downloads = new DownloadsResource(this);
  /** Ratios of daily closes in a window, newest first; the latest ratio. */
  readonly ratios = new RatiosResource(this);
  /** Daily prices in any currency, unit and purity, newest first. */
  readonly series = new SeriesResource(this);
  /** Daily settlements of a window, newest first. */
  readonly settlements = new SettlementsResource(this);
  /** What published history is no longer what it was, oldest first; the newest correction's number and digest. */
  readonly corrections = new CorrectionsResource(this);
  /** What each source delivered, and how far from the price. */
  readonly sources = new SourcesResource(this);
  /** How complete each day of a series is, newest first. */
  readonly quality = new QualityResource(this);
  /** The futures curve up to a year out. */
  readonly forwardView = new ForwardViewResource(this);
  /** Convert between metals and currencies. */
  readonly convert = new ConvertResource(this);
  /** Gold per gram by karat. */
  readonly carat = new CaratResource(this);
  /** Price pieces of metal. */
  readonly quotes = new QuotesResource(this);
  /** Verify a receipt. */
  readonly receipts = new ReceiptsResource(this);
  /** The countries with dealers; a country's dealer quotes, and their premium over spot. */
  readonly physical = new PhysicalResource(this);
  /** The probability distribution of a metal on a day; the days a metal has a surface for. */
  readonly surface = new SurfaceResource(this);
  /** Executable edges between venues. */
  readonly signals = new SignalsResource(this);
  /** List your keys; rotate your key; revoke a key; your usage. */
  readonly account = new AccountResource(this);
  /** List your alerts; make an alert; an alert; change an alert; delete an alert. */
  readonly alerts = new AlertsResource(this);
  /** List your endpoints; make an endpoint; delete an endpoint; send a test event; replace the secret of an endpoint. */
  readonly endpoints = new EndpointsResource(this);
  /** List your deliveries; send an event again. */
  readonly deliveries = new DeliveriesResource(this);

  /**
   * @param options settings; each has a default
   * @throws {TypeError} for an invalid option
   * @throws {RangeError} when a number is out of range
   * @throws {AssayError} in a browser, unless `dangerouslyAllowBrowser` is set
   */
  constructor(options: ClientOptions = {}) {
    super(options, errorRegistry);
  }
}
