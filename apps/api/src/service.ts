/** The API as a running part of a process: its market view kept up to date by the bus, its usage settled, orderly shutdown. */
import { spotSymbol } from "@assay/catalogue";
import { METALS } from "@assay/contract";
import { getOrCreateSecret } from "@assay/db";
import type { MarketEvent } from "@assay/live";
import { PRICE_SYMBOLS, type PriceSymbol } from "@assay/pricing";
import { type FrontHandlers, type MetricReading, silentTelemetry, untilRead, urlOf } from "@assay/process";
import {
  type Authenticator,
  DealerBook,
  type Limits,
  type MarketView,
  noteEnds,
  openMarket,
  Reloads,
  type ServiceDeps,
  SurfaceBook,
  type SurfaceView,
  settleUsage,
} from "@assay/services";
import { type App, type AppOptions, createApp } from "./app.ts";
import { listen } from "./server.ts";

interface BooksOptions extends Pick<ServiceDeps, "store" | "live" | "clock" | "log"> {
  /** Called with keys that end. */
  readonly onKeyChanged: (keyHash: string, revokedAtMs: number | null) => void;
}

export interface Books {
  readonly dealers: DealerBook;
  readonly surfaces: SurfaceBook;
  close(): Promise<void>;
}

/** Subscribes, and loads them. */
const openBooks = async ({ onKeyChanged, ...options }: BooksOptions): Promise<Books> => {
  const { store, live, clock, log } = options;
  const dealers = new DealerBook(options);
  const surfaces = new SurfaceBook({ store, latest: live.latest });
  const reloads = new Reloads(clock, (error, what) =>
    log.error({ err: error, what }, "failed to reload from the database; retrying"),
  );
  const take = (event: MarketEvent): void => {
    if (event.kind === "key-changed") onKeyChanged(event.keyHash, event.revokedAtMs);
    else if (event.kind === "dealer-quotes") {
      if (dealers.apply(event)) reloads.ask("dealers", () => dealers.load());
    } else if (event.kind === "surfaces-replaced")
      reloads.ask(`surfaces of ${event.metal}`, () => surfaces.reload(event.metal, clock()));
    else if (event.kind === "signals") surfaces.apply(event);
  };
  const onGap = (): void => {
    reloads.ask("dealers", () => dealers.load());
    reloads.ask("surfaces", () => surfaces.load(clock()));
  };
  const unsubscribe = await live.bus.subscribe(take, { onGap });
  await untilRead(() => dealers.load(), clock);
  await untilRead(() => surfaces.load(clock()), clock);
  return {
    dealers,
    surfaces,
    close: async () => {
      await unsubscribe();
      reloads.stop();
    },
  };
};

/** What other parts of the process share with the API, so that keys are verified and counted, and prices kept, in one place. */
export interface SharedParts {
  readonly authenticator: Authenticator;
  readonly limits: Limits;
  readonly market: MarketView;
  /** Base of absolute links; the port may be known only after listening. */
  readonly publicUrl: () => string;
}

/** Another part of the process that handles requests on the API's port first. */
export interface FrontPart extends FrontHandlers {
  readonly metrics: () => readonly MetricReading[];
  close(drainMs: number): Promise<void>;
}

export interface ApiServiceOptions
  extends Omit<AppOptions, "market" | "dealers" | "surfaces" | "cursorSecret" | "archiveSecret" | "publicUrl"> {
  readonly host: string;
  readonly port: number;
  /** Requests of one connection that may wait for their answers. */
  readonly maxPipelined: number;
  /** Base of absolute links; by default derived from host and port. */
  readonly publicUrl: string | undefined;
  /** Opens the parts that share the API's port, before it listens. */
  readonly front?: (shared: SharedParts) => Promise<FrontPart>;
}

export interface ApiService {
  /** As callers reach it. */
  readonly url: string;
  readonly address: string;
  readonly market: MarketView;
  readonly surfaces: SurfaceView;
  /** Whether the console is built, and served at `/`. */
  readonly hasConsole: boolean;
  /** Stops accepting connections, finishes requests, settles usage. */
  close(drainMs: number): Promise<void>;
}

const symbolOf = (name: string): PriceSymbol => {
  const found = PRICE_SYMBOLS.find(({ symbol }) => symbol === name);
  if (!found) throw new Error(`there is no symbol ${name}`);
  return found;
};

/** Gold in dollars: without it a process is not ready. */
const GOLD: PriceSymbol = symbolOf("XAU-USD-SPOT");
const WATCHED = METALS.map((metal) => symbolOf(spotSymbol(metal)));

/** The spot prices, how old they are, and whether they are stale. */
const marketReadings = (market: MarketView, nowMs: number): MetricReading[] => [
  {
    name: "assay_market_open",
    help: "1 while the market is open",
    kind: "gauge",
    value: market.isOpen(nowMs) ? 1 : 0,
  },
  ...WATCHED.flatMap((each): MetricReading[] => {
    const { price, stale } = market.standingOf(each, nowMs);
    const labels = { symbol: each.symbol };
    const isStale = { name: "assay_price_stale", help: "1 while a price is stale", kind: "gauge" } as const;
    const age = { name: "assay_price_age_seconds", help: "Seconds since a price was computed", kind: "gauge" } as const;
    const usd = { name: "assay_price_usd", help: "A spot price in dollars for its unit, as a float", kind: "gauge" } as const;
    return [
      { ...isStale, labels, value: stale.isStale ? 1 : 0 },
      ...(price
        ? [
            { ...age, labels, value: Math.max(0, nowMs - price.computedAtMs) / 1_000 },
            // Prometheus knows floats only; nothing is computed from this one.
            { ...usd, labels, value: Number(price.price) },
          ]
        : []),
    ];
  }),
];

/** Starts the API: loads its market view, then listens. */
export const startApi = async (options: ApiServiceOptions): Promise<ApiService> => {
  const { store, live, clock, random, log, telemetry = silentTelemetry() } = options;
  const secretOf = (name: string): Promise<string> =>
    untilRead(() => getOrCreateSecret(store, name, () => random.bytes(32).toString("base64url"), clock()), clock);
  const cursorSecret = await secretOf("cursor");
  const archiveSecret = await secretOf("archives");
  let app: App | undefined;
  const books = await openBooks({
    store,
    live,
    clock,
    log,
    onKeyChanged: (hash, revokedAtMs) => app?.authenticator.keyChanged(hash, revokedAtMs),
  });
  const { market, close: closeMarket } = await untilRead(() => openMarket(options), clock);

  const { dealers, surfaces } = books;
  let port = options.port;
  const publicUrl = (): string => options.publicUrl ?? urlOf(options.host, port);
  let front: FrontPart | undefined;
  app = createApp({ ...options, market, dealers, surfaces, cursorSecret, archiveSecret, publicUrl });
  const { limits } = app;
  telemetry.add(() => [...marketReadings(market, clock()), ...limits.counts.read(), ...(front?.metrics() ?? [])]);
  telemetry.readiness.check("price", () => market.standingOf(GOLD, clock()).price !== null);
  const { authenticator } = app;
  await untilRead(() => authenticator.expectKeys(), clock);
  front = await options.front?.({ ...app, market, publicUrl });
  const listening = await listen(app.hono, options, { front, readiness: telemetry.readiness });
  port = listening.port;
  const settler = settleUsage({ live, store, clock, log }, app.authenticator);
  const ends = noteEnds({ store, log, clock });
  return {
    url: publicUrl(),
    address: urlOf(options.host, port),
    market,
    surfaces,
    hasConsole: app.hasConsole,
    close: async (drainMs) => {
      await Promise.all([listening.close(drainMs), front?.close(drainMs)]);
      await books.close();
      await closeMarket();
      await Promise.all([settler.stop(), ends.stop()]);
    },
  };
};
