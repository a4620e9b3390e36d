/** Dealers' quotes through two writers that are killed in turn: every number once, every change kept, nothing lost silently. */
import { setTimeout as sleep } from "node:timers/promises";
import { contract } from "@assay/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { read } from "./harness/call.ts";
import { type Cluster, startCluster } from "./harness/cluster.ts";
import { eventually } from "./harness/eventually.ts";
import { type Folder, temporaryFolder } from "./harness/files.ts";
import { Follower, untilFollowing } from "./harness/follower.ts";
import { at, gold, replayFile } from "./harness/replay.ts";
import { hasServers, sayWhySkipped } from "./harness/servers.ts";
import { mintKey, type Service, STREAM, startService } from "./harness/service.ts";

sayWhySkipped("dealers' quotes over two writers");

/** The dealer changes its price every second, for longer than the suite runs. */
const SECONDS = 900;
const KILLS = 4;

describe.skipIf(!hasServers)(
  "dealers' quotes over two writers",
  { meta: { needs: "TEST_DATABASE_URL or TEST_REDIS_URL is not set" } },
  () => {
    let folder: Folder;
    let cluster: Cluster;
    let stream: Service;
    let key: string;
    const sellAt = (second: number): string => `${470 + (second % 10)}.${String(second % 100).padStart(2, "0")}`;

    beforeAll(async () => {
      folder = await temporaryFolder();
      const startMs = Math.ceil(Date.now() / 1_000) * 1_000;
      const dealer = {
        kind: "dealer",
        source: "souk",
        country: "AE",
        dealer: "Souk",
        product: "24K",
        karat: 24,
        currency: "AED",
      };
      const FEEDS = await replayFile(folder, [
        at(startMs - 1_000, gold("replay-a", "4003.20")),
        ...Array.from({ length: SECONDS }, (_, second) =>
          at(startMs + second * 1_000, { ...dealer, weight: "1", weight_unit: "gram", sell: sellAt(second), buyback: null }),
        ),
      ]);
      cluster = await startCluster({ FEEDS }, {}, ["a", "b"]);
      stream = await startService(cluster.settings, STREAM);
      key = (await mintKey(cluster.settings, "realtime_pro")).plaintext;
    });
    afterAll(async () => {
      await stream?.stop("SIGKILL");
      await cluster?.close();
      await folder?.remove();
    });

    const stored = () =>
      cluster.database.sql<{ seq: number; sell: string; second: number }[]>`
      select seq::int as seq, sell::text as sell, extract(epoch from observed_at)::int as second
      from dealer_quotes where country = 'AE' order by seq`;
    const untilStored = (seq: number) =>
      eventually(
        "changes go on",
        async () => (await stored()).at(-1)?.seq ?? 0,
        (last) => last >= seq,
        { withinMs: 180_000 },
      );

    it(`are numbered once each through ${KILLS} kills of the leader, and every follower gets or is notified of every number`, async () => {
      const follower = new Follower({ urls: [stream.url], key, symbols: [], channels: ["physical:AE"] });
      await untilFollowing([follower]);
      await untilStored(3);
      for (let kill = 0; kill < KILLS; kill += 1) {
        const before = (await stored()).at(-1)?.seq ?? 0;
        const [fence] = await cluster.database.sql<{ holder: string }[]>`select holder from writer_fence`;
        const leader = fence?.holder ?? "";
        // At a random point within a second, so that kills happen before, between and after the commit and the publication.
        await sleep(kill * 250);
        await cluster.writers.get(leader)?.stop("SIGKILL");
        await untilStored(before + 4);
        await cluster.startWriter(leader);
      }
      const last = (await stored()).at(-1)?.seq ?? 0;
      await eventually(
        "the follower is there",
        () => follower.at.get("physical:AE") ?? 0,
        (seq) => seq >= last,
        { withinMs: 180_000 },
      );
      const rows = await stored();
      expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
      // Every second's price once: none lost with a killed writer, none published twice.
      expect(rows.map(({ second }) => second)).toEqual(rows.map((_, index) => (rows[0]?.second ?? 0) + index));
      expect(follower.seen.faults).toEqual([]);
      const bySeq = new Map(rows.map((row) => [row.seq, row.sell]));
      for (const frame of follower.ticks.values())
        if (frame.type === "physical") expect(frame.quote.sell_price, String(frame.seq)).toBe(bySeq.get(frame.seq));
      console.info(
        "dealers' quotes:",
        JSON.stringify({ stored: rows.length, seen: follower.seen.ticks, gaps: follower.seen.gaps }),
      );
      follower.close();
    });

    it("are the same over both APIs, as the store has them", async () => {
      for (const { url } of cluster.apis) {
        await eventually(
          "the newest quote",
          async () => {
            const { quotes } = await read(url, contract.physical.get, { country: "AE" }, { key });
            const newest = (await stored()).at(-1);
            return [quotes.length, quotes[0]?.sell_price === newest?.sell];
          },
          ([count, isNewest]) => count === 1 && isNewest === true,
        );
      }
    });
  },
);
