/** The settings that an operator has changed, as the first line of the log shows them: without a secret. */
import { redactValue } from "./redact.ts";
import { SECRET_VARIABLES } from "./secret-files.ts";
import { type Environment, textOf } from "./variables.ts";

/** Every setting, with the text that means its default; null where nothing but leaving it out does. */
export const DEFAULT_TEXTS: Readonly<Record<string, string | null>> = {
  HOST: "127.0.0.1",
  PORT: "8080",
  PUBLIC_URL: null,
  TRUST_PROXY: null,
  METRICS_PORT: null,
  OTEL_EXPORTER_OTLP_ENDPOINT: null,
  LOG_LEVEL: "info",
  LOG_FORMAT: null,
  EMBED_ORIGINS: null,
  WEBHOOK_HOSTS: null,
  MAX_PIPELINED: "32",
  DRAIN_MS: "5000",
  CATALOG: null,
  TIERS_FILE: null,
  KEYLESS_TIER: "free",
  DISABLE: null,
  SIGNING_KEY_FILE: null,
  HISTORY_SUNSET: null,
  STREAM_MAX_BUFFER_BYTES: "1048576",
  STREAM_MAX_LAG_MS: "30000",
  DATA_DIR: "./data",
  DATABASE_URL: null,
  REDIS_URL: null,
  ARCHIVE_URL: null,
  S3_ENDPOINT: null,
  AWS_ACCESS_KEY_ID: null,
  AWS_SECRET_ACCESS_KEY: null,
  AWS_SESSION_TOKEN: null,
  AWS_REGION: "us-east-1",
  WRITER_ID: null,
  WRITER_LEASE_TTL_MS: "10000",
  KEY_GRACE: "15",
  COMMIT_SECONDS: "1",
  RETAIN_TICKS_HOURS: "1",
  RETAIN_DEALER_QUOTES_DAYS: "400",
  FEEDS: "simulated",
  SETTLEMENTS_DIR: null,
  BTMC_API_KEY: null,
  VOTS_DEALERS: null,
  SIM_SEED: "1",
  SIM_HOURS: "always",
  SIM_HISTORY_DAYS: "30",
  CLOCK_OFFSET_MS: "0",
};

const FEED_URL = /^FEED_[A-Z0-9_]+_URL$/;
const HIDDEN = "***";

/** An address without its user, password and parameters, any of which may be a secret. */
const placeOf = (value: string): string => {
  if (!URL.canParse(value)) return HIDDEN;
  const { protocol, host, pathname } = new URL(value);
  return `${protocol}//${host}${pathname}`;
};

const shown = (name: string, value: string): string => {
  if (name === "DATABASE_URL" || name === "REDIS_URL") return placeOf(value);
  return SECRET_VARIABLES.some((secret) => secret === name) ? HIDDEN : redactValue(value);
};

/**
 * Lists the settings that differ from their defaults, by name. Of a database's address the host and the path are shown, of any
 * other secret only that it is set, and of a secret in a file the file's path.
 */
export const changedSettings = (env: Environment): Readonly<Record<string, string>> => {
  const files = SECRET_VARIABLES.map((name) => `${name}_FILE`);
  const names = [...Object.keys(DEFAULT_TEXTS), ...files, ...Object.keys(env).filter((name) => FEED_URL.test(name))];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = textOf(env, name);
      return value === undefined || value === DEFAULT_TEXTS[name] ? [] : [[name, shown(name, value)] as const];
    }),
  );
};
