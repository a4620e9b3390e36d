/** What every process needs: engines, clock, log, listening, orderly shutdown. */
export { openClock } from "./clock.ts";
export { makeDataFolder } from "./data-folder.ts";
export { type EngineOptions, type Engines, openEngines } from "./engines.ts";
export { clientAddress, keyOf, requestIdOf } from "./http/client.ts";
export { asyncApiText, openApiText } from "./http/generated-documents.ts";
export { type Beside, type Listening, listenOn } from "./http/listen.ts";
export { listenAt, type PortSetting } from "./http/listen-at.ts";
export { exemptFromStall } from "./http/stalled.ts";
export { Lifecycle } from "./lifecycle.ts";
export { createLogger, type LoggerOptions } from "./logger.ts";
export { openProcess } from "./open-process.ts";
export { openProgress, type Progress, silentProgress } from "./progress.ts";
export { endFailedStart } from "./start-fault.ts";
export { Readiness, type ReadinessReport } from "./telemetry/readiness.ts";
export type { AnyReading, MetricReading } from "./telemetry/reading.ts";
export { openTelemetry, type RouteWatch, silentTelemetry, type Telemetry } from "./telemetry/telemetry.ts";
