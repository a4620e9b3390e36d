/**
 * The type of the service's tRPC router, free of the service's own packages.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { TRPCBuiltRouter, TRPCMutationProcedure, TRPCQueryProcedure } from "@trpc/server";
import type * as Wire from "./wire.ts";

/** A route that reads. */
type Query<Input, Output> = TRPCQueryProcedure<{ input: Input; output: Output; meta: unknown }>;

/** A route that takes a body, or changes something. */
type Mutation<Input, Output> = TRPCMutationProcedure<{ input: Input; output: Output; meta: unknown }>;

/** A refusal as REST would return it; `error` discriminates between the members. */
export type WireError = Wire.ErrorBodies[keyof Wire.ErrorBodies];

/** What a tRPC client reads of a failed call. */
export interface ErrorShape {
  readonly code: number;
  readonly message: string;
  readonly data: {
    /** tRPC's own word for the status. */
    readonly code: string;
    readonly httpStatus: number;
    readonly path?: string;
    /** Absent on unexpected errors. */
    readonly wire?: WireError;
  };
}

/** Every route, by resource and action. */
export interface Procedures {
  readonly system: {
    /** Liveness */
    readonly health: Query<Record<string, never> | void, Wire.Health>;
    /** Readiness, feed freshness and value staleness */
    readonly status: Query<Record<string, never> | void, Wire.Status>;
  };
  readonly tiers: {
    /** The tier catalog */
    readonly list: Query<Record<string, never> | void, readonly Wire.Tier[]>;
  };
  readonly catalog: {
    /** Metals, currencies and units */
    readonly get: Query<Record<string, never> | void, Wire.Catalog>;
  };
  readonly publicHistory: {
    /** One year of daily XAU-USD-SPOT closes */
    readonly xau: Query<Record<string, never> | void, Wire.PublicHistory>;
  };
  readonly prices: {
    /** Spot prices */
    readonly list: Query<Wire.PricesListQuery | void, Wire.Prices>;
    /** Where the sources differ */
    readonly divergence: Query<Wire.PricesDivergenceQuery | void, Wire.Divergence>;
    /** Price history (deprecated) */
    readonly history: Query<Wire.PricesHistoryQuery, Wire.History>;
  };
  readonly spot: {
    /** One spot price */
    readonly get: Query<Wire.SpotGetQuery, Wire.SpotAnswer>;
  };
  readonly bars: {
    /** Bars of a window, newest first */
    readonly list: Query<Wire.BarsListQuery, Wire.BarsPage>;
    /** The latest bar */
    readonly latest: Query<Wire.BarsLatestQuery, Wire.LatestBar>;
  };
  readonly downloads: {
    /** A link to a year of bars */
    readonly link: Query<Wire.DownloadsLinkQuery, Wire.DownloadLink>;
  };
  readonly ratios: {
    /** Ratios of daily closes in a window, newest first */
    readonly list: Query<Wire.RatiosListQuery, Wire.RatiosPage>;
    /** The latest ratio */
    readonly latest: Query<Wire.RatiosLatestQuery, Wire.LatestRatio>;
  };
  readonly series: {
    /** Daily prices in any currency, unit and purity, newest first */
    readonly list: Query<Wire.SeriesListQuery, Wire.SeriesPage>;
  };
  readonly settlements: {
    /** Daily settlements of a window, newest first */
    readonly list: Query<Wire.SettlementsListQuery, Wire.Settlements>;
  };
  readonly corrections: {
    /** What published history is no longer what it was, oldest first */
    readonly list: Query<Wire.CorrectionsListQuery | void, Wire.CorrectionsPage>;
    /** The newest correction's number and digest */
    readonly head: Query<Record<string, never> | void, Wire.ChainHead>;
  };
  readonly sources: {
    /** What each source delivered, and how far from the price */
    readonly list: Query<Wire.SourcesListQuery | void, Wire.SourceRecords>;
  };
  readonly quality: {
    /** How complete each day of a series is, newest first */
    readonly list: Query<Wire.QualityListQuery, Wire.QualityDays>;
  };
  readonly forwardView: {
    /** The futures curve up to a year out */
    readonly get: Query<Wire.ForwardViewGetQuery, Wire.ForwardView>;
  };
  readonly convert: {
    /** Convert between metals and currencies */
    readonly get: Query<Wire.ConvertGetQuery, Wire.Conversion>;
  };
  readonly carat: {
    /** Gold per gram by karat */
    readonly get: Query<Wire.CaratGetQuery | void, Wire.KaratPrices>;
  };
  readonly quotes: {
    /** Price pieces of metal */
    readonly create: Mutation<Wire.QuotesCreateQuery, Wire.Bill>;
  };
  readonly receipts: {
    /** Verify a receipt */
    readonly verify: Mutation<Wire.ReceiptsVerifyQuery, Wire.ReceiptCheck>;
  };
  readonly physical: {
    /** The countries with dealers */
    readonly list: Query<Record<string, never> | void, Wire.PhysicalIndex>;
    /** A country's dealer quotes, and their premium over spot */
    readonly get: Query<Wire.PhysicalGetQuery, Wire.PhysicalQuotes>;
  };
  readonly surface: {
    /** The probability distribution of a metal on a day */
    readonly get: Query<Wire.SurfaceGetQuery, Wire.Surface>;
    /** The days a metal has a surface for */
    readonly expiries: Query<Wire.SurfaceExpiriesQuery, Wire.HorizonIndex>;
  };
  readonly signals: {
    /** Executable edges between venues */
    readonly arbitrage: Query<Wire.SignalsArbitrageQuery, Wire.ArbitrageSignals>;
  };
  readonly account: {
    /** List your keys */
    readonly listKeys: Query<Record<string, never> | void, readonly Wire.Key[]>;
    /** Rotate your key */
    readonly mintKey: Mutation<Wire.AccountMintKeyQuery | void, Wire.MintedKey>;
    /** Revoke a key */
    readonly revokeKey: Mutation<Wire.AccountRevokeKeyQuery, undefined>;
    /** Your usage */
    readonly usage: Query<Record<string, never> | void, Wire.Usage>;
  };
  readonly alerts: {
    /** List your alerts */
    readonly list: Query<Record<string, never> | void, Wire.AlertList>;
    /** Make an alert */
    readonly create: Mutation<Wire.AlertsCreateQuery, Wire.ChangedAlert>;
    /** An alert */
    readonly get: Query<Wire.AlertsGetQuery, Wire.Alert>;
    /** Change an alert */
    readonly update: Mutation<Wire.AlertsUpdateQuery, Wire.ChangedAlert>;
    /** Delete an alert */
    readonly delete: Mutation<Wire.AlertsDeleteQuery, undefined>;
  };
  readonly endpoints: {
    /** List your endpoints */
    readonly list: Query<Record<string, never> | void, Wire.EndpointList>;
    /** Make an endpoint */
    readonly create: Mutation<Wire.EndpointsCreateQuery, Wire.MadeEndpoint>;
    /** Delete an endpoint */
    readonly delete: Mutation<Wire.EndpointsDeleteQuery, undefined>;
    /** Send a test event */
    readonly test: Mutation<Wire.EndpointsTestQuery, Wire.TestSent>;
    /** Replace the secret of an endpoint */
    readonly rotate: Mutation<Wire.EndpointsRotateQuery, Wire.RotatedSecret>;
  };
  readonly deliveries: {
    /** List your deliveries */
    readonly list: Query<Wire.DeliveriesListQuery | void, Wire.DeliveriesPage>;
    /** Send an event again */
    readonly redeliver: Mutation<Wire.DeliveriesRedeliverQuery, Wire.Delivery>;
  };
}

/** The router, for `createTRPCClient<AppRouter>()`. */
export type AppRouter = TRPCBuiltRouter<
  { ctx: object; meta: object; errorShape: ErrorShape; transformer: false },
  { [Resource in keyof Procedures]: Procedures[Resource] }
>;
