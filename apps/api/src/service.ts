/** The API as a running part of a process: its market view kept up to date by the bus, its usage settled, orderly shutdown. */
import { randomBytes } from "node:crypto";
import { getOrCreateSecret } from "@assay/db";
import type { MarketEvent } from "@assay/live";
import { type Beside, type Listening, type MetricReading, silentTelemetry } from "@assay/process";
import {
  type Authenticator,
  DealerBook,
  type Limits,
  MarketView,
  SurfaceBook,
  type SurfaceView,
  settleUsage,
} from "@assay/services";
import { type App, type AppOptions, createApp } from "./app.ts";
import { GOLD, marketReadings } from "./market-readings.ts";
import { Rereading } from "./rereading.ts";
import { listen } from "./server.ts";

/** What other parts of the process share with the API, so that keys are verified and counted in one place. */
export interface SharedParts {
  readonly authenticator: Authenticator;
  readonly limits: Limits;
  /** Base of absolute links; the port may be known only after listening. */
  readonly publicUrl: () => string;
}

/** Another part of the process that handles requests on the API's port first. */
export interface BesidePart extends Beside {
  readonly metrics: () => readonly MetricReading[];
  close(drainMs: number): Promise<void>;
}

/** Options of the API. */
export interface ApiServiceOptions
  extends Omit<AppOptions, "market" | "dealers" | "surfaces" | "cursorSecret" | "archiveSecret" | "publicUrl"> {
  readonly host: string;
  readonly port: number;
  /** Base of absolute links; by default derived from host and port. */
  readonly publicUrl: string | undefined;
  /** Opens the parts that share the API's port, before it listens. */
  readonly beside?: (shared: SharedParts) => Promise<BesidePart>;
}

/** A running API. */
export interface ApiService {
  readonly url: string;
  readonly market: MarketView;
  readonly surfaces: SurfaceView;
  /** Whether the console is built, and served at `/`. */
  readonly hasConsole: boolean;
  /** Stops accepting connections, finishes requests, settles usage. */
  close(drainMs: number): Promise<void>;
}

/** Starts the API: loads its market view, then listens. */
export const startApi = async (options: ApiServiceOptions): Promise<ApiService> => {
  const { store, live, clock, log, telemetry = silentTelemetry() } = options;
  const market = new MarketView({ store, keepsHours: options.marketHours });
  const dealers = new DealerBook(options);
  const surfaces = new SurfaceBook({ store, latest: live.latest });
  const deps = { ...options, market, dealers, surfaces };
  const secretOf = (name: string): Promise<string> =>
    getOrCreateSecret(store, name, () => randomBytes(32).toString("base64url"), clock());
  const cursorSecret = await secretOf("cursor");
  const archiveSecret = await secretOf("archives");
  let app: App | undefined;

  // Events that arrive while the store is being read are queued, so that none is lost in between.
  let waiting: MarketEvent[] | null = [];
  const rereading = new Rereading((error, what) =>
    log.error({ err: error, what }, "failed to reload from the database; retrying"),
  );
  const take = (event: MarketEvent): void => {
    if (event.kind === "key-changed") app?.authenticator.keyChanged(event.keyHash, event.revokedAtMs);
    else if (event.kind === "bars-replaced") rereading.ask(event.symbol, () => market.reload(event.symbol, clock()));
    else if (event.kind === "history-filled") rereading.ask("history", () => market.reloadHistory());
    else if (event.kind === "settlements-replaced") rereading.ask("settlements", () => market.reloadSettlements(clock()));
    else if (event.kind === "dealer-quotes") {
      if (dealers.apply(event)) rereading.ask("dealers", () => dealers.load());
    } else if (event.kind === "surfaces-replaced")
      rereading.ask(`surfaces of ${event.metal}`, () => surfaces.reload(event.metal, clock()));
    else if (event.kind === "signals") surfaces.apply(event);
    else market.apply(event);
  };
  const hear = (event: MarketEvent): void => {
    if (waiting) waiting.push(event);
    else take(event);
  };
  const onGap = (): void => {
    rereading.ask("everything", () => market.refresh(clock()));
    rereading.ask("dealers", () => dealers.load());
    rereading.ask("surfaces", () => surfaces.load(clock()));
  };
  const unsubscribe = await live.bus.subscribe(hear, { onGap });
  await market.load(clock());
  await dealers.load();
  await surfaces.load(clock());
  for (const event of waiting) take(event);
  waiting = null;

  let port = options.port;
  const host = options.host.includes(":") ? `[${options.host}]` : options.host;
  const publicUrl = (): string => options.publicUrl ?? `http://${host}:${port}`;
  let beside: BesidePart | undefined;
  app = createApp({ ...deps, cursorSecret, archiveSecret, publicUrl });
  const { limits } = app;
  telemetry.add(() => [...marketReadings(market, clock()), ...limits.counts.read(), ...(beside?.metrics() ?? [])]);
  telemetry.readiness.check("price", () => market.standingOf(GOLD, clock()).price !== null);
  await app.authenticator.expectKeys();
  beside = await options.beside?.({ ...app, publicUrl });
  const listening: Listening = await listen(app.hono, options.host, options.port, {
    routes: app.door,
    beside,
    readiness: telemetry.readiness,
  });
  port = listening.port;
  const settler = settleUsage(deps, app.authenticator);
  return {
    url: publicUrl(),
    market,
    surfaces,
    hasConsole: app.hasConsole,
    close: async (drainMs) => {
      await Promise.all([listening.close(drainMs), beside?.close(drainMs)]);
      await unsubscribe();
      rereading.stop();
      await settler.stop();
    },
  };
};
