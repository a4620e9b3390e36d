/** One tick over every transport: REST, SSE and WebSocket on one port, and dealers' quotes of a replay file. */
import { contract } from "@assay/contract";
import { EventSource } from "eventsource";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ask, read } from "./harness/call.ts";
import { eventually } from "./harness/eventually.ts";
import { type Folder, readDemoKeys, type TierKeys, temporaryFolder } from "./harness/files.ts";
import { Follower, untilFollowing } from "./harness/follower.ts";
import { type Started, startInTime } from "./harness/in-time.ts";
import { at, gold, replayFile } from "./harness/replay.ts";
import { type Service, startService } from "./harness/service.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 180_000 });

const DEALER = {
  kind: "dealer",
  source: "replay-dealer",
  dealer: "Souk",
  product: "24K gram",
  karat: 24,
  weight: "1",
  weight_unit: "gram",
};
const dealer = (country: string, currency: string, sell: string, buyback: string | null) => ({
  ...DEALER,
  country,
  currency,
  sell,
  buyback,
});

let folder: Folder;
let service: Service;
let keys: TierKeys;

const start = async (aheadMs: number): Promise<Started> => {
  await folder?.remove();
  folder = await temporaryFolder();
  const baseMs = Date.now() + aheadMs;
  const prices = ["4003.20", "4003.2049", "4003.205", "99.99995", "4004.10", "4004.30"];
  const lines = [
    at(baseMs - 60_000, gold("replay-a", "4001.10", { bid: "4001.00", ask: "4001.20" })),
    ...prices.map((price, index) => at(baseMs + index * 1_000, gold(`replay-${index}`, price))),
    ...Array.from({ length: 20 }, (_, index) =>
      at(baseMs + index * 1_000, { kind: "spot", source: "replay-s", instrument: "XAG-USD-SPOT", price: `5${index % 10}.12345` }),
    ),
    at(baseMs - 60_000, dealer("AE", "AED", "470.00", "465.00")),
    at(baseMs - 50_000, dealer("AE", "AED", "471.00", "465.00")),
    at(baseMs + 1_000, dealer("AE", "AED", "471.00", "465.00")),
    at(baseMs + 2_000, dealer("AE", "AED", "477.25", "470.50")),
    at(baseMs + 3_000, dealer("VN", "VND", "15200000", null)),
  ];
  const feeds = await replayFile(folder, lines);
  return { service: await startService({ DATA_DIR: folder.path, FEEDS: feeds, LOG_LEVEL: "info" }), dueMs: baseMs };
};
beforeAll(async () => {
  ({ service } = await startInTime(start, 3_000));
  keys = await readDemoKeys(folder.path);
});
afterAll(async () => {
  await service?.stop("SIGKILL");
  await folder?.remove();
});

test("a tick has the same price, time and number over SSE and WebSocket, and its price and time are those of REST", async () => {
  const symbols = ["XAU-USD-SPOT", "XAG-USD-SPOT"];
  const follower = new Follower({ urls: [service.url], key: keys.realtime_pro, symbols });
  const events = new Map<string, Record<string, unknown>>();
  const sources = symbols.map((symbol) => {
    const source = new EventSource(`${service.url}/v1/prices/stream?symbol=${symbol}`, {
      fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, Authorization: `Bearer ${keys.pro}` } }),
    });
    source.onmessage = ({ data, lastEventId }) => events.set(lastEventId, JSON.parse(data));
    return source;
  });
  const rest = new Map<string, string>();
  await untilFollowing([follower]);
  await eventually(
    "the replayed seconds pass",
    async () => {
      for (const symbol of symbols) {
        const row = await read(service.url, contract.spot.get, { symbol }, { key: keys.realtime_pro });
        rest.set(`${symbol} ${row.computed_at}`, row.price ?? "");
      }
      return follower.at.get("XAG-USD-SPOT") ?? 0;
    },
    (seq) => seq >= 8,
    { withinMs: 50_000 },
  );
  for (const source of sources) source.close();
  follower.close();

  const told = [...follower.ticks].flatMap(([id, frame]) => (frame.type === "tick" ? [[id, frame] as const] : []));
  let both = 0;
  let three = 0;
  for (const [id, { snapshot: _, ...frame }] of told) {
    const event = events.get(id);
    if (event) {
      const { snapshot: __, ...other } = event;
      expect(other).toEqual(frame);
      both += 1;
    }
    const price = rest.get(`${frame.symbol} ${frame.computed_at}`);
    if (price !== undefined) {
      expect(price, id).toBe(frame.price);
      three += 1;
    }
  }
  console.info(`one tick by every way: ${told.length} over WebSocket, ${both} of them over SSE, ${three} also over REST`);
  expect(both).toBeGreaterThan(5);
  expect(three).toBeGreaterThan(3);
  expect(follower.seen.faults).toEqual([]);
});

test("dealers' quotes come over their channel when they change, numbered, and new subscribers get the last one", async () => {
  const follower = new Follower({
    urls: [service.url],
    key: keys.realtime_pro,
    symbols: [],
    channels: ["physical:AE", "physical:vn"],
  });
  await eventually(
    "both channels have spoken",
    () => [...follower.ticks.keys()].sort(),
    (ids) => ids.includes("physical:VN:1") && ids.includes("physical:AE:3"),
    { withinMs: 40_000 },
  );
  expect(follower.ticks.get("physical:AE:3")).toMatchObject({
    quote: { dealer: "Souk", sell_price: "477.25", buyback_price: "470.50", currency: "AED", weight_unit: "gram" },
  });
  expect(follower.ticks.get("physical:VN:1")).toMatchObject({ quote: { sell_price: "15200000", buyback_price: null } });
  expect(follower.seen.faults).toEqual([]);
  follower.close();
});

test("usage shows how many streams the key has open, and how many it may have", async () => {
  const follower = new Follower({ urls: [service.url], key: keys.realtime_pro, symbols: ["gold"] });
  await untilFollowing([follower]);
  const usage = (key: string) => read(service.url, contract.account.usage, {}, { key });
  await eventually(
    "one stream is open",
    () => usage(keys.realtime_pro),
    ({ active_streams }) => active_streams === 1,
  );
  expect(await usage(keys.realtime_pro)).toMatchObject({ active_streams: 1, max_streams: 10 });
  expect(await usage(keys.pro)).toMatchObject({ active_streams: 0, max_streams: 3 });
  expect(await usage(keys.free)).toMatchObject({ active_streams: null, max_streams: null });
  follower.close();
  await eventually(
    "it is closed",
    () => usage(keys.realtime_pro),
    ({ active_streams }) => active_streams === 0,
  );
});

test("the documents and the rest of the API are on the same port", async () => {
  expect((await ask(service.url, "/asyncapi.json")).json).toMatchObject({ asyncapi: "3.0.0" });
  expect((await ask(service.url, "/openapi.json")).json).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) });
  expect((await ask(service.url, "/v1/stream")).status).toBe(426);
});

test("SIGTERM announces the shutdown to every stream, and the process ends with 0", async () => {
  const follower = new Follower({ urls: [service.url], key: keys.realtime_pro, symbols: ["gold"], reconnectMs: 60_000 });
  await untilFollowing([follower]);
  expect(await service.stop()).toEqual({ code: 0, signal: null });
  expect(follower.seen.closes).toEqual([4510]);
  follower.close();
});
