/** How every service starts: one sequence, in which its role says what it needs. */
import { changedSettings, misspeltSettings, parseSettings, SettingError, type Settings } from "@assay/config";
import { SECOND_MS, VERSION } from "@assay/contract";
import { holderId } from "@assay/live";
import { machineRandom, openClock, type Random, type Time } from "@assay/ports";
import type { Logger } from "pino";
import { clockSteps } from "./clock-watch.ts";
import { COMMIT } from "./commit.ts";
import { type Engines, openEngines, requireShared } from "./engines.ts";
import { urlOf } from "./http/listen.ts";
import { announceKeyless } from "./keyless.ts";
import { endFailedStart, Lifecycle } from "./lifecycle.ts";
import { createLogger } from "./logger.ts";
import { announceReady } from "./telemetry/readiness.ts";
import { openTelemetry, type RoleName, type Telemetry } from "./telemetry/telemetry.ts";

/** What a role has before its engines. */
export interface ProcessParts {
  readonly settings: Settings;
  readonly log: Logger;
  readonly clock: Time;
  readonly random: Random;
  /** Ends the process on a signal, closing the parts added to it. */
  readonly lifecycle: Lifecycle;
  readonly telemetry: Telemetry;
}

/** What a role serves once it runs. */
export interface Served {
  /** As callers reach it. */
  readonly url: string;
  /** Where it listens. */
  readonly address: string;
  /** Printed below `ready`. */
  readonly welcome?: string;
}

/** A role that is prepared. */
export interface Prepared<Running extends Served | null = Served | null> {
  /** The folder of a database that a new embedded one begins as a copy of; an empty one by default. */
  readonly newDatabase?: string | undefined;
  /** Starts it, and adds what has to be closed to the lifecycle. @returns null when it serves nothing */
  start(engines: Engines): Promise<Running>;
}

/** What a process does. */
export interface Role {
  readonly name: RoleName;
  /** Whether callers reach it. */
  readonly serves: boolean;
  /** The feeds that its writer can read; without a writer it has none. */
  readonly knownFeeds?: readonly string[];
  /**
   * Reads what can be wrong, before a database is opened or waited for.
   * @throws what the operator can fix
   */
  prepare(parts: ProcessParts): Promise<Prepared>;
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

/** Refuses one port for callers and the operator: the second to listen would only find it in use. */
export const requireOwnPort = ({ port, metricsPort }: Settings): void => {
  if (metricsPort === null || metricsPort === 0 || metricsPort !== port) return;
  throw new SettingError({
    variable: "METRICS_PORT",
    value: `${metricsPort}`,
    mayHold: "another port",
    because: "it is PORT's as well",
  });
};

/**
 * Opens the log, the clock, the orderly end and the operator's port, in the order they need each other.
 * @throws SettingError when a role other than `standalone` lacks the engines that processes share, or two ports are one
 * @throws AddressError when METRICS_PORT is unavailable
 */
const openParts = async ({ name, serves }: Role, settings: Settings): Promise<ProcessParts> => {
  if (name !== "standalone") requireShared(settings, `assay ${name}`);
  if (serves) requireOwnPort(settings);
  let telemetry: Telemetry | undefined;
  const log = createLogger({
    level: settings.logLevel,
    format: settings.logFormat,
    name,
    fields: () => telemetry?.logFields() ?? {},
  });
  const clock = openClock(settings.clockOffsetMs);
  logClockSteps(clock, log);
  const lifecycle = new Lifecycle(
    (error, message) => log.error({ err: error }, message),
    (signal) => log.info({ version: VERSION, signal }, "shutting down"),
  );
  lifecycle.endOnSignals();
  telemetry = await openTelemetry(settings, { role: name, log, clock, lifecycle });
  return { settings, log, clock, random: machineRandom, lifecycle, telemetry };
};

const run = async (role: Role): Promise<void> => {
  const settings = parseSettings(process.env, role);
  const parts = await openParts(role, settings);
  const { log, clock, telemetry } = parts;
  for (const { given, meant } of misspeltSettings(process.env)) log.warn({}, `${given} is not a setting; is ${meant} meant?`);
  const { newDatabase, start } = await role.prepare(parts);
  // A service waits for its engines until it is stopped: what started it knows better when to give up.
  const engines = await openEngines(settings, { ...parts, newDatabase, waitMs: Number.POSITIVE_INFINITY });
  if (role.serves) announceKeyless(settings, log);
  const served = await start(engines);
  const places = {
    ...(served && { address: served.address }),
    ...(telemetry.port !== null && { metrics: `${urlOf(settings.host, telemetry.port)}/metrics` }),
    ...(role.knownFeeds && { writer: holderId(settings.writerId) }),
  };
  log.info(
    { version: VERSION, ...(COMMIT !== null && { commit: COMMIT }), ...places, settings: changedSettings(process.env) },
    "started",
  );
  // In one write, so that on a terminal no line of the log comes between.
  const print = (line: string): void => void process.stdout.write(`${line}${served?.welcome ?? ""}`);
  await announceReady(telemetry.readiness, served?.url ?? `writer ${settings.writerId}`, { log, clock, print });
};

/** Runs a role in this process until a signal ends it; when the start fails it prints why and exits with 1. */
export const start = (role: Role): Promise<void> => run(role).catch(endFailedStart);
