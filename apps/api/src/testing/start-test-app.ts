/** The real API on a real socket, over an empty store and engines in memory, at a time that stands still. */
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { openArchives } from "@assay/archives";
import { DEFAULT_CATALOG, type TierCatalog, type TierName } from "@assay/contract";
import type { Moment, Store } from "@assay/db";
import { type Live, openMemoryLive } from "@assay/live";
import type { DealerTick, HorizonSurface } from "@assay/pricing";
import {
  type BreakableStore,
  breakableStore,
  type FakeClock,
  FRIDAY_MS,
  fakeClock,
  makeKey,
  openTestStore,
  publishDealers,
  publishMoment,
  publishSurfaces,
  type TestKey,
} from "@assay/testkit";
import { type ApiService, type ApiServiceOptions, startApi } from "../service.ts";

/** What a test may set; the rest has defaults. */
export interface TestAppOptions extends Partial<Omit<ApiServiceOptions, "store" | "live" | "clock" | "log">> {
  /** A store the test closes itself. By default one of the app's own. */
  readonly store?: Store;
  readonly live?: Live;
  readonly clock?: FakeClock;
  /** Called once the store is open and before the API reads it. */
  readonly before?: (store: Store, clock: FakeClock) => Promise<void>;
}

/** A line of the log. */
export interface LogLine {
  readonly level: "error" | "warn";
  readonly fields: Record<string, unknown>;
  readonly message: string;
}

/** An answer, read. */
export interface Reply<T = never> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON, of the shape the test expects. */
  readonly json: T;
}

/** How a request differs from a plain GET from an address of its own. */
export interface Request {
  readonly key?: string | undefined;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  /** The client's address as a proxy states it. By default one nobody has used. */
  readonly from?: string;
  readonly body?: unknown;
}

/** A running API and the hands that move its world. */
export interface TestApp {
  readonly url: string;
  readonly port: number;
  readonly clock: FakeClock;
  readonly store: BreakableStore;
  readonly live: Live;
  readonly service: ApiService;
  readonly log: LogLine[];
  readonly catalog: TierCatalog;
  /** A key of a new organisation, or another of the same. */
  key(tier: TierName, org?: TestKey): Promise<TestKey>;
  /** What a writer does: stores a moment and tells it. */
  publish(moment: Partial<Moment>): Promise<void>;
  /** The same of dealers' quotes. */
  publishDealers(...quotes: DealerTick[]): Promise<void>;
  /** What a writer does: stores surfaces of a metal and has them read. */
  publishSurfaces(surfaces: readonly HorizonSurface[]): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: a test names the fields it looks at; the route suite checks the shapes
  ask<T = any>(path: string, request?: Request): Promise<Reply<T>>;
  /** Ends the API; the store stays when the test brought it. */
  close(): Promise<void>;
}

let addresses = 0;

/** An address nobody has called from. */
export const freshAddress = (): string => {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
};

/** Starts the API. The socket's own address is trusted as a proxy, so that a test can come from anywhere. */
export const startTestApp = async (options: TestAppOptions = {}): Promise<TestApp> => {
  const { store: given, live: givenLive, clock = fakeClock(FRIDAY_MS), before, ...settings } = options;
  const opened = given ?? (await openTestStore());
  const store = breakableStore(opened);
  await before?.(store, clock);
  const live = givenLive ?? openMemoryLive({ clock });
  const log: LogLine[] = [];
  const note = (level: LogLine["level"]) => (fields: Record<string, unknown>, message: string) => {
    log.push({ level, fields, message });
  };
  const catalog = settings.catalog ?? DEFAULT_CATALOG;
  const service = await startApi({
    host: "127.0.0.1",
    port: 0,
    publicUrl: undefined,
    trustProxy: ["127.0.0.1"],
    configuredWriter: null,
    marketHours: true,
    historySunset: null,
    disabled: new Set(),
    metricsPort: null,
    // Nothing lies there unless the test puts it there.
    archives: openArchives({ kind: "file", directory: join(tmpdir(), `assay-archives-${randomUUID()}`) }),
    ...settings,
    catalog,
    store,
    live,
    clock,
    log: { error: note("error"), warn: note("warn") },
  });
  const { port } = new URL(service.url);
  return {
    url: service.url,
    port: Number(port),
    clock,
    store,
    live,
    service,
    log,
    catalog,
    key: (tier, org) => makeKey(opened, { tier, nowMs: clock(), ...(org ? { org } : {}) }),
    publish: (moment) => publishMoment(opened, live, moment, clock()),
    publishDealers: (...quotes) => publishDealers(opened, live, quotes, clock()),
    publishSurfaces: async (surfaces) => {
      await publishSurfaces(opened, live, surfaces, clock());
      // They are read beside the event that tells of them.
      const metals = new Set(surfaces.map(({ metal }) => metal));
      for (const metal of metals) while (service.surfaces.horizons(metal, clock()).length === 0) await setImmediate();
    },
    ask: async (path, { key, method = "GET", headers = {}, from = freshAddress(), body } = {}) => {
      const response = await fetch(`${service.url}${path}`, {
        method,
        redirect: "manual",
        headers: {
          "X-Forwarded-For": from,
          ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
          ...headers,
        },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const text = await response.text();
      const isJson = response.headers.get("content-type") === "application/json" && text !== "";
      return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
    },
    close: async () => {
      await service.close(1_000);
      if (!givenLive) await live.close();
      if (!given) await opened.close();
    },
  };
};
