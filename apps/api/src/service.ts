/** The API as a running part of a process: its view of the market kept by the bus, its usage settled, its end orderly. */
import { randomBytes } from "node:crypto";
import { addUsage, getOrCreateSecret, touchKeys } from "@assay/db";
import type { MarketEvent } from "@assay/live";
import { MarketView, type ServiceDeps } from "@assay/services";
import { type App, type AppOptions, createApp } from "./app.ts";
import { openMetrics } from "./metrics.ts";
import { Rereading } from "./rereading.ts";
import { type Listening, listen } from "./server.ts";

/** Counted calls and key uses go to the store this often. */
const SETTLE_INTERVAL_MS = 1_000;

/** What the API is started with. */
export interface ApiServiceOptions extends Omit<AppOptions, "market" | "cursorSecret" | "publicUrl" | "observe"> {
  readonly host: string;
  readonly port: number;
  /** Base of absolute links; by default made from host and port. */
  readonly publicUrl: string | undefined;
  /** Where metrics are scraped; null for nowhere. */
  readonly metricsPort: number | null;
}

/** A running API. */
export interface ApiService {
  readonly url: string;
  readonly market: MarketView;
  /** Stops accepting, finishes requests, settles usage. */
  close(drainMs: number): Promise<void>;
}

/** Brings counted calls and key uses to the store; what cannot be written now is kept for the next time. */
const settle = async ({ live, store, log }: ServiceDeps, app: App): Promise<void> => {
  const deltas = await live.counters.drain();
  try {
    await addUsage(store, deltas);
  } catch (error) {
    await live.counters.restore(deltas);
    log.warn({ err: error }, "usage could not be settled; it is kept");
  }
  const used = app.authenticator.takeUsed();
  if (used.size === 0) return;
  try {
    await touchKeys(
      store,
      [...used].map(([keyId, usedAtMs]) => ({ keyId, usedAtMs })),
    );
  } catch (error) {
    log.warn({ err: error }, "last uses of keys could not be written");
  }
};

const settling = (deps: ServiceDeps, app: App): { stop(): Promise<void> } => {
  let running: Promise<void> = Promise.resolve();
  let idle = true;
  const run = (): Promise<void> =>
    settle(deps, app).catch((error: unknown) => deps.log.warn({ err: error }, "usage could not be settled"));
  const timer = setInterval(() => {
    if (!idle) return;
    idle = false;
    running = run().finally(() => {
      idle = true;
    });
  }, SETTLE_INTERVAL_MS);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
      await run();
    },
  };
};

/** Starts the API: loads its view of the market, then listens. */
export const startApi = async (options: ApiServiceOptions): Promise<ApiService> => {
  const { store, live, clock, log } = options;
  const market = new MarketView({ store, keepsHours: options.marketHours });
  const deps = { ...options, market };
  const cursorSecret = await getOrCreateSecret(store, "cursor", () => randomBytes(32).toString("base64url"), clock());
  let app: App | undefined;

  // Events that arrive while the store is being read wait, so that none falls between the two.
  let waiting: MarketEvent[] | null = [];
  const rereading = new Rereading((error, what) =>
    log.error({ err: error, what }, "the store cannot be read anew; it is tried again"),
  );
  const take = (event: MarketEvent): void => {
    if (event.kind === "key-changed") app?.authenticator.keyChanged(event.keyHash, event.revokedAtMs);
    else if (event.kind === "bars-replaced") rereading.ask(event.symbol, () => market.reload(event.symbol, clock()));
    else market.apply(event);
  };
  const hear = (event: MarketEvent): void => {
    if (waiting) waiting.push(event);
    else take(event);
  };
  const onGap = (): void => rereading.ask("everything", () => market.refresh(clock()));
  const unsubscribe = await live.bus.subscribe(hear, { onGap });
  await market.load(clock());
  for (const event of waiting) take(event);
  waiting = null;

  let port = options.port;
  const host = options.host.includes(":") ? `[${options.host}]` : options.host;
  const publicUrl = (): string => options.publicUrl ?? `http://${host}:${port}`;
  const metrics =
    options.metricsPort === null ? null : await openMetrics({ host: options.host, port: options.metricsPort, live, clock });
  app = createApp({
    ...deps,
    cursorSecret,
    publicUrl,
    ...(metrics ? { observe: metrics.observe } : {}),
  });
  const listening: Listening = await listen(app.hono, options.host, options.port);
  port = listening.port;
  const settler = settling(deps, app);
  return {
    url: publicUrl(),
    market,
    close: async (drainMs) => {
      await listening.close(drainMs);
      await unsubscribe();
      rereading.stop();
      await settler.stop();
      await metrics?.close();
    },
  };
};
