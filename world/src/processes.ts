/** What runs in a world: writers, APIs and a stream process, each of the real parts, on a machine of its own. */
import { bodyText, type Contract, contract, overlayCatalog, type Route, STREAM_LIMITS } from "@assay/contract";
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
  type LiveMarket,
  openMarket,
  type SignReceipt,
  SurfaceBook,
  settleUsage,
} from "@assay/services";
import { openStreams, type Streams } from "@assay/stream";
import { Writer } from "@assay/writer";
import { inProcess } from "@assay/writer/testing";
import type { Host } from "./host.ts";
import type { Market } from "./market.ts";
import type { Post } from "./receivers.ts";

/** No person of the world asks for a receipt. */
const NO_RECEIPTS = { current: () => Promise.reject(new Error("the world signs nothing")) };

export const LEASE_TTL_MS = 10_000;
const DRAIN_MS = 5_000;

/** So few that they are reached. */
export const CATALOG = overlayCatalog({
  free: { rate_limit_per_minute: 12, monthly_quota: 60 },
  pro: { rate_limit_per_minute: 30, monthly_quota: 90 },
});

/** What every process is given. */
export interface Machine {
  readonly host: Host;
  readonly live: Live;
  readonly random: Random;
  readonly log: (line: string) => void;
}

/** Starts a writer. */
export const startWriter = ({ host, live, random, log }: Machine, market: Market, post: Post, holder: string): Writer =>
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
      archives: () => undefined,
    },
    polled: market.feeds(),
    replay: null,
    simulated: null,
    marketHours: false,
    archives: null,
    progress: silentProgress,
    threads: inProcess,
    webhooks: { post, catalog: CATALOG },
    onStuck: (error) => log(`stuck: ${error}`),
    holder,
    leaseTtlMs: LEASE_TTL_MS,
  });

/** Nobody asks for a receipt. */
const unsigned: SignReceipt = () => Promise.reject(new Error("a receipt was asked for"));

/** As `KEY_GRACE` by default. */
const KEY_GRACE_MS = 900_000;

/** What a process that answers callers is made of. */
const answering = async ({ host, live, random }: Machine) => {
  const { store, time: clock } = host;
  const opened: LiveMarket = await openMarket({ store, live, clock, log: silentLog, marketHours: false });
  const deps = {
    store,
    live,
    market: opened.market,
    dealers: new DealerBook({ store, live, log: silentLog }),
    surfaces: new SurfaceBook({ store, latest: live.latest }),
    archives: { has: async () => false, link: async () => "" },
    catalog: CATALOG,
    clock,
    random,
    log: silentLog,
    configuredWriter: null,
    marketHours: false,
    historySunset: null,
    webhookHosts: new Set<string>(),
    disabled: new Set<string>(),
  };
  return { deps, opened, authenticator: new Authenticator({ ...deps, keyGraceMs: KEY_GRACE_MS }), limits: new Limits(deps) };
};

/** An answer on the wire. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** An API. */
export interface Api {
  /** Calls a route, such as `spot.get`. */
  call(route: string, key: string, input: unknown, requestId: string): Promise<Answer>;
  close(): Promise<void>;
}

type AnyVerbs = Readonly<Record<string, Readonly<Record<string, AnyVerb>>>>;

/** Starts an API: its verbs in the pipeline, without a door. */
export const startApi = async (machine: Machine): Promise<Api> => {
  const { deps, opened, authenticator, limits } = await answering(machine);
  const verbs = createVerbs(deps, {
    authenticator,
    limits,
    cursorSecret: "cursor",
    signingKeys: NO_RECEIPTS,
  }) as unknown as AnyVerbs; // one of each route
  const pipeline = { ...deps, authenticator, limits, signReceipt: unsigned };
  const invokes = new Map<string, { readonly route: Route; readonly invoke: Invoke }>();
  const made = (name: string) => {
    const [resource = "", action = ""] = name.split(".");
    const route = (contract as Contract)[resource]?.[action];
    const verb = verbs[resource]?.[action];
    if (!route || !verb) throw new Error(`there is no route ${name}`);
    return { route, invoke: invoker(route, verb, pipeline) };
  };
  const settler = settleUsage(deps, authenticator);
  return {
    call: async (name, key, input, requestId) => {
      const { route, invoke } = invokes.get(name) ?? made(name);
      invokes.set(name, { route, invoke });
      const readInput = (): unknown => route.input.parse(input);
      const { status, body } = await invoke({ requestId, ip: "10.0.0.1", key: { kind: "key", key }, readInput });
      return { status, text: body === null ? "" : bodyText(body) };
    },
    close: async () => {
      await opened.close();
      await settler.stop();
    },
  };
};

/** A stream process. */
export interface Stream {
  readonly streams: Streams;
  close(): Promise<void>;
}

/** Starts a stream process. */
export const startStream = async (machine: Machine): Promise<Stream> => {
  const { deps, opened, authenticator, limits } = await answering(machine);
  const streams = await openStreams({
    ...deps,
    authenticator,
    limits,
    trustProxy: [],
    maxBufferBytes: 1_000_000,
    maxLagMs: STREAM_LIMITS.maxLagMs,
    publicUrl: () => "http://localhost",
  });
  return {
    streams,
    close: async () => {
      await streams.close(DRAIN_MS);
      await opened.close();
    },
  };
};
