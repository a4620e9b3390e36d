/**
 * The failure table's rows of feeds: local publishers that answer garbage, refuse, hang or err, behind two writer, two API and two
 * stream processes and nginx. Answers stay 200 and state what is no longer fresh, and everything recovers by itself.
 */
import { contract, MINUTE_MS, type SpotRow } from "@assay/contract";
import { marketStateAt } from "@assay/pricing";
import { type Answering, type LiveUpstreams, moving, openLiveUpstreams, payloads } from "@assay/testkit/upstreams";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { read, readStatus, type Status, untilStatus } from "./harness/call.ts";
import { holdNumbers } from "./harness/cluster.ts";
import { eventually } from "./harness/eventually.ts";
import { type FailureCluster, startFailureCluster } from "./harness/failure-cluster.ts";
import { ASKED, type Failure, FailureTable, Witness } from "./harness/failure-table.ts";
import { type Follower, follow, summary, untilFollowing, untilSeq } from "./harness/follower.ts";
import { missingServers, NGINX } from "./harness/own-servers.ts";
import { mintKey } from "./harness/service.ts";

vi.setConfig({ testTimeout: 900_000, hookTimeout: 600_000 });

/** Public feeds have real hours: nothing is fresh on a weekend or in the hour after New York's close. The suite takes minutes. */
const { open, nextChangeMs } = marketStateAt(Date.now());
const isOpen = open && nextChangeMs - Date.now() > 15 * MINUTE_MS;
const missing = [
  ...missingServers().map((program) => `${program} is not installed`),
  ...(isOpen ? [] : ["the spot market is closed, or closes within 15 minutes"]),
];
if (missing.length > 0) console.info(`the failure table of feeds: skipped, because ${missing.join(" and ")}`);

const OFTEN = { rate_limit_per_minute: 10_000_000, monthly_quota: 100_000_000 };
const GOLD = "XAU-USD-SPOT";
const FOLLOWERS = 20;
/** A reading that hangs is given up after a minute, and a publisher that failed five times is left alone for longer and longer. */
const SLOW = { withinMs: 600_000, everyMs: 1_000 };

const FEEDS = {
  "gold-api": moving(payloads.goldApi),
  swissquote: moving(payloads.swissquote),
  "coinbase-fx": () => ({ body: payloads.coinbaseFx() }),
  ecb: () => ({ body: payloads.ecb() }),
} as const satisfies Record<string, Answering>;
type Feed = keyof typeof FEEDS;

/** Longer than its last reading stays fresh. */
const RETRY_AFTER_SECONDS = 100;
const GARBAGE: Answering = () => ({ body: "<!doctype html><html><head><title>Just a moment...</title></head></html>" });
const TOO_MANY: Answering = () => ({ status: 429, headers: { "retry-after": String(RETRY_AFTER_SECONDS) }, body: "{}" });
const HANGING: Answering = () => null;
const BROKEN: Answering = () => ({ status: 500, body: "{}" });
/** Ten times too high. */
const SLIPPED: Answering = async (path) => {
  const reply = await FEEDS["gold-api"](path);
  return reply && { body: reply.body.replace(/(?<="price":)([0-9]+)/, "$10") };
};

describe.skipIf(missing.length > 0)(
  "the failure table of feeds",
  { meta: { needs: "PostgreSQL's and Redis's programs, and an open market" } },
  () => {
    let cluster: FailureCluster;
    let feeds: LiveUpstreams<Feed>;
    let key: string;
    let witness: Witness;
    let followers: Follower[] = [];
    let table: FailureTable;
    const row = (what: string, failure: Failure): Promise<void> => table.row(what, failure);
    const gold = (): Promise<SpotRow> => read(cluster.url, contract.spot.get, { symbol: "XAU", include: "all" }, { key });
    const until = (what: string, holds: (status: Status) => boolean): Promise<Status> =>
      untilStatus(cluster.url, what, holds, SLOW);
    const set = (feed: Feed, answering: Answering): void => feeds.upstreams[feed].answer(answering);
    const recover = (...names: readonly Feed[]): void => {
      for (const feed of names) set(feed, FEEDS[feed]);
    };
    const isCounted = ({ is_stale, verdict }: NonNullable<SpotRow["sources"]>[number]): boolean =>
      !is_stale && verdict === "believed";
    /** The price, what sets it and how old it is, as an answer states it. */
    const inWords = ({ price, is_stale, stale_reason, computed_at, sources }: SpotRow): string => {
      const ageSeconds = computed_at === undefined ? null : Math.round((Date.now() - Date.parse(computed_at)) / 1_000);
      const fresh = (sources ?? []).filter(isCounted).map(({ source }) => source);
      const stated = is_stale ? `stale (${stale_reason})` : "fresh";
      return `gold ${price} ${stated}, computed ${ageSeconds} s ago, of ${fresh.length === 0 ? "no source" : fresh.join(" and ")}`;
    };
    /** Copper has one publisher, and a new database has no past to compare it with. */
    const isWell = ({ reasons }: Status): boolean => reasons.every((reason) => reason.startsWith("unconfirmed_price: HG-"));
    const namesGoldApi = ({ reasons }: Status): boolean => reasons.some((reason) => reason.includes("gold-api"));
    const bothSources = ({ is_stale, sources }: SpotRow): boolean => !is_stale && (sources ?? []).filter(isCounted).length === 2;

    const untilWell = async (): Promise<void> => {
      await until("all is well", isWell);
      await eventually("both sources are in the price", gold, bothSources, SLOW);
      await untilFollowing(followers, 40_000);
      await untilSeq(followers, GOLD, Math.max(...followers.map(({ at }) => at.get(GOLD) ?? 0)) + 1, 60_000);
      await holdNumbers(cluster, [GOLD, "XAG-USD-SPOT", "HG-USD-SPOT"]);
      expect(summary(followers)).toMatchObject({ faults: [], gaps: 0, closes: {} });
    };

    beforeAll(async () => {
      feeds = await openLiveUpstreams(FEEDS);
      const tiers = { realtime_pro: { ...OFTEN, max_concurrent_streams: FOLLOWERS } };
      cluster = await startFailureCluster(tiers, feeds.settings);
      key = (await mintKey(cluster.settings, "realtime_pro")).plaintext;
      await cluster.startWriter("writer-two");
      await until("all is well", isWell);
      followers = await follow(FOLLOWERS, { urls: [cluster.streamUrl], key, symbols: [GOLD] });
      witness = new Witness(cluster.url, key, ASKED);
      table = new FailureTable({ witness, followers, untilWell });
      await untilWell();
    });
    afterAll(async () => {
      console.info(`what clients saw${NGINX === null ? "" : ", through nginx"}:\n${table}`);
      await witness?.stop();
      for (const follower of followers) follower.close();
      await cluster?.close();
      await feeds?.close();
    });

    it("a feed answers garbage: the price continues from the other", () =>
      row("Swissquote answers an HTML page", {
        fail: () => set("swissquote", GARBAGE),
        until: async () => {
          await until("the status says so", ({ scrapers }) => scrapers.swissquote?.last_error === "malformed");
          const alone = await eventually("gold-api is alone", gold, (each) => !bothSources(each), SLOW);
          expect(alone.is_stale).toBe(false);
          return inWords(alone);
        },
        recover: () => recover("swissquote"),
      }));

    it("a required feed refuses with 429: it is named, left alone for as long as it says, and recovers by itself", async () => {
      const { requests } = feeds.upstreams["gold-api"];
      let last = 0;
      await row("gold-api refuses with 429 and Retry-After", {
        fail: () => set("gold-api", TOO_MANY),
        until: async () => {
          await until("the status says so", ({ scrapers }) => scrapers["gold-api"]?.last_error === "http_429");
          last = requests.length - 1;
          recover("gold-api");
          expect((await until("it is named", namesGoldApi)).status).toBe("degraded");
          const alone = await eventually("Swissquote is alone", gold, (each) => !bothSources(each), SLOW);
          expect(alone.is_stale).toBe(false);
          return inWords(alone);
        },
        recover: () => undefined,
      });
      const heldMs = (requests[last + 1]?.atMs ?? 0) - (requests[last]?.atMs ?? 0);
      expect(heldMs).toBeGreaterThanOrEqual(RETRY_AFTER_SECONDS * 1_000 - 100);
    });

    it("figures ten times too high are refused, and set no price", async () => {
      const before = Number((await gold()).price);
      await row("gold-api's figures ten times too high", {
        fail: () => set("gold-api", SLIPPED),
        until: async () => {
          await until("they are refused", ({ scrapers }) => scrapers["gold-api"]?.last_error === "jump");
          const alone = await eventually("Swissquote is alone", gold, (each) => !bothSources(each), SLOW);
          expect(Math.abs(Number(alone.price) / before - 1)).toBeLessThan(0.01);
          return inWords(alone);
        },
        recover: () => recover("gold-api"),
      });
    });

    it("all price feeds fail at once, one hanging: the last price is served, and said to be stale", () =>
      row("gold-api hangs, Swissquote answers 500", {
        fail: () => {
          set("gold-api", HANGING);
          set("swissquote", BROKEN);
        },
        until: async () => {
          const stale = await eventually("the price is stale", gold, ({ is_stale }) => is_stale, SLOW);
          expect(stale).toMatchObject({ stale_reason: "feed_down", price: expect.any(String) });
          expect(await readStatus(cluster.url)).toSatisfy(namesGoldApi);
          return inWords(stale);
        },
        recover: () => recover("gold-api", "swissquote"),
      }));

    it("is a handful of lines in the log: each failure when it begins and when it is over", () => {
      const all = [...cluster.apis, ...cluster.streams].map(({ service }) => service);
      const lines = [...all, ...cluster.writers.values()].flatMap((service) =>
        service
          .stderr()
          .split("\n")
          .filter((line) => line.startsWith("{"))
          .map((line): { level: string; feed?: string; msg: string } => JSON.parse(line)),
      );
      expect(lines.filter(({ level }) => level === "error")).toEqual([]);
      const said = lines.filter(({ feed }) => feed !== undefined);
      console.info(`of feeds the log says:\n${said.map(({ feed, msg }) => `${feed}: ${msg}`).join("\n")}`);
      expect(said.length).toBeLessThan(20);
    });
  },
);
