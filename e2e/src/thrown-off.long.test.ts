/**
 * The failure table's row of a crowd: a stream process is killed under ten thousand clients, who come through nginx. All of them
 * return to the other process and resume, and no number is missing. They are a thousand customers, each with as many streams as
 * its tier allows: no one is admitted again before the dead process's places are free.
 */
import { DEFAULT_CATALOG } from "@assay/contract";
import { openStore } from "@assay/db";
import { Assay, type SubscribeOptions } from "@assay/sdk/stream";
import { makeKey } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Crowd, startCrowd } from "./harness/crowd.ts";
import type { CrowdReport } from "./harness/crowd-process.ts";
import { eventually } from "./harness/eventually.ts";
import { type FailureCluster, startFailureCluster } from "./harness/failure-cluster.ts";
import { type Folder, temporaryFolder } from "./harness/files.ts";
import { type Follower, follow, summary, untilFollowing, untilSeq } from "./harness/follower.ts";
import { missingServers, NGINX } from "./harness/own-servers.ts";
import { at, gold, replayFile } from "./harness/replay.ts";

vi.setConfig({ testTimeout: 420_000, hookTimeout: 720_000 });

const missing = [...missingServers(), ...(NGINX === null ? ["nginx"] : [])];
if (missing.length > 0) console.info(`a crowd thrown off: skipped, because ${missing.join(", ")} is not installed`);

const GOLD = "XAU-USD-SPOT";
const CUSTOMERS = 1_000;
const STREAMS_EACH = DEFAULT_CATALOG.tiers.realtime_pro.max_concurrent_streams;
const CLIENTS = CUSTOMERS * STREAMS_EACH;
/** Customers whose clients check every frame against the contract, and whose clients are the SDK's; the others are the crowd. */
const STRICT = 12;
const OF_SDK = 8;
/** Of each customer's streams, those over Server-Sent Events. */
const FEEDS_EACH = 2;
/** Of clients. */
const PROCESSES = 4;

/** The market changes this often, for longer than the suite runs: a message each to ten thousand is work for this machine. */
const TICK_MS = 5_000;
const MARKET_MS = 1_200_000;

/** Writes a market whose every reading differs from the one before. */
const writeMarket = (folder: Folder): Promise<string> => {
  const startMs = Date.now() - 60_000;
  const price = (index: number): string => `4003.${String(index % 100).padStart(2, "0")}`;
  const lines = Array.from({ length: MARKET_MS / TICK_MS }, (_, index) =>
    at(startMs + index * TICK_MS, gold("replay-one", price(index))),
  );
  return replayFile(folder, lines);
};

/** What a reader of the SDK's stream has received. */
interface SdkFollower {
  /** The newest number; -1 before the first. */
  at(): number;
  gaps(): number;
  /** Numbers repeated, or missing without a gap, in words. */
  readonly faults: readonly string[];
  /** How often it learned that the connection is being established again. */
  reconnects(): number;
  close(): Promise<void>;
}

/** Follows one symbol with the SDK, and compares every number with the previous one. */
const followWithSdk = (baseUrl: string, apiKey: string, options: SubscribeOptions): SdkFollower => {
  const subscription = new Assay({ apiKey, baseUrl, logLevel: "off" }).stream.subscribe(options);
  const faults: string[] = [];
  let at = -1;
  let gaps = 0;
  let reconnects = 0;
  const read = async (): Promise<void> => {
    for await (const event of subscription) {
      if (event.type === "status" && event.status === "reconnecting") reconnects += 1;
      if (event.type === "gap") gaps += 1;
      if (event.type !== "tick" && event.type !== "gap") continue;
      const [from, to] = event.type === "tick" ? [event.seq, event.seq] : [event.fromSeq, event.toSeq];
      if (at !== -1 && from !== at + 1) faults.push(`${from} after ${at}`);
      at = to;
    }
  };
  // One that gives up has lost everything since.
  const ended = read().catch((error: unknown) => void faults.push(String(error)));
  return {
    at: () => at,
    gaps: () => gaps,
    faults,
    reconnects: () => reconnects,
    close: async () => {
      subscription.close();
      await ended;
    },
  };
};

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((left, right) => left - right)[Math.ceil(values.length * share) - 1] ?? 0;
const inWords = ({ ends }: CrowdReport): string =>
  Object.entries(ends)
    .map(([how, count]) => `${count} × ${how}`)
    .join(", ");

describe.skipIf(missing.length > 0)("a crowd of stream clients", { meta: { needs: "PostgreSQL, Redis and nginx" } }, () => {
  let folder: Folder;
  let cluster: FailureCluster;
  let crowd: Crowd;
  let strict: Follower[] = [];
  let ofSdk: SdkFollower[] = [];
  const newest = async (): Promise<number> => {
    const [row] = await cluster.database.sql<
      { seq: number }[]
    >`select max(seq)::int as seq from ticks where instrument = ${GOLD}`;
    return row?.seq ?? 0;
  };
  /** Waits until every client has a number published from now on. */
  const untilNext = async (): Promise<CrowdReport> => {
    const next = (await newest()) + 1;
    const report = await crowd.until(`all have number ${next}`, ({ reached }) => reached >= next, 60_000);
    await untilSeq(strict, GOLD, next);
    await eventually(
      "the SDK has it",
      () => Math.min(...ofSdk.map(({ at }) => at())),
      (at) => at >= next,
    );
    return report;
  };
  beforeAll(async () => {
    folder = await temporaryFolder();
    cluster = await startFailureCluster({}, { FEEDS: await writeMarket(folder) });
    const store = await openStore({ databaseUrl: cluster.postgres.url });
    const keys: string[] = [];
    while (keys.length < CUSTOMERS) keys.push((await makeKey(store, { tier: "realtime_pro", nowMs: Date.now() })).key);
    await store.close();
    const [some, sdk, rest] = [keys.slice(0, STRICT), keys.slice(STRICT, STRICT + OF_SDK), keys.slice(STRICT + OF_SDK)];
    const url = cluster.streamUrl;
    strict = (await Promise.all(some.map((key) => follow(STREAMS_EACH, { urls: [url], key, symbols: [GOLD] })))).flat();
    ofSdk = sdk.flatMap((key) =>
      Array.from({ length: STREAMS_EACH }, (_, at) =>
        followWithSdk(url, key, { symbols: [GOLD], transport: at < FEEDS_EACH ? "sse" : "websocket" }),
      ),
    );
    const each = { socketsPerKey: STREAMS_EACH - FEEDS_EACH, feedsPerKey: FEEDS_EACH };
    crowd = startCrowd(PROCESSES, { url, symbol: GOLD, keys: rest, ...each });
    const count = rest.length * STREAMS_EACH;
    await crowd.until(`${count} follow`, ({ following }) => following === count, 600_000);
  });
  afterAll(async () => {
    for (const follower of strict) follower.close();
    await Promise.all(ofSdk.map((follower) => follower.close()));
    await crowd?.close();
    await cluster?.close();
    await folder?.remove();
  });

  it(`a stream process is killed under ${CLIENTS}: all who were thrown off resume at the other, and nothing is lost`, async () => {
    const before = await untilNext();
    expect(before.ends).toEqual({});
    const [victim] = cluster.streams;
    const last = await newest();
    const killedMs = performance.now();
    await victim.service.stop("SIGKILL");
    // Connections go where the fewest are, so about half of them are lost.
    const isOver = ({ following, awayMs }: CrowdReport): boolean =>
      following === before.following && awayMs.length > before.following / 3;
    const during = await crowd.until("all who were thrown off are back", isOver, 240_000);
    const backMs = performance.now() - killedMs;
    await untilFollowing(strict, 40_000);
    await untilNext();
    await victim.restart();
    const after = await untilNext();
    const ofStrict = summary(strict);
    const sum = (of: (each: SdkFollower) => number): number => ofSdk.reduce((total, each) => total + of(each), 0);
    const faults = [...after.faults, ...ofStrict.faults, ...ofSdk.flatMap((each) => each.faults)];
    const seconds = (share: number): string => (quantile(during.awayMs, share) / 1_000).toFixed(1);
    console.info(
      [
        `one of two stream processes killed under ${CLIENTS} clients, through nginx`,
        `  before ${before.following} in ${PROCESSES} processes, ${strict.length} strict and ${ofSdk.length} of the SDK connected; lost ${before.lost}`,
        `  during ${during.awayMs.length} of the first thrown off: ${inWords(during)}`,
        `         back after ${seconds(0.5)} s (p50), ${seconds(0.99)} s (p99); all after ${(backMs / 1_000).toFixed(1)} s`,
        `  after  ${after.following} connected, ${after.reached - last} numbers later; lost ${after.lost}, silently lost or repeated ${faults.length}`,
        `  the strict: ${ofStrict.gaps} gaps, closes ${JSON.stringify(ofStrict.closes)}; the SDK: ${sum((each) => each.gaps())} gaps, ${sum((each) => each.reconnects())} reconnects`,
      ].join("\n"),
    );
    expect(faults).toEqual([]);
    expect(after.lost + ofStrict.gaps + sum((each) => each.gaps())).toBe(0);
    expect(after.following).toBe(before.following);
  });
});
