/** Settings, parsed once; the log; the clock. */
export type { ArchiveLocation } from "./archive-location.ts";
export { type Clock, openClock } from "./clock.ts";
export { makeDataFolder } from "./data-folder.ts";
export { type EngineOptions, type Engines, openEngines, requireShared } from "./engines.ts";
export type { FeedsSetting } from "./feeds-setting.ts";
export { clientAddress, keyOf, requestIdOf } from "./http/client.ts";
export { type Beside, type Listening, listenOn } from "./http/listen.ts";
export { listenAt, type PortSetting } from "./http/listen-at.ts";
export { type MetricReading, type Metrics, type ObserveRequest, openMetrics } from "./http/metrics.ts";
export { exemptFromStall } from "./http/stalled.ts";
export { Lifecycle } from "./lifecycle.ts";
export { createLogger, type LoggerOptions } from "./logger.ts";
export { redactText } from "./redact.ts";
export { type Exit, exitOnSettingError, exitOnSettingFault, SettingError, type SettingFault } from "./setting-error.ts";
export { LOG_LEVELS, type LogLevel, parseSettings, type Settings, type SettingsOptions } from "./settings.ts";
export { endFailedStart } from "./start-fault.ts";
export type { Environment } from "./variables.ts";
