/** The real API on a real socket, over an empty store and in-memory engines, with a fixed clock. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { openArchives } from "@assay/archives";
import { DEFAULT_CATALOG, type TierCatalog, type TierName } from "@assay/contract";
import { type Moment, type Store, schema } from "@assay/db";
import { openTestStore } from "@assay/db/testing";
import { type Live, openMemoryLive, silentLog } from "@assay/live";
import { machineRandom } from "@assay/ports";
import type { DealerTick, HorizonSurface } from "@assay/pricing";
import { newSigningKeys, readSigningKeys, type SigningKeyRing } from "@assay/services";
import {
  type BreakableStore,
  breakableStore,
  type FakeClock,
  FRIDAY_MS,
  fakeClock,
  makeKey,
  publishDealers,
  publishMoment,
  publishSurfaces,
  type TestKey,
} from "@assay/testkit";
import { type ApiService, type ApiServiceOptions, startApi } from "../service.ts";

/** What a test may set; the rest has defaults. */
export interface TestAppOptions extends Partial<Omit<ApiServiceOptions, "store" | "live" | "clock" | "log">> {
  /** A store the test closes itself. By default the app has its own. */
  readonly store?: Store;
  readonly live?: Live;
  readonly clock?: FakeClock;
  /** Called after the store is opened and before the API reads it. */
  readonly before?: (store: Store, clock: FakeClock) => Promise<void>;
}

export interface LogLine {
  readonly level: "error" | "warn" | "debug";
  readonly fields: Record<string, unknown>;
  readonly message: string;
}

export interface Reply<T = never> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON, of the type the test expects. */
  readonly json: T;
}

/** How a request differs from a plain GET from an unused address. */
export interface Request {
  readonly key?: string | undefined;
  readonly method?: string;
  /** Added to the path. */
  readonly query?: Readonly<Record<string, string | number>>;
  readonly headers?: Record<string, string>;
  /** The client's address as given by a proxy. By default an unused one. */
  readonly from?: string;
  readonly body?: unknown;
  /** Sent as it is, without a Content-Type. */
  readonly rawBody?: string;
}

/** A running API, with functions to control its environment. */
export interface TestApp {
  readonly url: string;
  readonly port: number;
  readonly clock: FakeClock;
  readonly store: BreakableStore;
  readonly live: Live;
  readonly service: ApiService;
  readonly log: LogLine[];
  readonly catalog: TierCatalog;
  /** Creates a key of a new organisation, or another one of the same. */
  key(tier: TierName, org?: TestKey): Promise<TestKey>;
  /** Stores and publishes a moment, as a writer does. */
  publish(moment: Partial<Moment>): Promise<void>;
  /** The same for dealers' quotes. */
  publishDealers(...quotes: DealerTick[]): Promise<void>;
  /** Stores surfaces of a metal and makes the API load them, as a writer does. */
  publishSurfaces(surfaces: readonly HorizonSurface[]): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: a test names the fields it reads; the route suite checks the shapes
  ask<T = any>(path: string, request?: Request): Promise<Reply<T>>;
  /** Stops the API; a store passed in by the test stays open. */
  close(): Promise<void>;
}

const searchOf = (query: Readonly<Record<string, string | number>>): URLSearchParams =>
  new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]));

let addresses = 0;

export const freshAddress = (): string => {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
};

/** Starts the API. The socket's own address is trusted as a proxy, so that a test can use any address. */
export const startTestApp = async (options: TestAppOptions = {}): Promise<TestApp> => {
  const { store: given, live: givenLive, clock = fakeClock(FRIDAY_MS), before, ...settings } = options;
  const opened = given ?? (await openTestStore(clock));
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
    maxPipelined: 32,
    publicUrl: undefined,
    trustProxy: ["127.0.0.1"],
    keyGraceMs: 60_000,
    configuredWriter: null,
    marketHours: true,
    historySunset: null,
    webhookHosts: new Set(),
    disabled: new Set(),
    // It is empty unless the test writes to it.
    archives: openArchives({ kind: "file", directory: join(tmpdir(), `assay-archives-${machineRandom.uuid()}`) }),
    signingKeys: testSigningKeys(),
    // A test that serves a console brings its files.
    consoleFolder: join(tmpdir(), `assay-console-${machineRandom.uuid()}`),
    random: machineRandom,
    ...settings,
    catalog,
    store,
    live,
    clock,
    log: { ...silentLog, error: note("error"), warn: note("warn"), debug: note("debug") },
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
      // Loaded in addition to the event that announces them.
      const metals = new Set(surfaces.map(({ metal }) => metal));
      for (const metal of metals) while (service.surfaces.horizons(metal, clock()).length === 0) await setImmediate();
    },
    ask: async (path, { key, method = "GET", query, headers = {}, from = freshAddress(), body, rawBody } = {}) => {
      const response = await fetch(`${service.url}${path}${query ? `?${searchOf(query)}` : ""}`, {
        method,
        redirect: "manual",
        headers: {
          "X-Forwarded-For": from,
          ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
          ...headers,
        },
        body: rawBody ?? (body === undefined ? null : JSON.stringify(body)),
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

export const testSigningKeys = (): SigningKeyRing => {
  let keys: ReturnType<SigningKeyRing["current"]> | undefined;
  return {
    current: () => {
      keys ??= newSigningKeys().then(readSigningKeys);
      return keys;
    },
  };
};

const TABLES = {
  api_keys: schema.apiKeys,
  organisations: schema.organisations,
  idempotency_keys: schema.idempotencyKeys,
  service_secrets: schema.serviceSecrets,
  usage_daily: schema.usageDaily,
};

/** Reads whole tables; binary columns as hexadecimal digits. */
export const rowsIn = async (store: Store, tables: readonly (keyof typeof TABLES)[]): Promise<string[]> => {
  const rows = await Promise.all(tables.map((name) => store.run((db): Promise<unknown[]> => db.select().from(TABLES[name]))));
  return rows
    .flat()
    .map((row) =>
      JSON.stringify(row, (_, value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value)),
    );
};
