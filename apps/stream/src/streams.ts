/** The streams as a part of a process: bus to hub, hub to sockets, and orderly shutdown. */
import type { Settings } from "@assay/config";
import { STREAM_LIMITS, type TierCatalog } from "@assay/contract";
import type { Store } from "@assay/db";
import type { Live, Log } from "@assay/live";
import type { Time } from "@assay/ports";
import { type FrontHandlers, type MetricReading, untilRead } from "@assay/process";
import type { Authenticator, Limits, MarketView } from "@assay/services";
import { openDoors } from "./doors.ts";
import { BusReader, type BusReaderOptions } from "./hub/bus-reader.ts";
import { findCloseIn } from "./hub/entry.ts";
import { Hub } from "./hub/hub.ts";
import { KeyWatch } from "./session/key-watch.ts";
import { Places } from "./session/places.ts";
import type { SessionTiming } from "./session/session-states.ts";
import type { StreamConnection, StreamDeps } from "./session/stream-connection.ts";
import { RefusalLog, StreamCounts } from "./session/stream-reports.ts";
import { Calendar, SWEEP_MS, sweeper } from "./session/sweeper.ts";

/** How long a closed socket may take to confirm the close. */
const CLOSE_WITHIN_MS = 5_000;
/** Connections notified of the shutdown before yielding to the event loop. */
const CLOSED_PER_TURN = 50;

/** The timings of a connection, from the contract. */
const TIMING: SessionTiming = { ...STREAM_LIMITS, closeWithinMs: CLOSE_WITHIN_MS };

export interface StreamsOptions {
  readonly store: Store;
  readonly live: Live;
  readonly clock: Time;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly log: Log;
  readonly catalog: TierCatalog;
  readonly authenticator: Authenticator;
  readonly limits: Limits;
  readonly trustProxy: readonly string[];
  /** The prices that REST shows. */
  readonly market: MarketView;
  readonly maxBufferBytes: number;
  readonly maxLagMs: number;
  /** Base of absolute links; called when the document is built, as the port may be known only after listening. */
  readonly publicUrl: () => string;
  /** Timings other than the contract's, for tests that cannot wait. */
  readonly timing?: Partial<SessionTiming>;
}

export interface Streams extends FrontHandlers {
  metrics(): readonly MetricReading[];
  readonly open: number;
  /** Whether gold has a price to send. */
  readonly hasPrice: boolean;
  /** Notifies every client of the shutdown, and resolves once they have disconnected or the time is up. */
  close(drainMs: number): Promise<void>;
}

/** The settings by the names of the streams. */
export const streamOptions = (settings: Settings) => ({
  ...settings,
  maxBufferBytes: settings.streamMaxBufferBytes,
  maxLagMs: settings.streamMaxLagMs,
});

/** Closes every connection, a few at a time, and waits until they are closed. */
const drain = async (connections: ReadonlySet<StreamConnection>, drainMs: number, clock: Time): Promise<void> => {
  let notified = 0;
  for (const connection of connections) {
    connection.step({ name: "drain" });
    notified += 1;
    if (notified % CLOSED_PER_TURN === 0) await clock.turn();
  }
  const stepMs = 20;
  for (let waitedMs = 0; connections.size > 0 && waitedMs < drainMs; waitedMs += stepMs) await clock.sleep(stepMs);
  for (const connection of connections) connection.abandon();
};

/** What all connections share, before there is any. */
const streamDeps = (options: StreamsOptions): StreamDeps => {
  const { store, live, clock, random, log, market, maxBufferBytes, maxLagMs } = options;
  return {
    hub: new Hub(STREAM_LIMITS.ringMs, clock.turn, findCloseIn(market)),
    places: new Places({ places: live.places, clock, log }),
    keys: new KeyWatch<StreamConnection>({ store, clock, log }),
    counts: new StreamCounts(),
    log,
    refusals: new RefusalLog(log, clock.elapsed),
    clock,
    timing: { ...TIMING, maxLagMs, ...options.timing },
    maxBufferBytes,
    random,
    isMarketOpen: (atMs) => market.isOpen(atMs),
    connections: new Set(),
    calendar: new Calendar(SWEEP_MS, clock.elapsed()),
    backedUp: new Set(),
  };
};

/**
 * Opens the streams, once the database responds.
 */
export const openStreams = async (options: StreamsOptions): Promise<Streams> => {
  const { store, live, clock, log, authenticator } = options;
  const deps = streamDeps(options);
  const { hub, keys, counts, connections } = deps;
  let isDraining = false;
  const reading: BusReaderOptions = {
    store,
    live,
    hub,
    ringMs: STREAM_LIMITS.ringMs,
    clock,
    log,
    onKeyChanged: (hash, revokedAtMs) => {
      authenticator.keyChanged(hash, revokedAtMs);
      keys.keyChanged(hash, revokedAtMs);
    },
    onMissed: () => keys.ask(),
  };
  const busReader = await untilRead(() => BusReader.open(reading), clock);
  const sweeping = sweeper(deps);
  return {
    ...openDoors(options, deps, () => isDraining),
    metrics: () => counts.read(hub, busReader),
    get open() {
      return counts.open;
    },
    get hasPrice() {
      return hub.topic("XAU-USD-SPOT").shown !== null;
    },
    close: async (drainMs) => {
      isDraining = true;
      await busReader.close();
      await drain(connections, drainMs, clock);
      sweeping.stop();
      await keys.close();
    },
  };
};
