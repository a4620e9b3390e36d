/** What runs in a world: writers, an API and a stream process, each of the real parts, on a machine of its own. */
import { contract, DEFAULT_CATALOG, STREAM_LIMITS } from "@assay/contract";
import { type Live, silentLog } from "@assay/live";
import type { Random } from "@assay/ports";
import { silentProgress } from "@assay/process";
import {
  type AnyVerb,
  Authenticator,
  createVerbs,
  DealerBook,
  type Invoke,
  invoker,
  Limits,
  openMarket,
  type SignReceipt,
  SurfaceBook,
} from "@assay/services";
import { BusReader, Hub } from "@assay/stream/hub";
import { Writer } from "@assay/writer";
import { inProcess } from "@assay/writer/testing";
import type { Host } from "./host.ts";
import type { Market } from "./market.ts";

export const LEASE_TTL_MS = 10_000;

/** What every process is given. */
export interface Machine {
  readonly host: Host;
  readonly live: Live;
  readonly random: Random;
  readonly log: (line: string) => void;
}

/** Starts a writer. */
export const startWriter = ({ host, live, random, log }: Machine, market: Market, holder: string): Writer =>
  Writer.start({
    store: host.store,
    live,
    clock: host.time,
    random,
    log: {
      info: (message) => log(message),
      warn: (message) => log(message),
      fault: (error, message) => log(`${message}: ${error}`),
      feed: () => undefined,
    },
    polled: market.feeds(),
    replay: null,
    simulated: null,
    marketHours: false,
    archives: null,
    progress: silentProgress,
    threads: inProcess,
    webhooks: { post: async () => null, catalog: DEFAULT_CATALOG },
    onStuck: (error) => log(`stuck: ${error}`),
    holder,
    leaseTtlMs: LEASE_TTL_MS,
  });

/** Nobody asks for a receipt. */
const unsigned: SignReceipt = () => Promise.reject(new Error("a receipt was asked for"));

/** An API. */
export interface Api {
  readonly prices: Invoke;
  readonly spot: Invoke;
  readonly bars: Invoke;
  close(): Promise<void>;
}

/** Starts an API: its verbs in the pipeline, without a door. */
export const startApi = async ({ host, live, random }: Machine): Promise<Api> => {
  const { store, time: clock } = host;
  const opened = await openMarket({ store, live, clock, log: silentLog, marketHours: false });
  const deps = {
    store,
    live,
    market: opened.market,
    dealers: new DealerBook({ store, live, log: silentLog }),
    surfaces: new SurfaceBook({ store, latest: live.latest }),
    archives: { has: async () => false, link: async () => "" },
    catalog: DEFAULT_CATALOG,
    clock,
    random,
    log: silentLog,
    configuredWriter: null,
    marketHours: false,
    historySunset: null,
    webhookHosts: new Set<string>(),
    disabled: new Set<string>(),
  };
  const authenticator = new Authenticator(deps);
  const limits = new Limits(deps);
  const verbs = createVerbs(deps, { authenticator, limits, cursorSecret: "cursor" });
  const pipeline = { ...deps, authenticator, limits, signReceipt: unsigned };
  return {
    prices: invoker(contract.prices.list, verbs.prices.list as AnyVerb, pipeline), // its own verb
    spot: invoker(contract.spot.get, verbs.spot.get as AnyVerb, pipeline), // its own verb
    bars: invoker(contract.bars.list, verbs.bars.list as AnyVerb, pipeline), // its own verb
    close: opened.close,
  };
};

/** A stream process. */
export interface Stream {
  readonly hub: Hub;
  close(): Promise<void>;
}

/** Starts a stream process: from the bus to the hub. */
export const startStream = async ({ host, live }: Machine): Promise<Stream> => {
  const { store, time: clock } = host;
  const hub = new Hub(STREAM_LIMITS.ringMs, clock.turn);
  const ignore = (): void => undefined;
  const parts = { store, live, hub, ringMs: STREAM_LIMITS.ringMs, clock, log: silentLog };
  const reader = await BusReader.open({ ...parts, onKeyChanged: ignore, onMissed: ignore });
  return { hub, close: () => reader.close() };
};
