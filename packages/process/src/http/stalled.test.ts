/** Readers that stop reading their answer, on a clock the test moves. */
import { once } from "node:events";
import type { RequestListener } from "node:http";
import type { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { connectRaw, turnUntil } from "../testing/raw-connection.ts";
import { listenOn } from "./listen.ts";
import { noteStream } from "./pipeline.ts";

/** More than the socket buffers at both ends hold. */
const LARGE = Buffer.alloc(64 * 1024 * 1024, "x");
const REQUEST = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

// Sockets and the event loop are real; only the watch uses this clock.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

/** Serves one large answer. @returns opens a connection of a client that has asked, and begins to read nothing */
const serve = async (application: RequestListener = (_request, response) => void response.end(LARGE)) => {
  const { server, port, close } = await listenOn((create, settings) => create(settings, application), {
    host: "127.0.0.1",
    port: 0,
    maxPipelined: 32,
  });
  onTestFinished(() => {
    vi.useRealTimers();
    return close(0);
  });
  return async () => {
    const accepted = once(server, "connection");
    const { socket, send } = await connectRaw(port, onTestFinished);
    const [end] = (await accepted) as [Socket]; // what the event is emitted with
    socket.pause();
    send(REQUEST);
    await turnUntil(() => end.writableLength > 0);
    return { socket, end };
  };
};

describe("a connection", () => {
  test("whose client reads nothing is cut after thirty seconds, and not before", async () => {
    const open = await serve();
    const { end } = await open();
    vi.advanceTimersByTime(30_000);
    expect(end.destroyed).toBe(false);
    vi.advanceTimersByTime(1_000);
    expect(end.destroyed).toBe(true);
  });

  test("whose client asked for thirty answers and reads none is cut after thirty seconds", async () => {
    const open = await serve((_request, response) => void response.end(LARGE.subarray(0, 4 * 1024 * 1024)));
    const { socket, end } = await open();
    socket.write(REQUEST.repeat(29));
    await turnUntil(() => end.bytesRead === 30 * REQUEST.length);
    vi.advanceTimersByTime(31_000);
    expect(end.destroyed).toBe(true);
  });

  test("whose client reads slowly is left alone as long as it reads something every thirty seconds", async () => {
    const open = await serve();
    const { socket, end } = await open();
    let read = 0;
    for (let round = 0; round < 6; round += 1) {
      const target = read + 6 * 1024 * 1024;
      // One write is most of the answer: Node counts it as pending until its last byte is accepted.
      expect(end.writableLength).toBeGreaterThan(0);
      await turnUntil(() => {
        for (let part = socket.read(); part !== null && read < target; part = socket.read()) read += part.length;
        return read >= target;
      });
      vi.advanceTimersByTime(29_000);
      expect(end.destroyed, `round ${round}`).toBe(false);
    }
    vi.advanceTimersByTime(31_000);
    expect(end.destroyed, "once it has stopped").toBe(true);
  });

  test("that has nothing to read is left alone, whether its answer was read or is still being made", async () => {
    const open = await serve((_request, response) => void response.write(LARGE));
    const { socket, end } = await open();
    socket.resume();
    await turnUntil(() => end.writableLength === 0);
    vi.advanceTimersByTime(600_000);
    expect(end.destroyed).toBe(false);
  });

  test("of a stream is left to the stream's own rule", async () => {
    const open = await serve((request, response) => {
      noteStream(request.socket);
      response.end(LARGE);
    });
    const { end } = await open();
    vi.advanceTimersByTime(600_000);
    expect(end.destroyed).toBe(false);
  });
});
