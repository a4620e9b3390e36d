/** The FEEDS setting and the base URLs: accepted values, and the errors for others. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PHYSICAL_COUNTRIES } from "@assay/contract";
import { describe, expect, it } from "vitest";
import { CATALOG, DEALER_FEEDS, FEED_KEYS, FeedSettingError, LIVE_FEEDS } from "./catalog.ts";
import { selectFeeds, urlVariable } from "./select-feeds.ts";

const keys = (setting: string) => selectFeeds(setting, {}).feeds.map(({ feed }) => feed.info.key);
const refusal = (setting: string, env: Record<string, string> = {}): FeedSettingError => {
  try {
    selectFeeds(setting, env);
  } catch (thrown) {
    if (thrown instanceof FeedSettingError) return thrown;
  }
  return expect.fail("it was accepted");
};

describe("the catalog", () => {
  it("states of every feed who publishes it, on what terms, and how long it stays fresh", () => {
    for (const { info, sources, baseUrl } of CATALOG.values()) {
      expect(["official-open", "attribution", "undocumented", "personal-use-only", "operator-licence"]).toContain(info.license);
      expect(info.publisher.length * info.terms.length * info.displayName.length).toBeGreaterThan(0);
      expect(URL.canParse(info.url)).toBe(true);
      expect(baseUrl).toMatch(/^https:\/\/[a-z0-9.-]+(:[0-9]+)?$/);
      expect(sources).toEqual([info]);
      expect(info.freshForMs).toBeGreaterThanOrEqual(60_000);
      expect(info.freshForMs).toBeGreaterThan(info.intervalMs);
    }
  });

  it("lists the feeds in a fixed order", () => {
    const prices = ["gold-api", "swissquote", "coinbase-fx", "ecb", "wgc", "kraken", "okx", "coinbase"];
    const banks = ["cbr", "nbm", "nbp", "bnr"];
    const venues = ["bybit", "kalshi", "polymarket"];
    const live = [...prices, ...banks, ...venues, ...DEALER_FEEDS.map(({ info }) => info.key)];
    expect(LIVE_FEEDS.map(({ info }) => info.key)).toEqual(live);
    expect(FEED_KEYS).toEqual([...live, "yahoo-chart", "cboe", "cme-files", "btmc", "vots-file"]);
  });

  it("lets no dealer decide the overall status or delay the start", () => {
    for (const { info, kind } of DEALER_FEEDS) {
      expect([kind, info.role, info.required, info.moves]).toEqual(["dealer", "informational", false, false]);
      expect(info.intervalMs).toBeGreaterThanOrEqual(60_000);
      expect(PHYSICAL_COUNTRIES).toContain(info.country);
    }
  });

  it("lets no central bank's daily price set a price, decide the overall status or delay the start", () => {
    const banks = LIVE_FEEDS.filter(({ kind }) => kind === "reference").map(({ info }) => info);
    expect(banks.map(({ key }) => key)).toEqual(["cbr", "nbm", "nbp", "bnr"]);
    for (const info of banks) expect([info.role, info.required, info.moves]).toEqual(["informational", false, false]);
  });

  it("starts a feed for personal use only, or one of a folder, when it is named and not with the live ones", () => {
    expect(keys("live")).not.toContain("yahoo-chart");
    expect(keys("live")).not.toContain("cboe");
    expect(keys("live,yahoo-chart")).toContain("yahoo-chart");
  });
});

describe("FEEDS", () => {
  it("may name feeds, live ones all at once, and each only counts once", () => {
    expect(keys("simulated,ecb")).toEqual(["ecb"]);
    expect(keys("ecb, gold-api")).toEqual(["ecb", "gold-api"]);
    expect(keys("live")).toEqual(LIVE_FEEDS.map(({ info }) => info.key));
    expect(keys("wgc,live").slice(0, 3)).toEqual(["wgc", "gold-api", "swissquote"]);
    expect(keys("wgc,live").toSorted()).toEqual(keys("live").toSorted());
  });

  it("may name a replay file, beside feeds or alone", () => {
    expect(selectFeeds("replay:/tmp/a:b.ndjson", {})).toMatchObject({ feeds: [], replayFile: "/tmp/a:b.ndjson" });
    expect(selectFeeds("ecb,replay:x", {})).toMatchObject({ replayFile: "x", simulated: false });
    expect(selectFeeds("simulated", {})).toMatchObject({ feeds: [], replayFile: null, simulated: true });
  });

  it.each(["", "golda-pi", "simulated,,ecb", "GOLD-API", "constructor"])(
    "refuses %j, naming it and what is allowed",
    (setting) => {
      const { variable, message } = refusal(setting);
      expect(variable).toBe("FEEDS");
      expect(message).toMatch(/^FEEDS names ".*"; expected a comma list of simulated, live, gold-api, .*, or replay:FILE$/);
      expect(message).not.toContain("\n");
    },
  );

  it("refuses a replay without a file, and two of them", () => {
    expect(refusal("replay:").message).toContain("without a file");
    expect(refusal("replay:a,replay:b").message).toContain("two replay files");
  });
});

describe("the folder of settlement files", () => {
  it("is read where it is named", () => {
    const folder = mkdtempSync(join(tmpdir(), "assay-settlements-"));
    try {
      const selection = selectFeeds("cme-files", { SETTLEMENTS_DIR: folder });
      expect(selection.feeds.map(({ feed }) => feed.info.key)).toEqual(["cme-files"]);
      const file = join(folder, "a-file");
      writeFileSync(file, "");
      expect(refusal("cme-files", { SETTLEMENTS_DIR: file })).toMatchObject({ variable: "SETTLEMENTS_DIR" });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each([
    [{}, /^SETTLEMENTS_DIR is not set; cme-files reads the folder it names$/],
    [{ SETTLEMENTS_DIR: "/nowhere/at/all" }, /^SETTLEMENTS_DIR is "\/nowhere\/at\/all", which is not a folder$/],
  ])("is refused when it is %j", (env, message) => {
    expect(refusal("cme-files", env).message).toMatch(message);
  });
});

describe("a key of the operator's", () => {
  it("starts the feed that asks with it, at its own base URL or another", () => {
    expect(keys("live")).not.toContain("btmc");
    const [selected] = selectFeeds("btmc", { BTMC_API_KEY: "k3y" }).feeds;
    expect(selected?.feed.info.key).toBe("btmc");
    expect(selected?.baseUrl).toBe("http://api.btmc.vn");
    const [moved] = selectFeeds("btmc", { BTMC_API_KEY: "k3y", FEED_BTMC_URL: "https://mirror.example" }).feeds;
    expect(moved?.baseUrl).toBe("https://mirror.example");
  });

  it.each([
    [{}, /^BTMC_API_KEY is not set; btmc sends this key$/],
    [{ BTMC_API_KEY: "hunter2 hunter2" }, /^BTMC_API_KEY is not a key; expected up to 200/],
    [{ BTMC_API_KEY: `hunter2${"x".repeat(200)}` }, /^BTMC_API_KEY is not a key/],
  ])("is refused, and not repeated: %#", (env, message) => {
    const error = refusal("btmc", env);
    expect(error.variable).toBe("BTMC_API_KEY");
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain("hunter2");
  });
});

describe("a base URL", () => {
  it("is laid over a feed's own, without slashes at the end", () => {
    const { feeds } = selectFeeds("gold-api,ecb", { FEED_GOLD_API_URL: "http://127.0.0.1:9/mirror//", FEED_ECB_URL: "" });
    expect(feeds.map(({ baseUrl }) => baseUrl)).toEqual(["http://127.0.0.1:9/mirror", "https://www.ecb.europa.eu"]);
    expect(urlVariable("coinbase-fx")).toBe("FEED_COINBASE_FX_URL");
  });

  it.each([
    ["nonsense", /is not a URL/],
    ["ftp://example.com", /neither https nor http/],
    ["https://user:hunter2@example.com", /user name or password/],
    ["https://example.com?apikey=hunter2", /query or fragment/],
  ])("is refused, and not repeated: %s", (url, message) => {
    const error = refusal("gold-api", { FEED_GOLD_API_URL: url });
    expect(error.variable).toBe("FEED_GOLD_API_URL");
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain("hunter2");
  });

  it("that belongs to no started feed is pointed out", () => {
    const { warnings } = selectFeeds("ecb", { FEED_GOLDAPI_URL: "x", FEED_ECB_URL: "https://a.example", PATH: "/bin" });
    expect(warnings).toEqual(["FEED_GOLDAPI_URL has no effect: it belongs to no feed that FEEDS starts"]);
  });
});
