/** The FEEDS setting and the base URLs: what they may hold, and what is said of what they may not. */
import { describe, expect, it } from "vitest";
import { CATALOG, LIVE_FEEDS } from "./catalog.ts";
import { FeedSettingError, selectFeeds, urlVariable } from "./select-feeds.ts";

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
  it("tells of every feed who publishes it, on what terms, and how long it stays fresh", () => {
    for (const { info, sources, baseUrl } of LIVE_FEEDS) {
      expect(["official-open", "attribution", "undocumented", "personal-use-only", "operator-licence"]).toContain(info.license);
      expect(info.publisher.length * info.terms.length * info.displayName.length).toBeGreaterThan(0);
      expect(URL.canParse(info.url)).toBe(true);
      expect(baseUrl).toMatch(/^https:\/\/[a-z.-]+$/);
      expect(sources).toEqual([info]);
      expect(info.freshForMs).toBeGreaterThanOrEqual(60_000);
      expect(info.freshForMs).toBeGreaterThan(info.intervalMs);
    }
  });

  it("lists the feeds in a fixed order", () => {
    expect([...CATALOG.keys()]).toEqual(["gold-api", "swissquote", "coinbase-fx", "ecb", "wgc", "kraken", "okx", "coinbase"]);
  });
});

describe("FEEDS", () => {
  it("may name feeds, live ones all at once, and each only counts once", () => {
    expect(keys("simulated,ecb")).toEqual(["ecb"]);
    expect(keys("ecb, gold-api")).toEqual(["ecb", "gold-api"]);
    expect(keys("live")).toEqual([...CATALOG.keys()]);
    expect(keys("wgc,live")).toEqual(["wgc", "gold-api", "swissquote", "coinbase-fx", "ecb", "kraken", "okx", "coinbase"]);
  });

  it("may name a replay file, beside feeds or alone", () => {
    expect(selectFeeds("replay:/tmp/a:b.ndjson", {})).toMatchObject({ feeds: [], replayFile: "/tmp/a:b.ndjson", live: false });
    expect(selectFeeds("ecb,replay:x", {})).toMatchObject({ replayFile: "x", live: true, simulated: false });
    expect(selectFeeds("simulated", {})).toMatchObject({ feeds: [], replayFile: null, live: false, simulated: true });
  });

  it.each(["", "golda-pi", "simulated,,ecb", "GOLD-API", "constructor"])(
    "refuses %j, naming it and what is allowed",
    (setting) => {
      const { variable, message } = refusal(setting);
      expect(variable).toBe("FEEDS");
      expect(message).toMatch(/^FEEDS holds ".*"; it may hold a comma list of simulated, live, gold-api, .*, or replay:FILE$/);
      expect(message).not.toContain("\n");
    },
  );

  it("refuses a replay without a file, and two of them", () => {
    expect(refusal("replay:").message).toContain("without a file");
    expect(refusal("replay:a,replay:b").message).toContain("two replay files");
  });
});

describe("a base URL", () => {
  it("is laid over a feed's own, without slashes at the end", () => {
    const { feeds } = selectFeeds("gold-api,ecb", { FEED_GOLD_API_URL: "http://127.0.0.1:9/mirror//", FEED_ECB_URL: "" });
    expect(feeds.map(({ baseUrl }) => baseUrl)).toEqual(["http://127.0.0.1:9/mirror", "https://www.ecb.europa.eu"]);
    expect(urlVariable("coinbase-fx")).toBe("FEED_COINBASE_FX_URL");
  });

  it.each([
    ["nonsense", /holds no URL/],
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
