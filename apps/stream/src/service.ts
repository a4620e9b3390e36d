/** `assay stream`: the streams as a process of their own, with what they otherwise share with the API. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { contract, refused } from "@assay/contract";
import {
  clientAddress,
  isReading,
  keyOf,
  type Listening,
  listenOn,
  type Prepared,
  type ProcessParts,
  type Role,
  requestIdOf,
  type Served,
  silentTelemetry,
  type Telemetry,
  untilRead,
  urlOf,
} from "@assay/process";
import { Authenticator, health, invoker, Limits, openMarket, settleUsage } from "@assay/services";
import { pipelineOf } from "./doors.ts";
import { isFor, refuse, refuseMethod, sendFault, sendOutcome } from "./plain-http.ts";
import { openStreams, type Streams, type StreamsOptions, streamOptions } from "./streams.ts";

export interface StreamServiceOptions extends Omit<StreamsOptions, "authenticator" | "limits" | "market" | "publicUrl"> {
  /** Whether the market ever closes. */
  readonly marketHours: boolean;
  /** How long after its last use a key is trusted while the database does not respond. */
  readonly keyGraceMs: number;
  readonly host: string;
  readonly port: number;
  /** Requests of one connection that may wait for their answers. */
  readonly maxPipelined: number;
  /** Base of absolute links; by default derived from host and port. */
  readonly publicUrl: string | undefined;
  /** Reads the counts of streams; by default no one does. */
  readonly telemetry?: Telemetry;
}

export interface StreamService {
  /** As callers reach it. */
  readonly url: string;
  readonly address: string;
  readonly streams: Streams;
  /** Notifies every client, stops accepting connections, settles usage. */
  close(drainMs: number): Promise<void>;
}

/** Starts the process: fills its rings, then listens. */
export const startStreams = async (options: StreamServiceOptions): Promise<StreamService> => {
  const { store, live, clock, log, host, trustProxy, telemetry = silentTelemetry() } = options;
  const authenticator = new Authenticator(options);
  const limits = new Limits(options);
  let port = options.port;
  const publicUrl = (): string => options.publicUrl ?? urlOf(host, port);
  const { market, close: closeMarket } = await untilRead(() => openMarket(options), clock);
  const streams = await openStreams({ ...options, authenticator, limits, market, publicUrl });
  await untilRead(() => authenticator.expectKeys(), clock);
  const addressOf = clientAddress(trustProxy);
  const answerHealth = invoker(contract.system.health, health, pipelineOf({ authenticator, limits, clock, log }));

  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isFor(incoming, contract.system.health.path)) refuse(incoming, response, refused("not_found"));
    else if (!isReading(incoming)) refuseMethod(incoming, response);
    else {
      const call = { requestId: requestIdOf(incoming), ip: addressOf(incoming), key: keyOf(incoming), readInput: () => ({}) };
      sendOutcome(incoming, response, await answerHealth(call));
    }
  };
  const application = (incoming: IncomingMessage, response: ServerResponse): void => {
    answer(incoming, response).catch((error: unknown) => {
      log.error({ err: error, requestId: requestIdOf(incoming) }, "a request failed");
      sendFault(incoming, response);
    });
  };

  telemetry.add(() => [...streams.metrics(), ...limits.counts.read()]);
  telemetry.readiness.check("price", () => streams.hasPrice);
  const listening: Listening = await listenOn((create, settings) => create(settings, application), {
    host,
    port,
    maxPipelined: options.maxPipelined,
    front: streams,
    readiness: telemetry.readiness,
  });
  port = listening.port;
  const settler = settleUsage({ live, store, clock, log }, authenticator);
  return {
    url: publicUrl(),
    address: urlOf(host, port),
    streams,
    close: async (drainMs) => {
      await Promise.all([listening.close(drainMs), streams.close(drainMs)]);
      await closeMarket();
      await settler.stop();
    },
  };
};

/** Reads nothing before its engines. */
const prepare = async ({ settings, clock, random, log, lifecycle, telemetry }: ProcessParts): Promise<Prepared<Served>> => ({
  start: async (engines) => {
    const service = await startStreams({ ...streamOptions(settings), ...engines, clock, random, log, telemetry });
    lifecycle.add("the streams", () => service.close(settings.drainMs));
    return service;
  },
});

export const streamRole: Role = { name: "stream", serves: true, prepare };
