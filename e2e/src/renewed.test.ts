/** What a running service renews every minute; the tests wait for it side by side. */
import { contract, type PhysicalCountry, physicalChannel } from "@assay/contract";
import { beforeAll, expect, test, vi } from "vitest";
import { read } from "./harness/call.ts";
import { eventually } from "./harness/eventually.ts";
import type { TierKeys } from "./harness/files.ts";
import { Follower } from "./harness/follower.ts";
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
