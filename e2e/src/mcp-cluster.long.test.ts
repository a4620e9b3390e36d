/** Agents over two API processes behind a balancer without stickiness: no request depends on one before it. */
import { Client, type FetchLike, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Cluster, startCluster } from "./harness/cluster.ts";
import { type Folder, temporaryFolder } from "./harness/files.ts";
import { at, gold, replayFile } from "./harness/replay.ts";
import { hasServers, sayWhySkipped } from "./harness/servers.ts";
import { mintKey } from "./harness/service.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 600_000 });
sayWhySkipped("agents over two API processes");

const SESSIONS = 6;
const CALLS = 5;

describe.skipIf(!hasServers)(
  "agents over two API processes",
  { meta: { needs: "TEST_DATABASE_URL or TEST_REDIS_URL is not set" } },
  () => {
    let folder: Folder;
    let cluster: Cluster;
    let key: string;
    const answered = new Map<string, number>();

    /** Sends each request to the other process than the one before. */
    let turn = 0;
    const balanced: FetchLike = (url, init) => {
      turn += 1;
      const { url: process } = cluster.apis[turn % 2 === 0 ? 0 : 1];
      answered.set(process, (answered.get(process) ?? 0) + 1);
      return fetch(`${process}${new URL(url).pathname}`, init);
    };
    const connect = async (mode: "legacy" | { pin: string }): Promise<Client> => {
      const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
      const requestInit = { headers: { Authorization: `Bearer ${key}` } };
      await client.connect(
        new StreamableHTTPClientTransport(new URL("http://balancer.invalid/mcp"), { requestInit, fetch: balanced }),
      );
      return client;
    };

    beforeAll(async () => {
      folder = await temporaryFolder();
      const FEEDS = await replayFile(folder, [at(Date.now() - 1_000, gold("replay-a", "4003.20"))]);
      cluster = await startCluster({ FEEDS }, {}, ["a"]);
      key = (await mintKey(cluster.settings, "pro")).plaintext;
    });
    afterAll(async () => {
      await cluster?.close();
      await folder?.remove();
    });

    it.each(["legacy", { pin: "2026-07-28" }] as const)("hold several sessions at once, each over both (%o)", async (mode) => {
      answered.clear();
      const session = async (): Promise<unknown[]> => {
        const client = await connect(mode);
        try {
          await client.listTools();
          const prices: unknown[] = [];
          for (let call = 0; call < CALLS; call += 1) {
            const { structuredContent } = await client.callTool({ name: "get_spot_price", arguments: { symbol: "XAU" } });
            prices.push(structuredContent);
          }
          return prices;
        } finally {
          await client.close();
        }
      };
      const prices = (await Promise.all(Array.from({ length: SESSIONS }, session))).flat();
      expect(prices).toHaveLength(SESSIONS * CALLS);
      for (const price of prices) expect(price).toMatchObject({ symbol: "XAU", price: "4003.20" });
      expect(answered.size).toBe(2);
      for (const requests of answered.values()) expect(requests).toBeGreaterThanOrEqual(SESSIONS * 2);
    });
  },
);
