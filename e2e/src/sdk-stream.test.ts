/** The SDK's streams over a killed service; `walk.test.ts` compares the ticks of both transports. */
import { Assay, type StreamEvent, type SubscribeOptions } from "@assay/sdk/stream";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { eventually } from "./harness/eventually.ts";
import { type Folder, readDemoKeys, type TierKeys, temporaryFolder } from "./harness/files.ts";
import { type Service, startService } from "./harness/service.ts";

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
      { withinMs: 180_000 },
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
