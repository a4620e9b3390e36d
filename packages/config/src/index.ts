/** Settings, parsed once from the environment. */
export type { ArchiveLocation } from "./archive-location.ts";
export type { FeedsSetting } from "./feeds-setting.ts";
export { redactText } from "./redact.ts";
export type { S3Credentials } from "./s3-setting.ts";
export { withSecretFiles } from "./secret-files.ts";
export { SettingError, type SettingFault } from "./setting-error.ts";
export { LOG_LEVELS, type LogFormat, type LogLevel, parseSettings, type Settings, type SettingsOptions } from "./settings.ts";
export type { Environment } from "./variables.ts";
