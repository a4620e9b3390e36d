/** What every process needs: engines, clock, log, listening, orderly shutdown. */

export { COMMIT } from "./commit.ts";
export { archivePlace, type EngineOptions, type Engines, openEngines } from "./engines.ts";
export { clientAddress, isReading, keyOf, keyOfOpenQuery, requestIdOf } from "./http/client.ts";
export { asyncApiText, errorPageText, openApiText } from "./http/generated-documents.ts";
export { type FrontHandlers, type Listening, type ListenOptions, listenOn, urlOf } from "./http/listen.ts";
export { closeUnread, isEnding, MAX_DROPPED_BYTES, noteStream } from "./http/pipeline.ts";
export { endFailedStart, isForeseen, Lifecycle } from "./lifecycle.ts";
export { createLogger, type LoggerOptions } from "./logger.ts";
export { openServiceProgress, type Progress, silentProgress } from "./progress.ts";
export { type Prepared, type ProcessParts, type Role, requireOwnPort, type Served, start } from "./start.ts";
export { makeDataFolder, noDatabase, untilRead } from "./store.ts";
export type { AnyReading, MetricReading } from "./telemetry/meter.ts";
export { Readiness, type ReadinessReport } from "./telemetry/readiness.ts";
export { openTelemetry, type RouteWatch, silentTelemetry, type Telemetry } from "./telemetry/telemetry.ts";
