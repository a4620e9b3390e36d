/** All of Assay's settings, read once from the environment. */
import { hostname } from "node:os";
import { resolve } from "node:path";
import { DAY_MS, type Feature, HOUR_MS, INTRADAY_DEPTH_DAYS, MINUTE_MS, SECOND_MS, type TierCatalog } from "@assay/contract";
import {
  type ArchiveLocation,
  archiveLocation,
  archivesUnder,
  readS3Credentials,
  readS3Region,
  type S3Credentials,
} from "./archive-location.ts";
import { type FeedsSetting, readFeeds, readFeedUrls } from "./feeds-setting.ts";
import {
  addressRanges,
  baseUrl,
  calendarDate,
  hostName,
  oneOf,
  origins,
  plainName,
  receivers,
  someOf,
  urlOf,
  wholeNumber,
} from "./kinds.ts";
import { checkCatalogue, readCatalog } from "./operator-files.ts";
import { withoutContent, withSecretFiles } from "./secret-files.ts";
import { type Environment, readVariable, SettingError, textOf } from "./variables.ts";

/** Log levels, quietest last. */
export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Forms of a log line: JSON for machines, text for people. */
export const LOG_FORMATS = ["json", "text"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** All settings, each in the form its consumer needs. */
export interface Settings {
  readonly host: string;
  /** 0 picks any free port. */
  readonly port: number;
  /** Base of absolute links, without a trailing slash; undefined: derived from host and port once listening. */
  readonly publicUrl: string | undefined;
  /** An absolute path. */
  readonly dataDir: string;
  /** Undefined: the embedded database in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** Undefined: live state is kept in memory. */
  readonly redisUrl: string | undefined;
  readonly archive: ArchiveLocation;
  /** The endpoint of an S3 service other than Amazon's. */
  readonly s3Endpoint: string | undefined;
  readonly s3Region: string;
  /** Null when none are set. */
  readonly s3Credentials: S3Credentials | null;
  readonly feeds: FeedsSetting;
  /** Base URLs that override the feeds' own, by feed key. */
  readonly feedUrls: Readonly<Record<string, string>>;
  readonly simSeed: number;
  readonly simHours: "always" | "market";
  /** Whether the market ever closes. */
  readonly marketHours: boolean;
  /** Days of intraday bars a new store starts with. */
  readonly simHistoryDays: number;
  readonly clockOffsetMs: number;
  readonly catalog: TierCatalog;
  /** How long after its last use a key works while the database does not respond. */
  readonly keyGraceMs: number;
  readonly streamMaxBufferBytes: number;
  readonly streamMaxLagMs: number;
  readonly drainMs: number;
  /** Requests that a connection may send before their answers; one more closes it. */
  readonly maxPipelined: number;
  /** Addresses and CIDR ranges whose `X-Forwarded-For` is trusted. */
  readonly trustProxy: readonly string[];
  readonly writerId: string;
  /** The preferred lease holder: `WRITER_ID` as set; null when unset, and any writer may hold the lease. */
  readonly configuredWriter: string | null;
  readonly writerLeaseTtlMs: number;
  /** How often the writer commits and publishes what it composed each second. */
  readonly commitEveryMs: number;
  /** How long ticks and live currency rates are kept. */
  readonly retainTicksMs: number;
  /** How long changes of dealers' quotes are kept. */
  readonly retainDealerQuotesMs: number;
  /** Null: no metrics. 0 picks any free port. */
  readonly metricsPort: number | null;
  /** The base URL of an OpenTelemetry collector, without a trailing slash; null: no traces, and metrics are only scraped. */
  readonly otlpEndpoint: string | null;
  readonly disabled: ReadonlySet<Feature>;
  /** ISO date; null for none. */
  readonly historySunset: string | null;
  /** An absolute path of the keys that sign receipts; undefined: a file in `dataDir`. */
  readonly signingKeyFile: string | undefined;
  readonly logLevel: LogLevel;
  /** Undefined: text on a terminal, else JSON. */
  readonly logFormat: LogFormat | undefined;
  /** Origins whose pages may show the embedded price in a frame. */
  readonly embedOrigins: readonly string[];
  /** Hosts, as URLs write them, that events of alerts may be sent to over http and at private addresses. */
  readonly webhookHosts: ReadonlySet<string>;
}

export interface SettingsOptions {
  /** Keys of the existing feeds; without them any well-formed key passes here. */
  readonly knownFeeds?: readonly string[];
}

const PORT = wholeNumber(0, 65_535, "a port", " (0 is any free one)");
const CENTURY_MS = 36_525 * DAY_MS;
const databaseUrl = urlOf(
  ["postgres:", "postgresql:"],
  "postgres://assay:PASSWORD@db.example.com:5432/assay",
  (url) => url.hostname !== "",
);
/** The path is empty or a database number. */
const redisUrl = urlOf(
  ["redis:", "rediss:"],
  "redis://cache.example.com:6379",
  (url) => url.hostname !== "" && /^\/?[0-9]{0,5}$/.test(url.pathname),
);

const readSigningKeyPath = (env: Environment): string | undefined => {
  const path = textOf(env, "SIGNING_KEY_FILE");
  return path === undefined ? undefined : resolve(path);
};

const readClockOffset = (env: Environment, feeds: FeedsSetting): number => {
  const offset = wholeNumber(-CENTURY_MS, CENTURY_MS, "milliseconds");
  const clockOffsetMs = readVariable(env, "CLOCK_OFFSET_MS", offset, 0);
  if (clockOffsetMs === 0 || feeds.isRehearsal) return clockOffsetMs;
  throw new SettingError({
    variable: "CLOCK_OFFSET_MS",
    value: textOf(env, "CLOCK_OFFSET_MS") ?? "",
    mayHold: "0, unless every feed is simulated or replay",
    because: `FEEDS is ${feeds.text}`,
  });
};

const readSettings = (env: Environment, { knownFeeds }: SettingsOptions): Settings => {
  checkCatalogue(env);
  const dataDir = resolve(textOf(env, "DATA_DIR") ?? "data");
  const feeds = readFeeds(env, knownFeeds);
  const simHours = readVariable(env, "SIM_HOURS", oneOf(["always", "market"]), "always");
  const configuredWriter = readVariable(env, "WRITER_ID", plainName, null);
  return {
    host: readVariable(env, "HOST", hostName, "127.0.0.1"),
    port: readVariable(env, "PORT", PORT, 8080),
    publicUrl: readVariable(env, "PUBLIC_URL", baseUrl("https://prices.example.com"), undefined),
    dataDir,
    databaseUrl: readVariable(env, "DATABASE_URL", databaseUrl, undefined),
    redisUrl: readVariable(env, "REDIS_URL", redisUrl, undefined),
    archive: readVariable(env, "ARCHIVE_URL", archiveLocation, archivesUnder(dataDir)),
    s3Endpoint: readVariable(env, "S3_ENDPOINT", baseUrl("https://s3.example.com"), undefined),
    s3Region: readS3Region(env),
    s3Credentials: readS3Credentials(env),
    feeds,
    feedUrls: readFeedUrls(env, knownFeeds),
    simSeed: readVariable(env, "SIM_SEED", wholeNumber(0, 4_294_967_295, "a whole number"), 1),
    simHours,
    marketHours: !feeds.isRehearsal || simHours === "market",
    simHistoryDays: readVariable(env, "SIM_HISTORY_DAYS", wholeNumber(1, INTRADAY_DEPTH_DAYS, "days"), INTRADAY_DEPTH_DAYS),
    clockOffsetMs: readClockOffset(env, feeds),
    catalog: readCatalog(env),
    keyGraceMs: MINUTE_MS * readVariable(env, "KEY_GRACE", wholeNumber(0, 1_440, "minutes"), 15),
    streamMaxBufferBytes: readVariable(env, "STREAM_MAX_BUFFER_BYTES", wholeNumber(1_024, 1_073_741_824, "bytes"), 1_048_576),
    streamMaxLagMs: readVariable(env, "STREAM_MAX_LAG_MS", wholeNumber(1, DAY_MS, "milliseconds"), 30_000),
    drainMs: readVariable(env, "DRAIN_MS", wholeNumber(0, 600_000, "milliseconds"), 5_000),
    maxPipelined: readVariable(env, "MAX_PIPELINED", wholeNumber(1, 1_000, "requests"), 32),
    trustProxy: readVariable(env, "TRUST_PROXY", addressRanges, []),
    writerId: configuredWriter ?? `${hostname()}:${process.pid}`,
    configuredWriter,
    writerLeaseTtlMs: readVariable(env, "WRITER_LEASE_TTL_MS", wholeNumber(500, 600_000, "milliseconds"), 10_000),
    commitEveryMs: SECOND_MS * readVariable(env, "COMMIT_SECONDS", wholeNumber(1, 10, "seconds"), 1),
    retainTicksMs: HOUR_MS * readVariable(env, "RETAIN_TICKS_HOURS", wholeNumber(1, 720, "hours"), 1),
    retainDealerQuotesMs: DAY_MS * readVariable(env, "RETAIN_DEALER_QUOTES_DAYS", wholeNumber(1, 3_650, "days"), 400),
    metricsPort: readVariable(env, "METRICS_PORT", PORT, null),
    otlpEndpoint: readVariable(env, "OTEL_EXPORTER_OTLP_ENDPOINT", baseUrl("http://collector.example.com:4318"), null),
    disabled: readVariable(env, "DISABLE", someOf(["bars", "ratios", "download"]), new Set<Feature>()),
    signingKeyFile: readSigningKeyPath(env),
    historySunset: readVariable(env, "HISTORY_SUNSET", calendarDate, null),
    logLevel: readVariable(env, "LOG_LEVEL", oneOf(LOG_LEVELS), "info"),
    logFormat: readVariable(env, "LOG_FORMAT", oneOf(LOG_FORMATS), undefined),
    embedOrigins: readVariable(env, "EMBED_ORIGINS", origins, []),
    webhookHosts: readVariable(env, "WEBHOOK_HOSTS", receivers, new Set<string>()),
  };
};

/**
 * Reads every setting, secrets from their files too. A blank variable counts as unset.
 * @throws SettingError on the first invalid setting
 */
export const parseSettings = (env: Environment, options: SettingsOptions = {}): Settings => {
  const opened = withSecretFiles(env);
  try {
    return readSettings(opened, options);
  } catch (error) {
    throw withoutContent(env, error);
  }
};
