/** What a running service changes every minute; the tests wait for it side by side. */
import { setTimeout as sleep } from "node:timers/promises";
import { contract, MINUTE_MS, PHYSICAL_COUNTRIES, type PhysicalCountry, physicalChannel } from "@assay/contract";
import { Assay } from "@assay/sdk/stream";
import { beforeAll, expect, test, vi } from "vitest";
import { read } from "./harness/call.ts";
import { eventually } from "./harness/eventually.ts";
import type { TierKeys } from "./harness/files.ts";
import { Follower, untilFollowing } from "./harness/follower.ts";
import type { Service } from "./harness/service.ts";
import { sharedService } from "./harness/shared-service.ts";
import { holdToInvariants } from "./harness/surface.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let service: Service;
let keys: TierKeys;

beforeAll(async () => {
  ({ service, keys } = await sharedService());
});

const quotesOf = (country: PhysicalCountry) => read(service.url, contract.physical.get, { country }, { key: keys.realtime_pro });

test.concurrent("a quote that is only read again is not pushed, and is fresh all the same", async () => {
  const slow = ["ID", "JP", "MY", "NP"] as const;
  const follower = new Follower({
    urls: [service.url],
    key: keys.realtime_pro,
    symbols: [],
    channels: slow.map(physicalChannel),
  });
  await eventually(
    "a snapshot of each",
    () => follower.at.size,
    (size) => size === slow.length,
  );
  const look = async () => {
    const seqs = new Map(follower.at);
    const answers = await Promise.all(slow.map(quotesOf));
    return answers.map(({ country, quotes: [quote] }) => ({ seq: seqs.get(`physical:${country}`), quote }));
  };
  const before = await look();
  const after = await eventually(
    "all are read again",
    look,
    (now) => now.every(({ quote }, index) => (quote?.fetched_at ?? "") > (before[index]?.quote?.fetched_at ?? "~")),
    { withinMs: 100_000, everyMs: 1_000 },
  );
  // Changes of a country are ten minutes or more apart: all four hardly ever fall into this minute.
  const still = after.filter(({ quote }, index) => quote?.quoted_at === before[index]?.quote?.quoted_at);
  expect(still.length).toBeGreaterThan(0);
  for (const { seq, quote } of still) {
    expect(seq).toBe(before.find((one) => one.quote?.id === quote?.id)?.seq);
    expect(quote?.is_stale).toBe(false);
  }
  follower.close();
});

test.concurrent("a channel sends its last change at once and every later one by number, and REST has what it sent", async () => {
  const channels = PHYSICAL_COUNTRIES.map(physicalChannel);
  const follower = new Follower({ urls: [service.url], key: keys.realtime_pro, symbols: [], channels });
  await untilFollowing([follower]);
  await eventually(
    "a snapshot of each",
    () => follower.at.size,
    (size) => size === channels.length,
  );
  // China sets new prices every minute.
  const first = follower.at.get("physical:CN") ?? 0;
  await eventually(
    "China changes",
    () => follower.at.get("physical:CN") ?? 0,
    (seq) => seq >= first + 3,
    { withinMs: 100_000 },
  );
  expect(follower.seen.faults).toEqual([]);
  expect(follower.seen.gaps).toEqual([]);
  await eventually(
    "REST has what was told",
    async () => {
      const seq = follower.at.get("physical:CN") ?? 0;
      const frame = follower.ticks.get(`physical:CN:${seq}`);
      const { quotes } = await quotesOf("CN");
      return frame?.type === "physical"
        ? quotes.filter((quote) => quote.product === frame.quote.product).map((quote) => [quote, frame.quote])
        : [];
    },
    (pairs) =>
      pairs.length === 1 &&
      pairs.every(([quote, told]) => quote?.sell_price === told?.sell_price && quote?.quoted_at === told?.quoted_at),
  );
  follower.close();
});

test.concurrent("gaps of a loop that was too slow carry the minutes that closed meanwhile, the same as the bars", async () => {
  const GOLD = "XAU-USD-SPOT";
  const assay = new Assay({ apiKey: keys.realtime_pro, baseUrl: service.url, logLevel: "off" });
  for await (const event of assay.stream.subscribe({ symbols: [GOLD], maxQueued: 3, fillGaps: "bars" })) {
    if (event.type === "tick" && event.snapshot) {
      // The loop's body is busy until a minute has closed.
      await sleep(MINUTE_MS - (Date.now() % MINUTE_MS) + 8_000);
    }
    if (event.type !== "gap") continue;
    expect(event).toMatchObject({ reason: "slow_consumer", barsError: null });
    const bars = event.bars ?? [];
    expect(bars.length).toBeGreaterThan(0);
    const [from, to] = [bars[0]?.barStart ?? "", bars.at(-1)?.barStart ?? ""];
    expect(bars).toEqual(await assay.bars.list({ symbol: GOLD, interval: "1m", from, to, order: "asc" }).toArray());
    console.info(`a gap of ${event.toSeq - event.fromSeq + 1} ticks carried ${bars.length} closed minutes`);
    return;
  }
  expect.unreachable("the loop ends with a gap");
});

test.concurrent("a surface is computed again", async () => {
  const path = { metal: "xau" };
  const first = await read(service.url, contract.surface.get, path, { key: keys.realtime_pro });
  const next = await eventually(
    "a newer surface",
    () => read(service.url, contract.surface.get, path, { key: keys.realtime_pro }),
    ({ computed_at }) => computed_at > first.computed_at,
    { withinMs: 150_000, everyMs: 2_000 },
  );
  holdToInvariants(next);
});
