import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { Assay, type StreamEvent, type SubscribeOptions } from "../stream/index.ts";
import { readerOf } from "../testing/reader.ts";
import { mockAssay, mockStream } from "./index.ts";

const baseUrl = "http://assay.test";
const GOLD = "XAU-USD-SPOT";
const SILVER = "XAG-USD-SPOT";
const server = setupServer();

beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
afterEach(() => {
  server.resetHandlers();
  vi.restoreAllMocks();
});
afterAll(() => server.close());

const open = (options: Partial<SubscribeOptions> = {}) => {
  vi.spyOn(Math, "random").mockReturnValue(0); // reconnects at once
  const stream = mockStream();
  server.use(...mockAssay({ baseUrl, stream }));
  const assay = new Assay({ baseUrl, apiKey: "k1", logLevel: "off", WebSocket: stream.WebSocket });
  const subscription = assay.stream.subscribe({ symbols: [GOLD], ...options } as SubscribeOptions); // either transport
  return { stream, assay, subscription, reader: readerOf(subscription) };
};

describe.each(["websocket", "sse"] as const)("a mocked stream over %s", (transport) => {
  test("sends what a test plays once a client follows it, in order and numbered", async () => {
    const { stream, reader } = open({ transport });
    const playing = (async () => {
      expect(await stream.tick(GOLD, "4003.20", { computed_at: "2026-11-20T12:00:00Z" })).toBe(1);
      await stream.tick(GOLD, "4003.40", { conf: "0.10" });
      await stream.gap(GOLD, 3, "expired");
      await stream.heartbeat("closed");
      expect(await stream.tick(GOLD, "4004.00")).toBe(6);
    })();
    const first = await reader.next("tick");
    expect([first.price.text, first.conf.text, first.computedAt]).toEqual(["4003.20", "0.20", new Date("2026-11-20T12:00:00Z")]);
    expect((await reader.next("tick")).conf.text).toBe("0.10");
    expect(await reader.next("gap")).toMatchObject({ fromSeq: 3, toSeq: 5, reason: "expired" });
    expect(await reader.next("heartbeat")).toMatchObject({ market: "closed", seq: { [GOLD]: 5 } });
    expect(await reader.next("tick")).toMatchObject({ seq: 6 });
    await playing;
    expect(stream.clients).toEqual([expect.objectContaining({ transport, key: "k1", names: new Set([GOLD]) })]);
  });

  test("carries a symbol that only an operator's catalogue has", async () => {
    const { stream, reader } = open({ transport, symbols: ["XRH-USD-SPOT"] });
    const playing = stream.tick("XRH-USD-SPOT", "8000.00");
    expect(await reader.next("tick")).toMatchObject({ symbol: "XRH-USD-SPOT", seq: 1 });
    await playing;
  });

  test("is reconnected to after a close, and sends what was missed to clients that resume", async () => {
    const { stream, reader } = open({ transport });
    const playing = (async () => {
      await stream.tick(GOLD, "4003.20");
      await stream.close("server_draining");
      await stream.tick(GOLD, "4004.10");
    })();
    await reader.next("tick", { seq: 1 });
    expect(await reader.next("status", { status: "reconnecting" })).toMatchObject({ attempt: 1 });
    await reader.next("tick", { seq: 2 });
    await playing;
    expect(reader.witness.gaps).toEqual([]);
  });

  test("restarts its numbers, skips some, and closes for good, as the service may", async () => {
    const { stream, reader } = open({ transport });
    const later = new Date(Date.now() + 120_000).toISOString();
    const playing = (async () => {
      await stream.tick(GOLD, "4003.20", { seq: 41 });
      await stream.tick(GOLD, "4003.20", { seq: 43 });
      await stream.gap(GOLD, 0, "reset");
      await stream.tick(GOLD, "4003.30", { computed_at: later });
      await stream.close("unauthenticated");
    })();
    await reader.next("tick", { seq: 41 });
    expect(await reader.next("gap")).toMatchObject({ fromSeq: 42, toSeq: 42, reason: "missed" });
    expect(await reader.next("gap")).toMatchObject({ fromSeq: 1, toSeq: 43, reason: "reset" });
    await reader.next("tick", { seq: 1 });
    expect(await reader.end()).toMatchObject({ name: "InvalidApiKeyError" });
    await playing;
  });

  test.each([
    ["unauthenticated", "InvalidApiKeyError"],
    ["plan_gated", "PlanGatedError"],
    ["too_many_connections", "StreamTooManyConnectionsError"],
  ] as const)("refuses newcomers as %s, with the class of the service's refusal", async (cause, name) => {
    const { stream, reader } = open({ transport });
    stream.refuse(cause);
    expect(await reader.end()).toMatchObject({ name });
  });

  test("gives a newcomer the last price as a snapshot", async () => {
    const { stream, assay, reader } = open({ transport });
    const first = reader.next("tick");
    await stream.tick(GOLD, "4003.20");
    await first;
    const other = readerOf(assay.stream.subscribe({ symbols: [GOLD], transport }));
    expect(await other.next("tick")).toMatchObject({ seq: 1, snapshot: true });
  });
});

test("names are followed and dropped while a mocked WebSocket is open", async () => {
  const { stream, subscription, reader } = open();
  await Promise.all([reader.next("tick"), stream.tick(GOLD, "4003.20")]);
  subscription.add([SILVER, "physical:AE"]);
  await Promise.all([reader.next("tick", { symbol: SILVER }), stream.tick(SILVER, "48.1234")]);
  const quote = reader.next("physical");
  await stream.physical("physical:AE", { sell_price: "477.25", currency: "AED" });
  expect((await quote).quote).toMatchObject({ currency: "AED", karat: 24 });
  subscription.remove([GOLD, "physical:AE"]);
  await reader.next("status", { status: "open" });
  expect(stream.clients[0]?.names).toEqual(new Set([SILVER]));
  await subscription.return();
  await vi.waitFor(() => expect(stream.clients).toEqual([]));
});

test("a program's own loop is tested without a service: it persists, resumes and fills the gap", async () => {
  vi.spyOn(Math, "random").mockReturnValue(0);
  const stream = mockStream();
  const bar = {
    bar_start: "2026-11-20T12:01:00Z",
    open: null,
    high: null,
    low: null,
    close: "4001.10",
    volume: null,
    is_closed: true,
  };
  const meta = { tier: "pro", count: 1, source_id: null } as const;
  const page = { symbol: GOLD, interval: "1m", bars: [bar], next_cursor: null, meta } as const;
  server.use(...mockAssay({ baseUrl, stream, bars: { list: page } }));
  const assay = new Assay({ baseUrl, apiKey: "k1", logLevel: "off", WebSocket: stream.WebSocket });
  let kept = "{}";
  const run = async (until: StreamEvent["type"]): Promise<StreamEvent | null> => {
    const resume = JSON.parse(kept);
    await using events = assay.stream.subscribe({ symbols: [GOLD], resume, fillGaps: "bars" });
    for await (const event of events) {
      if (event.type === "tick") kept = JSON.stringify({ [GOLD]: { seq: event.seq, computedAt: event.computedAt } });
      if (event.type === until) return event;
    }
    return null;
  };
  const first = run("tick");
  await stream.tick(GOLD, "4003.20", { computed_at: "2026-11-20T12:01:30Z" });
  await first;
  const second = run("gap");
  await stream.gap(GOLD, 5, "expired");
  expect(await second).toMatchObject({ fromSeq: 2, toSeq: 6, bars: [{ close: { text: "4001.10" } }] });
});

test("without a stream there is no feed", async () => {
  server.use(...mockAssay({ baseUrl }));
  const assay = new Assay({ baseUrl, apiKey: "k1", logLevel: "off" });
  const reader = readerOf(assay.stream.subscribe({ symbols: [GOLD], transport: "sse" }));
  expect(await reader.end()).toMatchObject({ name: "NotFoundError" });
});
