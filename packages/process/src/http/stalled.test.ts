/** Readers that stop reading their answer. */
import { once } from "node:events";
import type { RequestListener } from "node:http";
import type { Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { connectRaw, turnUntil } from "../testing/raw-connection.ts";
import { listenOn } from "./listen.ts";

/** More than the socket buffers at both ends hold. */
const LARGE = Buffer.alloc(64 * 1024 * 1024, "x");
const REQUEST = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
const HALF_A_SECOND = 500;

/** Serves one large answer, and cuts those who stand still for half a second instead of the longer time every server has. */
const serve = async (application: RequestListener = (_request, response) => void response.end(LARGE)) => {
  const { server, port, close } = await listenOn((create, settings) => create(settings, application), {
    host: "127.0.0.1",
    port: 0,
    maxPipelined: 32,
  });
  onTestFinished(() => close(0));
  expect(server.timeout).toBe(75_000);
  server.timeout = HALF_A_SECOND;
  const accepted: Socket[] = [];
  server.on("connection", (socket: Socket) => void accepted.push(socket));
  /** A client that has asked and reads nothing, and the server's end of its connection. */
  return async () => {
    const { socket, send } = await connectRaw(port, onTestFinished);
    socket.pause();
    send(REQUEST);
    const index = accepted.length - 1;
    await turnUntil(() => (accepted[index]?.writableLength ?? 0) > 0);
    const end = accepted[index];
    if (!end) return expect.fail("no connection was accepted");
    return { socket, end };
  };
};

describe("a connection", () => {
  test("whose client reads nothing is cut, among a hundred that stall like every other", async () => {
    const open = await serve();
    const closed: Promise<unknown>[] = [];
    for (let index = 0; index < 100; index += 1) closed.push(once((await open()).end, "close"));
    await Promise.all(closed);
  });

  test("whose client reads slowly is left alone until it stops", async () => {
    const open = await serve();
    const { socket, end } = await open();
    const closed = once(end, "close");
    const startedMs = performance.now();
    // A little of it, over and over, for longer than one that stands still is given.
    for (let read = 0; performance.now() - startedMs < 3 * HALF_A_SECOND; ) {
      const target = read + 512 * 1024;
      await turnUntil(() => {
        for (let part = socket.read(); part !== null && read < target; part = socket.read()) read += part.length;
        return read >= target;
      });
      // One write is most of the answer: Node counts it as pending until its last byte is accepted.
      expect([end.destroyed, end.writableLength > 0]).toEqual([false, true]);
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    await closed;
  });

  test("that was fully answered may idle for as long as it is kept", async () => {
    const open = await serve();
    const { socket, end } = await open();
    socket.resume();
    await turnUntil(() => end.writableLength === 0);
    await turnUntil(() => end.timeout !== HALF_A_SECOND);
    expect(end.timeout).toBeGreaterThanOrEqual(65_000);
  });
});
