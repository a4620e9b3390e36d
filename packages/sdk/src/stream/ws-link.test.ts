import { Agent } from "node:http";
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { tick } from "../testing/frames.ts";
import { readerOf } from "../testing/reader.ts";
import { streamService } from "../testing/stream-service.ts";
import { Assay, type ClientOptions } from "./index.ts";
import { FrameBudget } from "./ws-link.ts";

test("whatever frames are sent, no window of the service ever holds more than its limit", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 4_000 }), { maxLength: 100, size: "max" }), (pauses) => {
      const budget = new FrameBudget(20, 10_000);
      const sent: number[] = [];
      let nowMs = 0;
      for (const pauseMs of pauses) {
        nowMs += pauseMs;
        nowMs += budget.waitMs(2, nowMs);
        for (let frame = 0; frame < 2; frame += 1) {
          budget.spend(nowMs);
          sent.push(nowMs);
        }
        expect(sent.filter((atMs) => atMs > nowMs - 10_000).length).toBeLessThanOrEqual(16);
      }
    }),
  );
});

test("what is within the budget does not wait", () => {
  const budget = new FrameBudget(20, 10_000);
  for (let change = 0; change < 8; change += 1) {
    expect(budget.waitMs(2, 0)).toBe(0);
    budget.spend(0);
    budget.spend(0);
  }
  expect(budget.waitMs(2, 0)).toBe(11_000);
  expect(budget.waitMs(2, 11_000)).toBe(0);
});

afterEach(() => vi.unstubAllGlobals());

/** A WebSocket as platforms have it: it accepts only an address, and cannot be dropped without a handshake. */
class PlatformSocket extends WebSocket {
  constructor(...args: unknown[]) {
    super(String(args[0]));
    if (args.length > 1) throw new TypeError("a platform's WebSocket takes no options");
    Reflect.set(this, "terminate", undefined);
  }
}

const inBrowser = (): void => {
  vi.stubGlobal("window", {});
  vi.stubGlobal("document", {});
};
const follow = (baseUrl: string) => {
  const assay = new Assay({ apiKey: "assay_live_k", baseUrl, logLevel: "off", dangerouslyAllowBrowser: true });
  return readerOf(assay.stream.subscribe({ symbols: ["XAU-USD-SPOT"] }));
};

test("elsewhere than on Node the platform's own WebSocket is used", async () => {
  const service = await streamService({
    onPeer: (peer, index) => {
      peer.welcome();
      peer.send(tick(41 + index));
      if (index === 0) peer.socket.close(1012);
    },
  });
  inBrowser();
  vi.stubGlobal("WebSocket", PlatformSocket);
  const reader = follow(service.url);
  await reader.next("tick", { seq: 42 });
  expect(service.peers[0]?.headers["user-agent"]).toBeUndefined();
});

test("without any WebSocket, the error says what to do", async () => {
  inBrowser();
  vi.stubGlobal("WebSocket", undefined);
  expect(await follow("http://127.0.0.1:1").end()).toMatchObject({
    name: "AssayError",
    message: 'WebSocket is not available here; use transport: "sse"',
  });
});

describe("a custom WebSocket", () => {
  const opening = async (more: ClientOptions): Promise<readonly unknown[]> => {
    const opened: unknown[] = [];
    class Given extends WebSocket {
      constructor(url: string, options?: object) {
        super(url, options);
        opened.push(url, options);
      }
    }
    const service = await streamService({
      onPeer: (peer) => {
        peer.welcome();
        peer.send(tick(41));
      },
    });
    const assay = new Assay({ apiKey: "assay_live_k", baseUrl: service.url, logLevel: "off", WebSocket: Given, ...more });
    await readerOf(assay.stream.subscribe({ symbols: ["XAU-USD-SPOT"] })).next("tick", { seq: 41 });
    expect(service.peers[0]?.headers["x-team"]).toBe("desk");
    return opened;
  };
  const defaultHeaders = { "x-team": "desk" };

  test("replaces ws, with the headers of the client", async () => {
    const [url, options] = await opening({ defaultHeaders });
    expect(url).toMatch(/^ws:.*\/v1\/stream$/);
    expect(options).toMatchObject({ headers: { "x-team": "desk" } });
    expect(JSON.stringify(options)).not.toContain("assay_live_k");
  });

  test("follows fetchOptions, so that it goes through the same proxy", async () => {
    const dispatcher = {};
    expect((await opening({ defaultHeaders, fetchOptions: { dispatcher } }))[1]).toMatchObject({ dispatcher });
  });
});

test("ws follows the agent of fetchOptions", async () => {
  const service = await streamService({ onPeer: (peer) => peer.welcome() });
  const agent = new Agent();
  const connect = vi.fn(Reflect.get(agent, "createConnection"));
  Reflect.set(agent, "createConnection", connect);
  const assay = new Assay({ apiKey: "assay_live_k", baseUrl: service.url, logLevel: "off", fetchOptions: { agent } });
  await readerOf(assay.stream.subscribe({ symbols: ["XAU-USD-SPOT"] })).next("status", { status: "open" });
  expect(connect).toHaveBeenCalledTimes(1);
});

test("a dispatcher is never bypassed: without a WebSocket that can use it, the error says what to do", async () => {
  vi.stubGlobal("WebSocket", undefined);
  const assay = new Assay({ apiKey: "k", baseUrl: "http://127.0.0.1:1", fetchOptions: { dispatcher: {} } });
  expect(await readerOf(assay.stream.subscribe({ symbols: ["XAU-USD-SPOT"] })).end()).toMatchObject({
    name: "AssayError",
    message: "This version of Node has no built-in WebSocket that can use the dispatcher; pass undici's as the WebSocket option",
  });
});

test.each([
  ["closes with the code 0, as on Deno", { code: 0, reason: "" }],
  ["emits an error alone, as Node's own may", null],
])("a connection that is refused and %s counts as lost, and is retried", async (_, closing) => {
  let opened = 0;
  class Failing {
    onerror: ((event: object) => void) | null = null;
    onclose: ((event: object) => void) | null = null;
    constructor() {
      opened += 1;
      setImmediate(() => {
        this.onerror?.({ message: "connection refused" });
        if (closing !== null) this.onclose?.(closing);
      });
    }
    close(): void {}
  }
  const assay = new Assay({ apiKey: "k", baseUrl: "http://127.0.0.1:1", logLevel: "off", WebSocket: Failing });
  const reader = readerOf(assay.stream.subscribe({ symbols: ["XAU-USD-SPOT"], maxReconnects: 1 }));
  expect(await reader.next("status", { status: "reconnecting" })).toMatchObject({
    close: 1006,
    reason: "1006: connection refused",
  });
  expect(await reader.end()).toMatchObject({ name: "StreamLostError" });
  expect(opened).toBe(2);
});
