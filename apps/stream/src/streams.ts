/** The streams as a part of a process: bus to hub, hub to sockets, and orderly shutdown. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as pause, setImmediate } from "node:timers/promises";
import { refused, STREAM_LIMITS, type TierCatalog } from "@assay/contract";
import type { Store } from "@assay/db";
import type { Live, Log } from "@assay/live";
import { marketStateAt } from "@assay/pricing";
import { type Beside, clientAddress, type MetricReading, requestIdOf } from "@assay/process";
import { type Authenticator, type Limits, refusalOutcome } from "@assay/services";
import { asyncApi, isDocumentPath } from "./http/asyncapi.ts";
import { sendOutcome } from "./http/plain-http.ts";
import { Feed } from "./hub/feed.ts";
import { Hub } from "./hub/hub.ts";
import { Calendar } from "./session/calendar.ts";
import type { Connection, ConnectionParts } from "./session/connection.ts";
import { KeyWatch } from "./session/key-watch.ts";
import { Places } from "./session/places.ts";
import { RefusalLog } from "./session/refusal-log.ts";
import type { SessionTiming } from "./session/states.ts";
import { StreamCounts } from "./session/stream-counts.ts";
import { SWEEP_MS, sweeper } from "./session/sweeper.ts";
import { isSsePath, sseDoor } from "./sse/door.ts";
import { opener } from "./sse/opening.ts";
import { admitter } from "./ws/admit.ts";
import { Session } from "./ws/session.ts";
import { isStreamPath, upgradeRequired, upgrader } from "./ws/upgrade.ts";

/** How long a closed socket may take to confirm the close. */
const CLOSE_WITHIN_MS = 5_000;
/** Connections notified of the shutdown before yielding to the event loop. */
const CLOSED_PER_TURN = 50;

/** The timings of a connection, from the contract. */
export const TIMING: SessionTiming = { ...STREAM_LIMITS, closeWithinMs: CLOSE_WITHIN_MS };

/** Options of the streams. */
export interface StreamsOptions {
  readonly store: Store;
  readonly live: Live;
  readonly clock: () => number;
  readonly log: Log;
  readonly catalog: TierCatalog;
  readonly authenticator: Authenticator;
  readonly limits: Limits;
  readonly trustProxy: readonly string[];
  /** Whether the market ever closes. */
  readonly marketHours: boolean;
  readonly maxBufferBytes: number;
  readonly maxLagMs: number;
  /** Base of absolute links; called when the document is built, as the port may be known only after listening. */
  readonly publicUrl: () => string;
  /** Timings other than the contract's, for tests that cannot wait. */
  readonly timing?: Partial<SessionTiming>;
  /** A monotonic clock in milliseconds, and randomness: replaced in tests. */
  readonly elapsed?: () => number;
  readonly random?: () => number;
}

/** Open streams. */
export interface Streams extends Beside {
  /** Values for the metrics. */
  metrics(): readonly MetricReading[];
  /** Streams open now. */
  readonly open: number;
  /** Whether gold has a price to send. */
  readonly hasPrice: boolean;
  /** Notifies every client of the shutdown, and resolves once they have disconnected or the time is up. */
  close(drainMs: number): Promise<void>;
}

/** Closes every connection, a few at a time, and waits until they are closed. */
const drain = async (connections: ReadonlySet<Connection>, drainMs: number): Promise<void> => {
  let told = 0;
  for (const connection of connections) {
    connection.step({ name: "drain" });
    told += 1;
    if (told % CLOSED_PER_TURN === 0) await setImmediate();
  }
  const stepMs = 20;
  for (let waitedMs = 0; connections.size > 0 && waitedMs < drainMs; waitedMs += stepMs) await pause(stepMs);
  for (const connection of connections) connection.abandon();
};

/**
 * Opens the streams.
 * @throws StoreUnavailableError when the database does not respond
 */
export const openStreams = async (options: StreamsOptions): Promise<Streams> => {
  const { store, live, clock, log, catalog, authenticator, limits, trustProxy, marketHours } = options;
  const { elapsed = () => performance.now(), random = Math.random } = options;
  const hub = new Hub(STREAM_LIMITS.ringMs);
  const keys = new KeyWatch<Connection>({ store, log });
  const counts = new StreamCounts();
  const places = new Places({ places: live.places, elapsed, log });
  const connections = new Set<Connection>();
  const timing = { ...TIMING, maxLagMs: options.maxLagMs, ...options.timing };
  let isDraining = false;

  const feed = await Feed.open({
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
  });
  const parts: ConnectionParts = {
    hub,
    places,
    counts,
    log,
    refusals: new RefusalLog(log, elapsed),
    clock,
    elapsed,
    timing,
    maxBufferBytes: options.maxBufferBytes,
    random,
    isMarketOpen: (atMs) => !marketHours || marketStateAt(atMs).open,
    connections,
    calendar: new Calendar(SWEEP_MS, elapsed()),
    backedUp: new Set(),
  };
  const sweeping = sweeper({ ...parts, keys });

  const admit = admitter({ authenticator, limits, catalog, places, clock });
  const sessionParts = { ...parts, admit, keys, catalog, maxSymbols: STREAM_LIMITS.maxSymbols };
  const addressOf = clientAddress(trustProxy);
  const upgrade = upgrader({
    closeWithinMs: timing.closeWithinMs,
    isDraining: () => isDraining,
    onOpen: (ws, socket, incoming) => new Session(sessionParts, ws, socket, addressOf(incoming), requestIdOf(incoming)),
  });
  const pipeline = { authenticator, limits, clock, log, disabled: new Set<string>(), historySunset: null };
  const sse = sseDoor({
    parts: { ...parts, keys },
    places,
    open: opener({ ...pipeline, catalog, places, trustProxy }),
    isDraining: () => isDraining,
  });

  /** A plain request to the WebSocket's path. */
  const refusePlain = (incoming: IncomingMessage, response: ServerResponse): void => {
    if (incoming.method !== "GET") {
      sendOutcome(incoming, response, refusalOutcome(refused("method_not_allowed"), requestIdOf(incoming), { Allow: "GET" }));
      return;
    }
    const refusal = upgradeRequired(incoming, "This path accepts only WebSocket connections.");
    sendOutcome(incoming, response, { ...refusal, headers: { ...refusal.headers, Connection: "Upgrade, close" } });
  };

  const document = asyncApi(options.publicUrl);

  return {
    request: (incoming, response) => {
      if (sse.isBehindStream(incoming)) incoming.socket.destroy();
      else if (isSsePath(incoming)) sse.answer(incoming, response);
      else if (isStreamPath(incoming)) refusePlain(incoming, response);
      else if (isDocumentPath(incoming)) document(incoming, response);
      else return false;
      return true;
    },
    upgrade: (incoming: IncomingMessage, socket: Socket, head: Buffer) => upgrade(incoming, socket, head),
    metrics: () => counts.read(hub, feed),
    get open() {
      return counts.open;
    },
    get hasPrice() {
      return hub.topic("XAU-USD-SPOT").shown !== null;
    },
    close: async (drainMs) => {
      isDraining = true;
      await feed.close();
      await drain(connections, drainMs);
      sweeping.stop();
      await keys.close();
    },
  };
};
