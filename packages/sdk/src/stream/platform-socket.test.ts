import { afterEach, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { tick } from "../testing/frames.ts";
import { readerOf } from "../testing/reader.ts";
import { streamService } from "../testing/stream-service.ts";
import { Assay } from "./index.ts";

afterEach(() => vi.unstubAllGlobals());

/** A WebSocket as platforms have it: nothing but an address is taken, and it cannot be ended without a word. */
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

test("where there is no WebSocket at all, it is said what to do", async () => {
  inBrowser();
  vi.stubGlobal("WebSocket", undefined);
  expect(await follow("http://127.0.0.1:1").end()).toMatchObject({
    name: "AssayError",
    message: 'There is no WebSocket here; use transport: "sse"',
  });
});
