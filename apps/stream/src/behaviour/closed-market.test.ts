/** Streams opened while the market is closed: they begin with the price that `/v1/spot` shows, whatever the client has already. */
import { MINUTE_MS, sseId } from "@assay/contract";
import type { Moment } from "@assay/db";
import type { Tick } from "@assay/pricing";
import { Assay, type TickEvent } from "@assay/sdk/stream";
import { fakeClock, makeBar, makeTick } from "@assay/testkit";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { openLine } from "../testing/line.ts";
import { startTestStreams, type TestStreams } from "../testing/start-test-streams.ts";

const CLOSE_MS = Date.parse("2026-11-20T22:00:00Z");
const SUNDAY_MS = Date.parse("2026-11-22T12:00:00Z");
const OPEN_MS = Date.parse("2026-11-22T23:00:00Z");
const GOLD = "XAU-USD-SPOT";

const figures = { open: "4003.955", high: "4003.955", low: "4003.955", close: "4003.955" };
/** Friday's last minute, as an import stores it. */
const MINUTE = makeBar({ symbol: GOLD, barStartMs: CLOSE_MS - MINUTE_MS, ...figures });
/** Ticks of a feed that fell silent an hour before the close. */
const EARLY = [39, 40, 41].map((seq) => makeTick(seq, { computedAtMs: CLOSE_MS - 3_600_000 + seq * 1_000 }));
/** A tick of the last minute: newer than the minute's start, so it is the price. */
const LAST = makeTick(42, { computedAtMs: CLOSE_MS - 1_000, price: "4003.90", conf: "0.204" });

/** The price of the closed market: of the bar, then of the tick. */
const closeFrame = (seq: number) => ({
  type: "tick",
  symbol: GOLD,
  price: "4003.96",
  conf: "0.00",
  computed_at: "2026-11-20T22:00:00Z",
  seq,
  snapshot: true,
  stale_reason: "market_closed",
});
const lastFrame = (seq: number) => ({ ...closeFrame(seq), price: "4003.90", conf: "0.20", computed_at: "2026-11-20T21:59:59Z" });

let app: TestStreams;
afterEach(() => app.close());
const start = async (before: Partial<Moment>, atMs = SUNDAY_MS): Promise<void> => {
  app = await startTestStreams({ clock: fakeClock(atMs), before });
};

interface Opened {
  /** Ticks and gaps so far. */
  readonly seen: () => readonly object[];
  /** Ids of server-sent events. */
  readonly ids?: () => readonly (string | null)[];
}

const overWs = async (seq?: number): Promise<Opened> => {
  const client = await app.ws((await app.key("realtime_pro")).key);
  await client.subscribe([GOLD], seq === undefined ? {} : { resume: { [GOLD]: seq } });
  return { seen: () => client.frames.filter(({ type }) => type === "tick" || type === "gap") };
};
const overSse = async (seq?: number): Promise<Opened> => {
  const headers: Record<string, string> = seq === undefined ? {} : { "Last-Event-ID": sseId(GOLD, seq) };
  const client = await app.sse("?symbol=gold", (await app.key("pro")).key, headers);
  const numbered = () => client.parts.filter(({ event }) => event === "message" || event === "gap");
  return { seen: () => numbered().map(({ data }) => data), ids: () => numbered().map(({ id }) => id) };
};

describe.each([
  { wire: "WebSocket", open: overWs },
  { wire: "SSE", open: overSse },
])("over $wire", ({ open }) => {
  /** Everything a stream receives up to a tick that is published after it opened, without that tick. */
  const received = async (seq: number | undefined, next: Tick): Promise<readonly object[]> => {
    const { seen } = await open(seq);
    await app.publish(next);
    await expect.poll(() => seen().at(-1)).toMatchObject({ seq: next.seq });
    return seen().slice(0, -1);
  };
  const tickAt = (seq: number) => makeTick(seq, { computedAtMs: app.clock() });

  test("the first frame is the last close, under the last number given out", async () => {
    await start({ bars: [MINUTE], ticks: EARLY });
    expect(await received(undefined, tickAt(42))).toEqual([closeFrame(41)]);
  });

  test("its number is 0 before any was given out, and the first tick follows it", async () => {
    await start({ bars: [MINUTE] });
    const { seen, ids } = await open();
    await expect.poll(seen).toEqual([closeFrame(0)]);
    if (ids) expect(ids()).toEqual([`${GOLD}:0`]);
    app.clock.set(OPEN_MS);
    await app.publish(tickAt(1));
    await expect.poll(() => seen().at(-1)).toMatchObject({ seq: 1 });
    expect((await received(0, tickAt(2))).map((frame) => ("seq" in frame ? frame.seq : frame))).toEqual([1]);
  });

  test("it is the last tick where that is the price", async () => {
    await start({ bars: [MINUTE], ticks: [...EARLY, LAST] });
    expect(await received(undefined, tickAt(43))).toEqual([lastFrame(42)]);
  });

  test("a client that has the last number gets it without a gap", async () => {
    await start({ bars: [MINUTE], ticks: [...EARLY, LAST] });
    expect(await received(42, tickAt(43))).toEqual([lastFrame(42)]);
  });

  test("a client that missed ticks gets those that are kept, or the gap, before it", async () => {
    await start({ ticks: EARLY }, CLOSE_MS - 3_600_000 + 41_000);
    app.clock.set(SUNDAY_MS);
    await app.publishMoment({ bars: [MINUTE] });
    expect(await received(39, tickAt(42))).toMatchObject([{ seq: 40 }, { seq: 41 }, closeFrame(41)]);
    expect(await received(30, tickAt(43))).toMatchObject([
      { type: "gap", from_seq: 31, to_seq: 41, reason: "expired" },
      { seq: 42, price: "4003.20" },
    ]);
  });

  test("a client ahead of this process gets it under its own number", async () => {
    await start({ bars: [MINUTE], ticks: EARLY });
    expect(await received(44, makeTick(45, { computedAtMs: SUNDAY_MS }))).toEqual([closeFrame(44)]);
  });

  test("a client whose numbering is no longer in use gets it after the reset", async () => {
    await start({ bars: [MINUTE], ticks: EARLY });
    expect(await received(9_000_000, tickAt(42))).toMatchObject([
      { type: "gap", from_seq: 41, to_seq: 9_000_000, reason: "reset" },
      { seq: 41, snapshot: true },
      closeFrame(41),
    ]);
  });

  test("it is not sent while the market is open, nor where no close is known", async () => {
    await start({ bars: [MINUTE], ticks: EARLY }, OPEN_MS);
    expect(await received(undefined, tickAt(42))).toEqual([
      expect.objectContaining({ seq: 41, price: "4003.20", snapshot: true }),
    ]);
    expect(await received(undefined, tickAt(43))).not.toContainEqual(expect.objectContaining({ stale_reason: "market_closed" }));
    await app.close();
    await start({});
    expect(await received(undefined, tickAt(1))).toEqual([]);
  });
});

test("an import while the market is closed is what the next stream begins with", async () => {
  await start({ bars: [MINUTE] });
  await app.publishMoment({ bars: [{ ...MINUTE, close: "4003.90", low: "4003.90" }] });
  const { seen } = await overWs();
  await expect.poll(seen).toEqual([{ ...closeFrame(0), price: "4003.90" }]);
});

test("subscribing again to a followed name sends it no second time", async () => {
  await start({ bars: [MINUTE] });
  const client = await app.ws((await app.key("realtime_pro")).key);
  await client.subscribe([GOLD]);
  await client.subscribe([GOLD]);
  client.send({ action: "ping" });
  await client.next("pong");
  expect(client.frames.filter(({ type }) => type === "tick")).toEqual([closeFrame(0)]);
});

test.each(["websocket", "sse"] as const)("the SDK yields it once over %s, however often it reconnects", async (transport) => {
  await start({ bars: [MINUTE], ticks: EARLY }, CLOSE_MS - 3_600_000 + 41_000);
  const line = await openLine(app.port);
  const { key } = await app.key("realtime_pro");
  const subscription = new Assay({ apiKey: key, baseUrl: line.url, logLevel: "off" }).stream.subscribe({
    transport,
    symbols: [GOLD],
  });
  const ticks: TickEvent[] = [];
  let gaps = 0;
  let opened = 0;
  const reading = (async () => {
    for await (const event of subscription) {
      if (event.type === "tick") ticks.push(event);
      if (event.type === "gap") gaps += 1;
      if (event.type === "status" && event.status === "open") opened += 1;
    }
  })();
  onTestFinished(async () => {
    subscription.close();
    await reading;
  });
  const brief = () => ticks.map(({ seq, price, staleReason }) => [seq, price.text, staleReason ?? null]);
  await expect.poll(brief).toEqual([[41, "4003.20", null]]);
  app.clock.set(SUNDAY_MS);
  await app.publishMoment({ bars: [MINUTE] });
  for (const times of [2, 3]) {
    line.cut();
    await expect.poll(() => opened, { timeout: 10_000 }).toBe(times);
  }
  app.clock.set(OPEN_MS);
  await app.publish(makeTick(42, { computedAtMs: OPEN_MS }));
  const all = [
    [41, "4003.20", null],
    [41, "4003.96", "market_closed"],
    [42, "4003.20", null],
  ];
  await expect.poll(brief).toEqual(all);
  expect(gaps).toBe(0);
});
