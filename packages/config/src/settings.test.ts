/** Every setting: its default, its valid values, and how it refuses others. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DEFAULT_CATALOG, TIER_NAMES } from "@assay/contract";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseSettings, type Settings } from "./settings.ts";
import { SettingError } from "./variables.ts";

/** Of the first plane; the library's own unit lists all 1.1 million characters first, which takes seconds. */
const anyCharacter = fc.nat({ max: 0xd7_ff }).map((code) => String.fromCharCode(code));

let folder: string;
const file = (name: string): string => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-settings-"));
  writeFileSync(file("ticks.ndjson"), "");
  writeFileSync(file("tiers.json"), '{"free":{"monthly_quota":20},"keyless":{"per_minute":7}}');
  writeFileSync(file("bom.json"), '\uFEFF{"keyless":{"per_hour":5}}');
  writeFileSync(file("broken.json"), '{"free":');
  writeFileSync(file("unknown-tier.json"), '{"gold":{"monthly_quota":20}}');
  writeFileSync(file("wrong-type.json"), '{"free":{"monthly_quota":"many"}}');
});
afterAll(() => rmSync(folder, { recursive: true }));

const refusal = (env: Record<string, string>, knownFeeds?: readonly string[]): string => {
  try {
    parseSettings(env, knownFeeds ? { knownFeeds } : {});
  } catch (error) {
    if (error instanceof SettingError) return error.message;
    throw error;
  }
  throw new Error(`nothing was refused in ${JSON.stringify(env)}`);
};

describe("without any setting", () => {
  const defaults = parseSettings({});

  test("everything has the documented default", () => {
    expect(defaults).toEqual({
      host: "127.0.0.1",
      port: 8080,
      publicUrl: undefined,
      dataDir: resolve("data"),
      databaseUrl: undefined,
      redisUrl: undefined,
      archive: { kind: "file", directory: resolve("data/archives") },
      s3Endpoint: undefined,
      s3Region: "us-east-1",
      s3Credentials: null,
      feeds: { text: "simulated", names: ["simulated"], replayFile: null, isRehearsal: true },
      feedUrls: {},
      simSeed: 1,
      simHours: "always",
      marketHours: false,
      simHistoryDays: 30,
      clockOffsetMs: 0,
      catalog: DEFAULT_CATALOG,
      streamMaxBufferBytes: 1_048_576,
      streamMaxLagMs: 30_000,
      drainMs: 5_000,
      maxPipelined: 32,
      trustProxy: [],
      writerId: `${hostname()}:${process.pid}`,
      configuredWriter: null,
      writerLeaseTtlMs: 10_000,
      metricsPort: null,
      otlpEndpoint: null,
      keyGraceMs: 900_000,
      commitEveryMs: 1_000,
      retainTicksMs: 3_600_000,
      retainDealerQuotesMs: 34_560_000_000,
      disabled: new Set(),
      historySunset: null,
      logLevel: "info",
      logFormat: undefined,
      embedOrigins: [],
      webhookHosts: new Set(),
    });
  });

  test("a blank variable counts as unset", () => {
    const names =
      "HOST PORT PUBLIC_URL DATA_DIR DATABASE_URL REDIS_URL ARCHIVE_URL S3_ENDPOINT FEEDS FEED_ECB_URL SIM_SEED SIM_HOURS SIM_HISTORY_DAYS \
CLOCK_OFFSET_MS TIERS_FILE STREAM_MAX_BUFFER_BYTES STREAM_MAX_LAG_MS DRAIN_MS MAX_PIPELINED TRUST_PROXY WRITER_ID WRITER_LEASE_TTL_MS METRICS_PORT \
DISABLE HISTORY_SUNSET LOG_LEVEL LOG_FORMAT EMBED_ORIGINS WEBHOOK_HOSTS".split(" ");
    for (const blank of ["", "  ", "\t\r\n"]) {
      expect(parseSettings(Object.fromEntries(names.map((name) => [name, blank])))).toEqual(defaults);
    }
  });
});

/** Valid settings by variable: the text, and the parsed value. */
const TAKEN: readonly (readonly [variable: string, text: string, setting: keyof Settings, value: unknown])[] = [
  ["HOST", "0.0.0.0", "host", "0.0.0.0"],
  ["HOST", "::1", "host", "::1"],
  ["HOST", "prices.internal", "host", "prices.internal"],
  ["PORT", "0", "port", 0],
  ["PORT", " 65535\n", "port", 65_535],
  ["PUBLIC_URL", "https://prices.example.com/metals/", "publicUrl", "https://prices.example.com/metals"],
  ["DATA_DIR", "/var/lib/assay", "dataDir", "/var/lib/assay"],
  ["DATA_DIR", "elsewhere", "dataDir", resolve("elsewhere")],
  [
    "DATABASE_URL",
    "postgres://u:p%40ss@db:5432/assay?sslmode=require",
    "databaseUrl",
    "postgres://u:p%40ss@db:5432/assay?sslmode=require",
  ],
  ["DATABASE_URL", "postgresql://db/assay", "databaseUrl", "postgresql://db/assay"],
  ["REDIS_URL", "rediss://:secret@cache:6380/2", "redisUrl", "rediss://:secret@cache:6380/2"],
  ["REDIS_URL", "redis://127.0.0.1", "redisUrl", "redis://127.0.0.1"],
  ["REDIS_URL", "redis://127.0.0.1/", "redisUrl", "redis://127.0.0.1/"],
  ["ARCHIVE_URL", "file:/srv/archives", "archive", { kind: "file", directory: "/srv/archives" }],
  ["ARCHIVE_URL", "file:///srv/my%20archives", "archive", { kind: "file", directory: "/srv/my archives" }],
  ["ARCHIVE_URL", "file:archives", "archive", { kind: "file", directory: resolve("archives") }],
  ["ARCHIVE_URL", "s3://bars", "archive", { kind: "s3", bucket: "bars", prefix: "" }],
  ["ARCHIVE_URL", "s3://bars/prod/v1/", "archive", { kind: "s3", bucket: "bars", prefix: "prod/v1" }],
  ["S3_ENDPOINT", "http://minio:9000", "s3Endpoint", "http://minio:9000"],
  ["SIM_SEED", "42", "simSeed", 42],
  ["SIM_HOURS", "market", "simHours", "market"],
  ["SIM_HOURS", "market", "marketHours", true],
  ["FEEDS", "ecb", "marketHours", true],
  ["SIM_HISTORY_DAYS", "1", "simHistoryDays", 1],
  ["CLOCK_OFFSET_MS", "-86400000", "clockOffsetMs", -86_400_000],
  ["STREAM_MAX_BUFFER_BYTES", "65536", "streamMaxBufferBytes", 65_536],
  ["STREAM_MAX_LAG_MS", "500", "streamMaxLagMs", 500],
  ["DRAIN_MS", "0", "drainMs", 0],
  ["MAX_PIPELINED", "1", "maxPipelined", 1],
  ["TRUST_PROXY", "127.0.0.1, 10.0.0.0/8,fd00::/8 , ::1", "trustProxy", ["127.0.0.1", "10.0.0.0/8", "fd00::/8", "::1"]],
  ["TRUST_PROXY", "fc00::/7, ::ffff:10.0.0.0/104", "trustProxy", ["fc00::/7", "::ffff:10.0.0.0/104"]],
  ["WRITER_ID", "writer-a", "writerId", "writer-a"],
  ["WRITER_ID", "writer-a", "configuredWriter", "writer-a"],
  ["WRITER_LEASE_TTL_MS", "2000", "writerLeaseTtlMs", 2_000],
  ["METRICS_PORT", "9090", "metricsPort", 9_090],
  ["KEY_GRACE", "0", "keyGraceMs", 0],
  ["COMMIT_SECONDS", "5", "commitEveryMs", 5_000],
  ["RETAIN_TICKS_HOURS", "24", "retainTicksMs", 86_400_000],
  ["RETAIN_DEALER_QUOTES_DAYS", "30", "retainDealerQuotesMs", 2_592_000_000],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4318/", "otlpEndpoint", "http://collector:4318"],
  ["DISABLE", "bars, download", "disabled", new Set(["bars", "download"])],
  ["HISTORY_SUNSET", "2028-02-29", "historySunset", "2028-02-29"],
  ["LOG_LEVEL", "silent", "logLevel", "silent"],
  ["LOG_FORMAT", "text", "logFormat", "text"],
  [
    "WEBHOOK_HOSTS",
    "http://Hooks.internal:8080, https://10.0.0.7:443,http://[::1]:9000",
    "webhookHosts",
    new Set(["http://hooks.internal:8080", "https://10.0.0.7", "http://[::1]:9000"]),
  ],
  ["EMBED_ORIGINS", "https://shop.example.com", "embedOrigins", ["https://shop.example.com"]],
  [
    "EMBED_ORIGINS",
    "https://shop.example.com:8443 , http://localhost:3000",
    "embedOrigins",
    ["https://shop.example.com:8443", "http://localhost:3000"],
  ],
];

describe("a valid setting", () => {
  test.each(TAKEN)("%s=%s is accepted", (variable, text, setting, value) => {
    expect(parseSettings({ [variable]: text })[setting]).toEqual(value);
  });

  test("archives are under the data folder unless set otherwise", () => {
    expect(parseSettings({ DATA_DIR: "/d" }).archive).toEqual({ kind: "file", directory: "/d/archives" });
  });

  test("variables that do not belong to Assay are ignored", () => {
    expect(parseSettings({ PATH: "\0", FEED_URL: "x", FEEDER_A_URL: "x" })).toEqual(parseSettings({}));
  });
});

/** Invalid settings by variable: the text, and part of what is expected. */
const REFUSED: readonly (readonly [variable: string, text: string, mayHold: string])[] = [
  ["HOST", "two hosts", "a host name or an IP address"],
  ["HOST", "999.1.1.1", "a host name or an IP address"],
  ["HOST", "http://localhost", "a host name or an IP address"],
  ["PORT", "65536", "a port from 0 to 65535"],
  ["PORT", "-1", "a port from 0 to 65535"],
  ["PORT", "80.5", "a port from 0 to 65535"],
  ["PORT", "1e3", "a port from 0 to 65535"],
  ["PORT", "0x50", "a port from 0 to 65535"],
  ["PORT", "http", "a port from 0 to 65535"],
  ["PUBLIC_URL", "prices.example.com", "http://… or https://…"],
  ["PUBLIC_URL", "ftp://prices.example.com", "http://… or https://…"],
  ["PUBLIC_URL", "https://a.example.com/?x=1", "without user, query and fragment"],
  ["DATABASE_URL", "mysql://db/assay", "postgres://… or postgresql://…"],
  ["DATABASE_URL", "db:5432", "postgres://… or postgresql://…"],
  ["DATABASE_URL", "postgres://", "postgres://… or postgresql://…"],
  ["REDIS_URL", "127.0.0.1:6379", "redis://… or rediss://…"],
  ["REDIS_URL", "http://cache", "redis://… or rediss://…"],
  ["REDIS_URL", "redis://cache/first", "redis://… or rediss://…"],
  ["REDIS_URL", "redis://:50%off@cache", "redis://… or rediss://…"],
  ["DATABASE_URL", "postgres://u:50%off@db/assay", "postgres://… or postgresql://…"],
  ["ARCHIVE_URL", "gs://bucket", "file:FOLDER or s3://BUCKET/PREFIX"],
  ["ARCHIVE_URL", "file:", "file:FOLDER or s3://BUCKET/PREFIX"],
  ["ARCHIVE_URL", "file://host/share", "file:FOLDER or s3://BUCKET/PREFIX"],
  ["ARCHIVE_URL", "file:///100%", "file:FOLDER or s3://BUCKET/PREFIX"],
  ["ARCHIVE_URL", "file:///a%2Fb", "file:FOLDER or s3://BUCKET/PREFIX"],
  ["ARCHIVE_URL", "s3://Not_A_Bucket/x", "file:FOLDER or s3://BUCKET/PREFIX"],
  ["ARCHIVE_URL", "/srv/archives", "file:FOLDER or s3://BUCKET/PREFIX"],
  ["ARCHIVE_URL", "s3://", "file:FOLDER or s3://BUCKET/PREFIX"],
  ["S3_ENDPOINT", "minio:9000", "http://… or https://…"],
  ["FEED_GOLD_API_URL", "gold.example.com", "http://… or https://…"],
  ["FEED_GOLD_API_URL", "https://user:pw@gold.example.com", "without user, query and fragment"],
  ["SIM_SEED", "-1", "a whole number from 0 to 4294967295"],
  ["SIM_SEED", "4294967296", "a whole number from 0 to 4294967295"],
  ["SIM_HOURS", "never", "always, market"],
  ["SIM_HISTORY_DAYS", "0", "days from 1 to 30"],
  ["SIM_HISTORY_DAYS", "31", "days from 1 to 30"],
  ["SIM_HISTORY_DAYS", "1.5", "days from 1 to 30"],
  ["CLOCK_OFFSET_MS", "1 day", "milliseconds from"],
  ["STREAM_MAX_BUFFER_BYTES", "1MB", "bytes from 1024"],
  ["STREAM_MAX_BUFFER_BYTES", "1e6", "bytes from 1024"],
  ["STREAM_MAX_LAG_MS", "0", "milliseconds from 1"],
  ["DRAIN_MS", "5s", "milliseconds from 0"],
  ["MAX_PIPELINED", "0", "requests from 1 to 1000"],
  ["TRUST_PROXY", "10.0.0.0/33", "IP addresses and CIDR ranges"],
  ["TRUST_PROXY", "::1/129", "IP addresses and CIDR ranges"],
  ["TRUST_PROXY", "0.0.0.0/0", "every client could choose the address"],
  ["TRUST_PROXY", "10.0.0.1, ::/0", "every client could choose the address"],
  ["TRUST_PROXY", "0.0.0.0/1,128.0.0.0/1", "every client could choose the address"],
  ["TRUST_PROXY", "224.0.0.0/7", "every client could choose the address"],
  ["TRUST_PROXY", "2000::/3", "every client could choose the address"],
  ["TRUST_PROXY", "::/1, 8000::/1", "every client could choose the address"],
  ["TRUST_PROXY", "::ffff:0:0/96", "every client could choose the address"],
  ["TRUST_PROXY", "0:0:0:0:0:FFFF:128.0.0.0/97", "every client could choose the address"],
  ["TRUST_PROXY", "::10.0.0.1", "IP addresses and CIDR ranges"],
  ["TRUST_PROXY", "fe80::1%eth.0", "IP addresses and CIDR ranges"],
  ["TRUST_PROXY", "10.0.0.0/255.0.0.0", "IP addresses and CIDR ranges"],
  ["TRUST_PROXY", "loopback", "IP addresses and CIDR ranges"],
  ["TRUST_PROXY", "10.0.0.1,", "IP addresses and CIDR ranges"],
  ["TRUST_PROXY", "proxy.internal", "IP addresses and CIDR ranges"],
  ["TRUST_PROXY", "10.0.0.0/8/8", "IP addresses and CIDR ranges"],
  ["TRUST_PROXY", "true", "IP addresses and CIDR ranges"],
  ["WRITER_ID", "two words", "visible ASCII characters without spaces"],
  ["WRITER_LEASE_TTL_MS", "10", "milliseconds from 500"],
  ["METRICS_PORT", "metrics", "a port from 0 to 65535"],
  ["KEY_GRACE", "15m", "minutes from 0 to 1440"],
  ["COMMIT_SECONDS", "60", "seconds from 1 to 10"],
  ["RETAIN_TICKS_HOURS", "0", "hours from 1 to 720"],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector", "http://… or https://…"],
  ["DISABLE", "bars,streams", "a comma list of bars, ratios, download"],
  ["HISTORY_SUNSET", "2027-02-29", "an ISO date"],
  ["HISTORY_SUNSET", "30.06.2027", "an ISO date"],
  ["LOG_LEVEL", "loud", "trace, debug, info, warn, error, fatal, silent"],
  ["LOG_FORMAT", "pretty", "json, text"],
  ["WEBHOOK_HOSTS", "*", "a comma list of scheme, host and port"],
  ["WEBHOOK_HOSTS", "hooks.internal", "a comma list of scheme, host and port"],
  ["WEBHOOK_HOSTS", "hooks.internal:8080", "a comma list of scheme, host and port"],
  ["WEBHOOK_HOSTS", "http://hooks.internal/in", "a comma list of scheme, host and port"],
  ["WEBHOOK_HOSTS", "http://me@hooks.internal", "a comma list of scheme, host and port"],
  ["WEBHOOK_HOSTS", "http://10.0.0.0/8", "a comma list of scheme, host and port"],
  ["WEBHOOK_HOSTS", "http://hooks.internal,", "a comma list of scheme, host and port"],
  ["EMBED_ORIGINS", "*", "a comma list of origins"],
  ["EMBED_ORIGINS", "https://*.example.com", "a comma list of origins"],
  ["EMBED_ORIGINS", "https://shop.example.com/", "a comma list of origins"],
  ["EMBED_ORIGINS", "https://u:p@shop.example.com", "a comma list of origins"],
  ["EMBED_ORIGINS", "https://shop.example.com; script-src *", "a comma list of origins"],
  ["EMBED_ORIGINS", "shop.example.com", "a comma list of origins"],
  ["EMBED_ORIGINS", "https://shop.example.com:443", "a comma list of origins"],
  ["EMBED_ORIGINS", "javascript:alert(1)", "a comma list of origins"],
  ["EMBED_ORIGINS", "https://a.example,", "a comma list of origins"],
  ["LOG_LEVEL", "INFO", "trace, debug, info, warn, error, fatal, silent"],
];

describe("an invalid setting", () => {
  test.each(REFUSED)(
    "%s=%s is refused in one line with its name, its value and the allowed values",
    (variable, text, mayHold) => {
      const message = refusal({ [variable]: text });
      expect(message.startsWith(`${variable} is `)).toBe(true);
      expect(message).toContain(mayHold);
      expect(message).not.toContain("\n");
      if (!text.includes("@")) expect(message).toContain(JSON.stringify(text));
    },
  );

  test("any text at all is accepted or refused in one line", () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...REFUSED.map(([variable]) => variable)),
        fc.string({ unit: anyCharacter }),
        (variable, text) => {
          try {
            parseSettings({ [variable]: text });
          } catch (error) {
            expect(error).toBeInstanceOf(SettingError);
            expect((error as SettingError).message).toMatch(/^[A-Z0-9_]+ is ".*" ?.*; expected [^\n\r]+$/); // checked above
          }
        },
      ),
    ));

  test("a host longer than host names can be is refused", () => {
    expect(refusal({ HOST: "h".repeat(254) })).toMatch(/^HOST is /);
  });

  test("a very long value is cut", () => {
    expect(refusal({ LOG_LEVEL: "x".repeat(5_000) }).length).toBeLessThan(400);
  });

  test.each([
    ["DATABASE_URL", "mysql://root:hunter2@db/assay"],
    ["DATABASE_URL", "mysql://root:hun@ter2:/hunter2@db/assay"],
    ["DATABASE_URL", "mysql://db/assay?user=a&password=hunter2&x=1"],
    ["DATABASE_URL", "postgres://root:two words hunter2@db:99999/assay"],
    ["DATABASE_URL", "postgres:root:hunter2@db/assay"],
    ["DATABASE_URL", "root:hunter2@db/assay"],
    ["DATABASE_URL", "postgres//root:hunter2@db/assay"],
    ["DATABASE_URL", "postgres:///root:hunter2@db/assay"],
    ["DATABASE_URL", "postgres:\\\\root:hunter2@db/assay"],
    ["DATABASE_URL", "DATABASE_URL=postgres//root:hunter2@db/assay"],
    ["DATABASE_URL", "host=db user=root password=hunter2 dbname=assay"],
    ["DATABASE_URL", "host=db password = 'two words \\' hunter2' dbname=assay"],
    ["REDIS_URL", "http://:hunter2@cache"],
    ["ARCHIVE_URL", "s4://key:hunter2@bucket"],
    ["PUBLIC_URL", "https://me:hunter2@prices.example.com"],
    ["FEED_ECB_URL", "https://me:hunter2@ecb.example.com"],
    ["FEED_ECB_URL", "https://ecb.example.com/?api_key=hunter2"],
  ])("%s=%s is refused without showing the password", (variable, text) => {
    expect(refusal({ [variable]: text })).not.toContain("hunter2");
  });
});

describe("FEEDS", () => {
  const knownFeeds = ["simulated", "ecb", "gold-api"];
  const feeds = (text: string) => parseSettings({ FEEDS: text }, { knownFeeds }).feeds;

  test.each([
    ["simulated", ["simulated"], true],
    ["live", ["live"], false],
    ["ecb, gold-api", ["ecb", "gold-api"], false],
    ["ecb,ecb", ["ecb"], false],
  ])("%s names %j; nothing but rehearsal: %s", (text, names, isRehearsal) => {
    expect(feeds(text)).toEqual({ text, names, replayFile: null, isRehearsal });
  });

  test("replay:FILE names an existing file", () => {
    const replayFile = file("ticks.ndjson");
    expect(feeds(`replay:${replayFile}`)).toMatchObject({ names: [], replayFile, isRehearsal: true });
    expect(feeds(`simulated,replay:${replayFile}`)).toMatchObject({ names: ["simulated"], isRehearsal: true });
    expect(feeds(`ecb,replay:${replayFile}`)).toMatchObject({ isRehearsal: false });
  });

  test("files of the operator's own beside a replay are part of the rehearsal, and alone are real figures", () => {
    const feeds = (text: string) => parseSettings({ FEEDS: text }).feeds;
    expect(feeds(`replay:${file("ticks.ndjson")},cme-files`)).toMatchObject({ names: ["cme-files"], isRehearsal: true });
    expect(feeds("cme-files")).toMatchObject({ isRehearsal: false });
    expect(feeds(`replay:${file("ticks.ndjson")},cme-files,ecb`)).toMatchObject({ isRehearsal: false });
  });

  test.each([
    ["gold", "there is no feed gold"],
    ["ecb,,gold-api", "a part is empty"],
    ["replay:", "replay: without a file"],
    ["replay:/nowhere/x.ndjson", "no such file"],
    ["replay:/tmp", "is not a file"],
    ["ECB", "there is no feed ECB"],
  ])("%s is refused, because %s", (text, because) => {
    const message = refusal({ FEEDS: text }, knownFeeds);
    expect(message).toContain(because);
    expect(message).toContain("simulated, live, a comma list of ecb, gold-api, or replay:FILE");
  });

  test.each(["simulated,ecb", "live,simulated", "ecb, simulated ,gold-api"])(
    "%s is refused: made-up prices beside real ones",
    (text) => {
      const message = refusal({ FEEDS: text }, knownFeeds);
      expect(message).toBe(
        `FEEDS is ${JSON.stringify(text)} (simulated prices would be mixed with real ones); expected simulated, live, a comma list of ecb, gold-api, or replay:FILE`,
      );
    },
  );

  test("two replay files are refused", () => {
    const part = `replay:${file("ticks.ndjson")}`;
    expect(refusal({ FEEDS: `${part},${part}` })).toContain("two replay files");
  });

  test("keys are not checked without a list of feeds", () => {
    expect(parseSettings({ FEEDS: "some-feed" }).feeds.names).toEqual(["some-feed"]);
  });

  test("base URLs are found by their key", () => {
    const env = { FEED_GOLD_API_URL: "http://127.0.0.1:9/gold/", FEED_ECB_URL: "https://mirror.example.com" };
    expect(parseSettings(env, { knownFeeds }).feedUrls).toEqual({
      "gold-api": "http://127.0.0.1:9/gold",
      ecb: "https://mirror.example.com",
    });
  });

  test("a base URL for a feed that does not exist is refused as a typo", () => {
    expect(refusal({ FEED_GOLDAPI_URL: "https://x.example.com" }, knownFeeds)).toContain("there is no feed goldapi");
  });
});

describe("CLOCK_OFFSET_MS", () => {
  test("is refused as soon as one feed has real prices", () => {
    for (const FEEDS of ["live", "ecb", "ecb,live"]) {
      const message = refusal({ FEEDS, CLOCK_OFFSET_MS: "1000" });
      expect(message).toContain('CLOCK_OFFSET_MS is "1000"');
      expect(message).toContain(`FEEDS is ${FEEDS}`);
    }
  });

  test("may be 0 with any feeds, and anything with rehearsed ones", () => {
    expect(parseSettings({ FEEDS: "live", CLOCK_OFFSET_MS: "0" }).clockOffsetMs).toBe(0);
    const replay = `replay:${file("ticks.ndjson")}`;
    expect(parseSettings({ FEEDS: replay, CLOCK_OFFSET_MS: "1000" }).clockOffsetMs).toBe(1_000);
  });
});

describe("KEYLESS_TIER", () => {
  test.each(TIER_NAMES)("gives callers without a key the tier %s, and its limits to each address", (tier) => {
    const { keyless, tiers } = parseSettings({ KEYLESS_TIER: tier }).catalog;
    const perMinute = tier === "free" ? 10 : tiers[tier].rate_limit_per_minute;
    expect(keyless).toEqual({ tier, perMinute, perHour: tier === "free" ? 100 : 60 * perMinute });
    expect(tiers, "the tiers of keys stay as they are").toEqual(DEFAULT_CATALOG.tiers);
  });

  test("is free unless set", () => {
    for (const env of [{}, { KEYLESS_TIER: "" }]) expect(parseSettings(env).catalog.keyless.tier).toBe("free");
  });

  test.each(["gold", "Pro", "realtime pro", "none", "__proto__"])("%s is refused with the tiers there are", (tier) => {
    const message = refusal({ KEYLESS_TIER: tier });
    expect(message).toContain(`KEYLESS_TIER is ${JSON.stringify(tier)}`);
    expect(message).toContain(TIER_NAMES.join(", "));
    expect(message).not.toContain("\n");
  });
});

describe("TIERS_FILE", () => {
  test("is merged over the shipped catalog", () => {
    const { catalog } = parseSettings({ TIERS_FILE: file("tiers.json") });
    expect(catalog.tiers.free).toEqual({ ...DEFAULT_CATALOG.tiers.free, monthly_quota: 20 });
    expect(catalog.tiers.pro).toEqual(DEFAULT_CATALOG.tiers.pro);
    expect(catalog.keyless).toEqual({ ...DEFAULT_CATALOG.keyless, perMinute: 7 });
  });

  test("sets what an address may ask for without a key, whatever tier that has", () => {
    const { keyless, tiers } = parseSettings({ TIERS_FILE: file("tiers.json"), KEYLESS_TIER: "pro" }).catalog;
    expect(keyless).toEqual({ tier: "pro", perMinute: 7, perHour: 60 * tiers.pro.rate_limit_per_minute });
  });

  test("may begin with a byte order mark", () => {
    expect(parseSettings({ TIERS_FILE: file("bom.json") }).catalog.keyless.perHour).toBe(5);
  });

  test.each([
    ["missing.json", "no such file"],
    ["broken.json", "it is not JSON"],
    ["unknown-tier.json", "gold"],
    ["wrong-type.json", "free.monthly_quota"],
  ])("%s is refused with what is wrong: %s", (name, because) => {
    const message = refusal({ TIERS_FILE: file(name) });
    expect(message).toContain(`TIERS_FILE is ${JSON.stringify(file(name))}`);
    expect(message).toContain(because);
    expect(message).not.toContain("\n");
  });

  test.each(["root:hunter2:1::7:::\n", '{"free":\n hunter2}', '{"hunter2', "hunter2"])(
    "says nothing of a file that is not JSON: %j",
    (text) => {
      const path = join(folder, "another-file");
      writeFileSync(path, text);
      const message = refusal({ TIERS_FILE: path });
      expect(message).toMatch(/it is not JSON: line \d+, column \d+\)/);
      expect(message).not.toContain("hunter2");
    },
  );
});
