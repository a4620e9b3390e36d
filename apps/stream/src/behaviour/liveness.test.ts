/**
 * Dead connections are not mistaken for a quiet market, nor slow readers for good ones. Timings are shortened; the rest is
 * real.
 */
import { connect, type Socket } from "node:net";
import { makeTick } from "@assay/testkit";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { goldAt, startTestStreams, type TestStreams } from "../testing/start-test-streams.ts";

const FAST = { heartbeatMs: 100, pingMs: 150, pongWithinMs: 400, authWithinMs: 400, closeWithinMs: 400 };
let app: TestStreams;
const start = async (options: Parameters<typeof startTestStreams>[0] = {}) => {
  app = await startTestStreams({ timing: FAST, before: { ticks: [makeTick(1)] }, ...options });
};
afterEach(() => app.close());

/** A client that can stop reading: raw bytes, after a WebSocket handshake or an SSE request. */
const rawClient = async (head: string): Promise<{ socket: Socket; text: () => string }> => {
  const socket = connect(app.port, "127.0.0.1");
  let text = "";
  socket.on("data", (data) => {
    text += data.toString("latin1");
  });
  socket.on("error", () => undefined);
  socket.write(head);
  await expect.poll(() => text).toContain("\r\n\r\n");
  return { socket, text: () => text };
};
const masked = (json: string): Buffer => {
  const payload = Buffer.from(json);
  const head =
    payload.length < 126
      ? Buffer.from([0x81, 0x80 | payload.length])
      : Buffer.from([0x81, 0xfe, payload.length >> 8, payload.length & 0xff]);
  return Buffer.concat([head, Buffer.alloc(4), payload]);
};
const rawWs = async (key: string) => {
  const client = await rawClient(
    "GET /v1/stream HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
  );
  client.socket.write(masked(JSON.stringify({ action: "auth", api_key: key })));
  client.socket.write(masked(JSON.stringify({ action: "subscribe", symbols: ["XAU-USD-SPOT"] })));
  await expect.poll(() => client.text()).toContain('"subscribed"');
  return client;
};
const rawSse = (key: string) => rawClient(`GET /v1/prices/stream?symbol=gold HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`);

describe("a quiet market", () => {
  beforeEach(() => start());

  test("is announced by heartbeats, with the newest numbers and whether the market trades", async () => {
    const client = await app.ws((await app.key("realtime_pro")).key);
    await client.subscribe(["XAU-USD-SPOT", "XAG-USD-SPOT"]);
    for (let at = 0; at < 2; at++) {
      expect(await client.next("heartbeat")).toMatchObject({ seq: { "XAU-USD-SPOT": 1 }, market: "open" });
    }
    await app.publish(goldAt(app.clock, 2));
    expect(await client.next("heartbeat")).toMatchObject({ seq: { "XAU-USD-SPOT": 2 } });
    app.clock.set(Date.UTC(2026, 10, 21, 12));
    await expect.poll(() => client.frames.at(-1)).toMatchObject({ market: "closed", ts: "2026-11-21T12:00:00.000Z" });
  });

  test("is also announced to a connection that follows nothing", async () => {
    const client = await app.ws((await app.key("realtime_pro")).key);
    expect(await client.next("heartbeat")).toMatchObject({ seq: {} });
  });

  test("is announced over SSE by a comment and a named event", async () => {
    const stream = await app.sse("?symbol=gold", (await app.key("pro")).key);
    expect((await stream.next("comment")).data).toBe("heartbeat");
    expect((await stream.next("heartbeat")).data).toMatchObject({ seq: { "XAU-USD-SPOT": 1 } });
    expect(stream.parts.find(({ event }) => event === "heartbeat")?.id).toBeNull();
  });
});

describe("a client that vanishes", () => {
  beforeEach(() => start());

  test("is dropped when its pong does not come, and its place freed", async () => {
    const key = await app.key("realtime_pro");
    const { socket } = await rawWs(key.key);
    expect(await app.live.places.count(key)).toBe(1);
    // It reads but never answers, as behind a broken connection.
    const closed = new Promise((resolve) => socket.on("close", resolve));
    await closed;
    await expect.poll(() => app.live.places.count(key)).toBe(0);
  });

  test("is not confused with one that answers", async () => {
    const client = await app.ws((await app.key("realtime_pro")).key);
    for (let at = 0; at < 6; at++) await client.next("heartbeat");
    client.send({ action: "ping" });
    await client.next("pong");
  });

  test("before it has sent a key is refused with 4408", async () => {
    const client = await app.ws();
    expect(await client.next("error")).toMatchObject({ code: "auth_timeout", fatal: true });
    expect(await client.closed).toBe(4408);
  });

  test("cannot keep a closed connection open by not closing it", async () => {
    const { socket, text } = await rawWs((await app.key("realtime_pro")).key);
    socket.write(masked("garbage"));
    await new Promise((resolve) => socket.on("close", resolve));
    expect(text()).toContain('"code":"bad_frame"');
  });
});

describe("a client that closes", () => {
  beforeEach(() => start());

  test("is answered with a close frame, and with nothing after it", async () => {
    const { key } = await app.key("realtime_pro");
    const clients = await Promise.all(Array.from({ length: 10 }, () => rawWs(key)));
    const ends = clients.map(({ socket }) => new Promise((resolve) => socket.on("close", resolve)));
    // A tick in every turn of the event loop, so also between the close frame and the end of the connection.
    let seq = 1;
    let next: NodeJS.Immediate;
    const pump = (): void => {
      seq += 1;
      const moment = { token: 1, atMs: app.clock(), ticks: [goldAt(app.clock, seq)], bars: [], fx: [] };
      void app.live.bus.publish({ kind: "moment", ...moment });
      next = setImmediate(pump);
    };
    pump();
    onTestFinished(() => clearImmediate(next));
    for (const { socket, text } of clients) {
      const before = text().length;
      await expect.poll(() => text().length).toBeGreaterThan(before);
      socket.write(Buffer.from([0x88, 0x80, 0, 0, 0, 0]));
    }
    await Promise.all(ends);
    for (const { text } of clients) expect(text().slice(-2)).toBe("\x88\x00");
    expect(clients.at(-1)?.text()).toContain('"type":"tick"');
  });
});

describe("a reader that is too slow", () => {
  /** Ticks with long prices fill the socket buffers quickly. */
  const flood = async (until: () => boolean) => {
    let seq = 1;
    while (!until()) {
      const before = app.live;
      const ticks = Array.from({ length: 400 }, () => {
        seq += 1;
        return goldAt(app.clock, seq, { price: `4003.${String(seq).padStart(6, "0")}` });
      });
      // Published, not stored: the store is not under test here.
      await before.bus.publish({ kind: "moment", token: 1, atMs: app.clock(), ticks, bars: [], fx: [] });
      await new Promise(setImmediate);
    }
    return seq;
  };
  const heldBack = () => app.service.streams.metrics().find(({ name }) => name === "assay_stream_held_back_total")?.value ?? 0;
  const patient = { heartbeatMs: 60_000, pingMs: 60_000, authWithinMs: 10_000, closeWithinMs: 1_000 };

  /** The gold frames a raw client received, in order. */
  const toldTo = (text: string): { type: string; seq: number; from_seq: number; to_seq: number; reason: string }[] =>
    [...text.matchAll(/\{"type":"(?:tick|gap)".*?\}/g)].map(([json]) => JSON.parse(json));
  const placesOf = (key: { keyId: string; orgId: string }) => app.live.places.count(key);
  const say = (what: string, seen: object) => console.info(`${what}:`, JSON.stringify(seen));

  describe.each([
    { wire: "WebSocket", open: rawWs },
    { wire: "SSE", open: rawSse },
  ])("over $wire", ({ wire, open }) => {
    test("gets a gap and the newest tick of each name once it reads again; others get every tick", async () => {
      await start({ timing: patient });
      const slow = await open((await app.key("realtime_pro")).key);
      await expect.poll(slow.text).toContain('"seq":1');
      const fast = await app.ws((await app.key("realtime_pro")).key);
      await fast.subscribe(["XAU-USD-SPOT"]);
      slow.socket.pause();
      const last = await flood(() => heldBack() > 5);
      await expect.poll(() => fast.frames.at(-1), { timeout: 10_000 }).toMatchObject({ seq: last });
      const seqs = fast.frames.flatMap((frame) => (frame.type === "tick" ? [frame.seq] : []));
      expect(seqs).toEqual(Array.from({ length: last }, (_, at) => at + 1));
      slow.socket.resume();
      await expect.poll(slow.text, { timeout: 10_000 }).toContain(`"seq":${last}}`);
      const frames = toldTo(slow.text());
      let at = 1;
      for (const frame of frames.slice(1)) {
        expect(frame.type === "gap" ? frame.from_seq : frame.seq).toBe(at + 1);
        at = frame.type === "gap" ? frame.to_seq : frame.seq;
      }
      expect(at).toBe(last);
      const gaps = frames.filter(({ type }) => type === "gap");
      say(`stalled over ${wire}`, {
        published: last,
        ticks: frames.length - gaps.length,
        gaps: gaps.length,
        heldBack: heldBack(),
      });
      expect(gaps.map(({ reason }) => reason)).toContain("slow_consumer");
    });

    test("is closed after its time, even if nothing more is published, gains none by a byte now and then, and gets the reason", async () => {
      await start({ timing: patient, maxLagMs: 700 });
      const key = await app.key("realtime_pro");
      const slow = await open(key.key);
      const [read] = slow.socket.listeners("data") as ((data: Buffer) => void)[]; // the one that keeps the text
      slow.socket.removeAllListeners("data");
      slow.socket.pause();
      let sips = 0;
      const sipping = setInterval(() => {
        sips += slow.socket.read(1) === null ? 0 : 1;
      }, 20);
      onTestFinished(() => clearInterval(sipping));
      await flood(() => heldBack() > 3);
      await expect.poll(() => placesOf(key), { timeout: 10_000 }).toBe(0);
      clearInterval(sipping);
      expect(sips).toBeGreaterThan(0);
      expect(app.log.map(({ fields }) => fields.reason)).toContain("slow_consumer");
      expect(JSON.stringify(app.log)).not.toContain(key.key);
      if (read) slow.socket.on("data", read);
      slow.socket.resume();
      // Delivered if it reads again within its last second, else disconnected.
      const isTold = () => slow.text().includes('"code":"slow_consumer"');
      await expect.poll(() => slow.socket.destroyed || isTold(), { timeout: 10_000 }).toBe(true);
      say(`a byte at a time over ${wire}`, { sips, isTold: isTold(), heldBack: heldBack() });
    });
  });

  // Both wires count alike.
  test("with more queued than the limit is closed at once", async () => {
    // No timeout would be long enough.
    await start({ timing: patient, maxBufferBytes: 2_000, maxLagMs: 1_000_000_000 });
    const key = await app.key("realtime_pro");
    const slow = await rawSse(key.key);
    slow.socket.pause();
    const published = await flood(() => app.log.some(({ fields }) => fields.reason === "slow_consumer"));
    await expect.poll(() => placesOf(key)).toBe(0);
    say("too much waiting", { published, heldBack: heldBack() });
    slow.socket.destroy();
  });
});

describe("the end of the process", () => {
  beforeEach(() => start({ timing: {} }));

  test("is announced to every stream with 4510, over SSE by an error, and to newcomers with 503", async () => {
    const realtime = await app.key("realtime_pro");
    const [ws, waiting, sse] = [await app.ws(realtime.key), await app.ws(), await app.sse("?symbol=gold", realtime.key)];
    const ending = app.service.close(2_000);
    expect(await ws.next("error")).toMatchObject({ code: "server_draining", fatal: true });
    expect(await ws.closed).toBe(4510);
    expect(await waiting.closed).toBe(4510);
    expect((await sse.next("error")).data).toMatchObject({ code: "server_draining", fatal: true });
    await sse.ended;
    await ending;
    expect(await app.live.places.count(realtime)).toBe(0);
  });

  test("does not wait longer than allowed for clients that do not close", async () => {
    const { socket } = await rawWs((await app.key("realtime_pro")).key);
    // It resolves, although this client never closes.
    await app.service.close(300);
    socket.destroy();
  });
});
