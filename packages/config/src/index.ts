/** Settings, parsed once from the environment. */
export type { ArchiveLocation, S3Credentials } from "./archive-location.ts";
export { changedSettings } from "./changed-settings.ts";
export type { FeedsSetting } from "./feeds-setting.ts";
export { misspeltSettings } from "./misspelt-settings.ts";
export { redactText } from "./redact.ts";
export { withSecretFiles } from "./secret-files.ts";
export { LOG_LEVELS, type LogFormat, type LogLevel, parseSettings, type Settings, type SettingsOptions } from "./settings.ts";
export { type Environment, SettingError, type SettingFault } from "./variables.ts";
