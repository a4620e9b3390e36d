/** The SDK's streams against real processes: the same ticks over every transport, and a killed service. */
import { Assay, type StreamEvent, type SubscribeOptions } from "@assay/sdk/stream";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { eventually } from "./harness/eventually.ts";
import { type Folder, readDemoKeys, type TierKeys, temporaryFolder } from "./harness/files.ts";
import { type Service, startService } from "./harness/service.ts";

vi.setConfig({ testTimeout: 150_000, hookTimeout: 240_000 });

const GOLD = "XAU-USD-SPOT";

let folder: Folder;
let service: Service;
let keys: TierKeys;
beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startService({ DATA_DIR: folder.path });
  keys = await readDemoKeys(folder.path);
});
afterAll(async () => {
  await service?.stop("SIGKILL");
  await folder?.remove();
});

const clientOf = (apiKey: string): Assay => new Assay({ apiKey, baseUrl: service.url, logLevel: "off" });

/** Reads in the background, and compares every number with the previous one. */
const follow = (options: SubscribeOptions, apiKey: string) => {
  const subscription = clientOf(apiKey).stream.subscribe(options);
  const events: StreamEvent[] = [];
  const faults: string[] = [];
  const last = new Map<string, number>();
  const look = (event: StreamEvent): void => {
    events.push(event);
    if (event.type !== "tick" && event.type !== "gap") return;
    const [from, to] = event.type === "tick" ? [event.seq, event.seq] : [event.fromSeq, event.toSeq];
    const before = last.get(event.symbol);
    if (before !== undefined && from !== before + 1) faults.push(`${event.symbol} ${from} after ${before}`);
    last.set(event.symbol, to);
  };
  const read = async (): Promise<void> => {
    for await (const event of subscription) look(event);
  };
  const ended = read();
  onTestFinished(async () => {
    subscription.close();
    await ended;
  });
  const ticks = () => events.flatMap((event) => (event.type === "tick" ? [event] : []));
  return { events, faults, ticks };
};

test("a tick is the same over WebSocket, over SSE and over REST", async () => {
  const overWs = follow({ symbols: [GOLD, "XAG-USD-SPOT", "HG-USD-SPOT"] }, keys.realtime_pro);
  const overSse = follow({ transport: "sse", symbols: [GOLD, "XAG-USD-SPOT"] }, keys.pro);
  const rest = new Map<string, string>();
  const assay = clientOf(keys.realtime_pro);
  await eventually(
    "a few ticks have come by both ways",
    async () => {
      const { computedAt, price } = await assay.spot.get(GOLD);
      if (computedAt && price) rest.set(computedAt.toISOString(), price.text);
      return Math.min(overWs.ticks().length, overSse.ticks().length, rest.size);
    },
    (least) => least >= 8,
    { withinMs: 60_000 },
  );
  const bySeq = new Map(overSse.ticks().map((tick) => [`${tick.symbol} ${tick.seq}`, tick]));
  let both = 0;
  let three = 0;
  for (const { snapshot: _, ...tick } of overWs.ticks()) {
    const other = bySeq.get(`${tick.symbol} ${tick.seq}`);
    if (other) {
      const { snapshot: __, ...same } = other;
      expect(same).toEqual(tick);
      both += 1;
    }
    const price = tick.symbol === GOLD ? rest.get(tick.computedAt.toISOString()) : undefined;
    if (price !== undefined) {
      expect(price).toBe(tick.price.text);
      three += 1;
    }
  }
  console.info(`the SDK read ${overWs.ticks().length} ticks over WebSocket, ${both} of them over SSE, ${three} also over REST`);
  expect(both).toBeGreaterThan(4);
  expect(three).toBeGreaterThan(2);
  expect([...overWs.faults, ...overSse.faults]).toEqual([]);
});

test("a service that is killed is followed into its next life: everything lost is named, and nothing is repeated", async () => {
  const readers = [
    follow({ symbols: [GOLD, "XAG-USD-SPOT"] }, keys.realtime_pro),
    follow({ transport: "sse", symbols: [GOLD] }, keys.pro),
  ];
  const untilAll = (what: string, holds: (reader: (typeof readers)[number]) => boolean) =>
    eventually(
      what,
      () => readers.every(holds),
      (all) => all,
      { withinMs: 60_000 },
    );
  await untilAll("all follow", (reader) => reader.ticks().length >= 3);
  const before = readers.map((reader) => reader.ticks().length);
  const port = new URL(service.url).port;
  await service.stop("SIGKILL");
  service = await startService({ DATA_DIR: folder.path, PORT: port });
  await untilAll("all go on", (reader) => reader.ticks().length >= (before[readers.indexOf(reader)] ?? 0) + 3);
  for (const { faults, events } of readers) {
    expect(faults).toEqual([]);
    expect(events).toContainEqual(expect.objectContaining({ type: "status", status: "reconnecting" }));
  }
  const gaps = readers.flatMap(({ events }) => events.filter(({ type }) => type === "gap"));
  console.info(`over a kill and a new start: ${readers.map((reader) => reader.ticks().length)} ticks, ${gaps.length} gaps`);
});
