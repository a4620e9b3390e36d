/** The streams as a part of a process: bus to hub, hub to sockets, and an orderly end. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as pause, setImmediate } from "node:timers/promises";
import { type Beside, clientAddress, type MetricReading, requestIdOf } from "@assay/config";
import { Refusal, STREAM_LIMITS, type TierCatalog } from "@assay/contract";
import type { Store } from "@assay/db";
import type { Live } from "@assay/live";
import { marketStateAt } from "@assay/pricing";
import { type Authenticator, type Limits, refusalOutcome } from "@assay/services";
import { asyncApi, isDocumentPath } from "./asyncapi.ts";
import { Calendar } from "./calendar.ts";
import type { Connection, ConnectionParts, StreamLog } from "./connection.ts";
import { Feed } from "./hub/feed.ts";
import { Hub } from "./hub/hub.ts";
import { KeyWatch } from "./key-watch.ts";
import { Places } from "./places.ts";
import { sendOutcome } from "./plain-http.ts";
import { RefusalLog } from "./refusal-log.ts";
import { isSsePath, sseDoor } from "./sse/door.ts";
import { opener } from "./sse/opening.ts";
import { StreamCounts } from "./stream-counts.ts";
import { SWEEP_MS, sweeper } from "./sweeper.ts";
import { admitter } from "./ws/admit.ts";
import { Session } from "./ws/session.ts";
import type { SessionTiming } from "./ws/states.ts";
import { isStreamPath, upgradeRequired, upgrader } from "./ws/upgrade.ts";

/** How long a closed socket may take to say that it is closed. */
const CLOSE_WITHIN_MS = 5_000;
/** Connections told of the end before the event loop has a turn. */
const CLOSED_PER_TURN = 50;

/** The times of a connection, as the contract has them. */
export const TIMING: SessionTiming = { ...STREAM_LIMITS, closeWithinMs: CLOSE_WITHIN_MS };

/** What streams are opened with. */
export interface StreamsOptions {
  readonly store: Store;
  readonly live: Live;
  readonly clock: () => number;
  readonly log: StreamLog;
  readonly catalog: TierCatalog;
  readonly authenticator: Authenticator;
  readonly limits: Limits;
  readonly trustProxy: readonly string[];
  /** Whether the market closes at all. */
  readonly marketHours: boolean;
  readonly maxBufferBytes: number;
  readonly maxLagMs: number;
  /** Base of absolute links; asked when the document is made, as the port may be known only once it listens. */
  readonly publicUrl: () => string;
  /** Other times than the contract's, for suites that cannot wait. */
  readonly timing?: Partial<SessionTiming>;
  /** Milliseconds that only pass, and chance: other ones than the process's, for suites. */
  readonly elapsed?: () => number;
  readonly random?: () => number;
}

/** Open streams. */
export interface Streams extends Beside {
  /** Figures for the metrics. */
  metrics(): readonly MetricReading[];
  /** Streams open now. */
  readonly open: number;
  /** Tells every client that the server goes down, and ends once they are gone or the time is up. */
  close(drainMs: number): Promise<void>;
}

/** Closes every connection, a few at a time, and waits for them to go. */
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
 * @throws StoreUnavailableError when the store does not answer
 */
export const openStreams = async (options: StreamsOptions): Promise<Streams> => {
  const { store, live, clock, log, catalog, authenticator, limits, trustProxy, marketHours } = options;
  const { elapsed = () => performance.now(), random = Math.random } = options;
  const hub = new Hub(STREAM_LIMITS.ringMs);
  const keys = new KeyWatch({ store, log });
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

  /** A request for the WebSocket's path that asks for none. */
  const refusePlain = (incoming: IncomingMessage, response: ServerResponse): void => {
    if (incoming.method !== "GET") {
      sendOutcome(incoming, response, refusalOutcome(new Refusal("method_not_allowed"), requestIdOf(incoming), { Allow: "GET" }));
      return;
    }
    const refusal = upgradeRequired(incoming, "This path speaks WebSocket only.");
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
    metrics: () => counts.read(hub, feed.recoveries),
    get open() {
      return counts.open;
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
