/** How every service begins: its log, clock, orderly end and telemetry, in the order they need each other. */
import { changedSettings, SettingError, type Settings } from "@assay/config";
import { SECOND_MS, VERSION } from "@assay/contract";
import { holderId } from "@assay/live";
import { openClock, type Time } from "@assay/ports";
import type { Logger } from "pino";
import { clockSteps } from "./clock-watch.ts";
import { requireShared } from "./engines.ts";
import { urlOf } from "./http/listen.ts";
import { Lifecycle } from "./lifecycle.ts";
import { createLogger } from "./logger.ts";
import { openTelemetry, type Role, type Telemetry } from "./telemetry/telemetry.ts";

/** What a service has before its engines. */
export interface ProcessParts {
  readonly log: Logger;
  readonly clock: Time;
  /** Ends the process on a signal, closing the parts added to it. */
  readonly lifecycle: Lifecycle;
  readonly telemetry: Telemetry;
  /**
   * Logs that the process has started: its version, its addresses and the settings that were changed.
   * @param address where it listens; null when nothing is served
   */
  readonly logStart: (address: string | null) => void;
}

/** Prices depend on the clock; when it was set explains what they did then. */
const logClockSteps = (clock: Time, log: Logger): void => {
  const look = clockSteps(clock, clock.elapsed);
  const watch = (): void => {
    const stepMs = look();
    if (stepMs !== 0) log.warn({ seconds: stepMs / SECOND_MS }, `the clock was set ${stepMs > 0 ? "forward" : "back"}`);
  };
  clock.every(SECOND_MS, watch);
};

/** Refuses one port for callers and the operator: the second to listen would only find it in use. A writer has no callers. */
const requireOwnPort = ({ port, metricsPort }: Settings): void => {
  if (metricsPort === null || metricsPort === 0 || metricsPort !== port) return;
  throw new SettingError({
    variable: "METRICS_PORT",
    value: `${metricsPort}`,
    mayHold: "another port",
    because: "it is PORT's as well",
  });
};

/**
 * Opens them.
 * @throws SettingError when a role other than `standalone` lacks the engines that processes share, or two ports are one
 * @throws AddressError when METRICS_PORT is unavailable
 */
export const openProcess = async (role: Role, settings: Settings): Promise<ProcessParts> => {
  if (role !== "standalone") requireShared(settings, `assay ${role}`);
  if (role !== "writer") requireOwnPort(settings);
  let telemetry: Telemetry | undefined;
  const log = createLogger({
    level: settings.logLevel,
    format: settings.logFormat,
    name: role,
    fields: () => telemetry?.logFields() ?? {},
  });
  const clock = openClock(settings.clockOffsetMs);
  logClockSteps(clock, log);
  const lifecycle = new Lifecycle(
    (error, message) => log.error({ err: error }, message),
    (signal) => log.info({ version: VERSION, signal }, "shutting down"),
  );
  lifecycle.endOnSignals();
  telemetry = await openTelemetry(settings, { role, log, clock, lifecycle });
  const { port } = telemetry;
  const logStart = (address: string | null): void => {
    const places = {
      ...(address !== null && { address }),
      ...(port !== null && { metrics: `${urlOf(settings.host, port)}/metrics` }),
      ...((role === "writer" || role === "standalone") && { writer: holderId(settings.writerId) }),
    };
    log.info({ version: VERSION, ...places, settings: changedSettings(process.env) }, "started");
  };
  return { log, clock, lifecycle, telemetry, logStart };
};
