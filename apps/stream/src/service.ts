/** The streams as a separate process: the parts otherwise shared with the API, and the few other paths it answers. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { contract, refused } from "@assay/contract";
import { clientAddress, keyOf, type Listening, listenOn, requestIdOf, silentTelemetry, type Telemetry } from "@assay/process";
import { Authenticator, health, invoker, Limits, settleUsage } from "@assay/services";
import { isReading, refuse, refuseMethod, sendFault, sendOutcome } from "./http/plain-http.ts";
import { openStreams, type Streams, type StreamsOptions } from "./streams.ts";

/** Options of the process. */
export interface StreamServiceOptions extends Omit<StreamsOptions, "authenticator" | "limits" | "publicUrl"> {
  readonly host: string;
  readonly port: number;
  /** Base of absolute links; by default derived from host and port. */
  readonly publicUrl: string | undefined;
  /** Reads the counts of streams; by default no one does. */
  readonly telemetry?: Telemetry;
}

/** A running stream process. */
export interface StreamService {
  readonly url: string;
  readonly streams: Streams;
  /** Notifies every client, stops accepting connections, settles usage. */
  close(drainMs: number): Promise<void>;
}

const pathOf = ({ url = "" }: IncomingMessage): string => url.split("?", 1)[0] ?? "";

/** Starts the process: fills its rings, then listens. */
export const startStreams = async (options: StreamServiceOptions): Promise<StreamService> => {
  const { store, live, clock, log, host, trustProxy, telemetry = silentTelemetry() } = options;
  const authenticator = new Authenticator(options);
  const limits = new Limits(options);
  let port = options.port;
  const publicUrl = (): string => options.publicUrl ?? `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const streams = await openStreams({ ...options, authenticator, limits, publicUrl });
  await authenticator.expectKeys();
  const addressOf = clientAddress(trustProxy);
  const pipeline = { authenticator, limits, clock, log, disabled: new Set<string>(), historySunset: null };
  const answerHealth = invoker(contract.system.health, health, pipeline);

  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (pathOf(incoming) !== contract.system.health.path) refuse(incoming, response, refused("not_found"));
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
    beside: streams,
    readiness: telemetry.readiness,
  });
  port = listening.port;
  const settler = settleUsage({ live, store, log }, authenticator);
  return {
    url: publicUrl(),
    streams,
    close: async (drainMs) => {
      await Promise.all([listening.close(drainMs), streams.close(drainMs)]);
      await settler.stop();
    },
  };
};
