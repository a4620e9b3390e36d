/** The real streams on a real socket, over an empty store and in-memory engines, on a clock the test moves. */
import { DEFAULT_CATALOG, formatTimestamp, type TierName } from "@assay/contract";
import type { Moment, Store } from "@assay/db";
import { openTestStore } from "@assay/db/testing";
import { type Live, openMemoryLive, silentLog } from "@assay/live";
import type { Clock } from "@assay/ports";
import type { Tick } from "@assay/pricing";
import {
  type BreakableStore,
  breakableStore,
  type FakeClock,
  FRIDAY_MS,
  fakeClock,
  makeKey,
  makeTick,
  publishMoment,
  seededRandom,
  type TestKey,
} from "@assay/testkit";
import { type StreamService, type StreamServiceOptions, startStreams } from "../service.ts";
import { openSse, openWs, type SseClient, type WsClient } from "./clients.ts";

/** What a test may set; the rest has defaults. */
export interface TestStreamsOptions extends Partial<Omit<StreamServiceOptions, "store" | "live" | "clock" | "log">> {
  /** A store the test closes itself. By default the streams have their own. */
  readonly store?: Store;
  readonly live?: Live;
  readonly clock?: FakeClock;
  /** What is stored before the streams read it. */
  readonly before?: Partial<Moment>;
}

export interface LogLine {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly fields: Record<string, unknown>;
  readonly message: string;
}

/** Running streams, with functions to control their environment. */
export interface TestStreams {
  readonly url: string;
  readonly port: number;
  readonly clock: FakeClock;
  readonly store: BreakableStore;
  readonly live: Live;
  readonly service: StreamService;
  readonly log: LogLine[];
  /** Creates a key of a new organisation, or another one of the same. */
  key(tier: TierName, org?: TestKey): Promise<TestKey>;
  /** Stores and publishes ticks, as a writer does; the first is of gold unless specified. */
  publish(...ticks: Tick[]): Promise<void>;
  publishMoment(moment: Partial<Moment>): Promise<void>;
  /** Opens a WebSocket; with a key it authenticates and waits for the welcome. */
  ws(key?: string): Promise<WsClient>;
  sse(query: string, key?: string, headers?: Record<string, string>): Promise<SseClient>;
  close(): Promise<void>;
}

/** A tick of gold at the clock's time. */
export const goldAt = (clock: Clock, seq: number, change: Partial<Tick> = {}): Tick =>
  makeTick(seq, { computedAtMs: clock(), ...change });

export const wireTick = (tick: Tick, price: string, conf: string) => ({
  type: "tick",
  symbol: tick.instrument,
  price,
  conf,
  computed_at: formatTimestamp(tick.computedAtMs),
  seq: tick.seq,
});

export const startTestStreams = async (options: TestStreamsOptions = {}): Promise<TestStreams> => {
  const { store: given, live: givenLive, clock = fakeClock(FRIDAY_MS), before, ...settings } = options;
  const opened = given ?? (await openTestStore());
  const store = breakableStore(opened);
  const live = givenLive ?? openMemoryLive({ clock });
  if (before) await publishMoment(opened, live, before, clock());
  const log: LogLine[] = [];
  const note = (level: LogLine["level"]) => (fields: Record<string, unknown>, message: string) => {
    log.push({ level, fields, message });
  };
  const service = await startStreams({
    host: "127.0.0.1",
    port: 0,
    maxPipelined: 32,
    publicUrl: undefined,
    trustProxy: ["127.0.0.1"],
    marketHours: true,
    maxBufferBytes: 1_048_576,
    maxLagMs: 30_000,
    keyGraceMs: 60_000,
    random: seededRandom(1),
    ...settings,
    catalog: settings.catalog ?? DEFAULT_CATALOG,
    store,
    live,
    clock,
    log: { ...silentLog, debug: note("debug"), info: note("info"), warn: note("warn"), error: note("error") },
  });
  const clients: { close(): void }[] = [];
  const kept = <C extends { close(): void }>(client: C): C => {
    clients.push(client);
    return client;
  };
  return {
    url: service.url,
    port: Number(new URL(service.url).port),
    clock,
    store,
    live,
    service,
    log,
    key: (tier, org) => makeKey(opened, { tier, nowMs: clock(), ...(org ? { org } : {}) }),
    publish: (...ticks) => publishMoment(opened, live, { ticks }, clock()),
    publishMoment: (moment) => publishMoment(opened, live, moment, clock()),
    ws: async (key) => {
      const client = kept(await openWs(`${service.url.replace("http", "ws")}/v1/stream`));
      if (key !== undefined) {
        client.send({ action: "auth", api_key: key });
        await client.next("welcome");
      }
      return client;
    },
    sse: async (query, key, headers = {}) => kept(await openSse(`${service.url}/v1/prices/stream${query}`, key, headers)),
    close: async () => {
      for (const client of clients) client.close();
      await service.close(1_000);
      if (!givenLive) await live.close();
      if (!given) await opened.close();
    },
  };
};
