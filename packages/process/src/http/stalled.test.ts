/** Readers that stop reading their answer, on a clock the test moves. */
import type { RequestListener } from "node:http";
import type { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { connectRaw, turnUntil } from "../testing/raw-connection.ts";
import { type Beside, listenOn } from "./listen.ts";
import { exemptFromStall } from "./stalled.ts";

/** More than the socket buffers at both ends hold. */
const LARGE = Buffer.alloc(64 * 1024 * 1024, "x");
const REQUEST = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

// Sockets and the event loop are real; only the watch uses this clock.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] }));
afterEach(() => void vi.useRealTimers());

/** Serves one large answer; returns the server's end of the connection. */
const serve = async (application: RequestListener = (_request, response) => void response.end(LARGE), beside?: Beside) => {
  const { server, port, close } = await listenOn((create, settings) => create(settings, application), {
    host: "127.0.0.1",
    port: 0,
    beside,
  });
  onTestFinished(() => {
    vi.useRealTimers();
    return close(0);
  });
  const accepted: Socket[] = [];
  server.on("connection", (socket: Socket) => void accepted.push(socket));
  const open = async () => {
    const { socket, send } = await connectRaw(port, onTestFinished);
    socket.pause();
    send(REQUEST);
    const index = accepted.length - 1;
    await turnUntil(() => (accepted[index]?.writableLength ?? 0) > 0);
    const end = accepted[index];
    if (!end) return expect.fail("no connection was accepted");
    return { socket, end };
  };
  return { open };
};

describe("a connection", () => {
  test("whose client reads nothing is cut after thirty seconds, and not before", async () => {
    const { open } = await serve();
    const { end } = await open();
    vi.advanceTimersByTime(30_000);
    expect(end.destroyed).toBe(false);
    vi.advanceTimersByTime(1_000);
    expect(end.destroyed).toBe(true);
  });

  test("among a hundred that stall is cut like every other", async () => {
    const { open } = await serve();
    const ends: Socket[] = [];
    for (let index = 0; index < 100; index += 1) ends.push((await open()).end);
    vi.advanceTimersByTime(31_000);
    expect(ends.filter(({ destroyed }) => !destroyed)).toEqual([]);
  });

  test("whose client reads slowly is left alone as long as it reads something every thirty seconds", async () => {
    const { open } = await serve();
    const { socket, end } = await open();
    let read = 0;
    for (let round = 0; round < 8; round += 1) {
      const target = read + 6 * 1024 * 1024;
      const before = end.writableLength;
      // One write is most of the answer: Node counts it as pending until its last byte is accepted.
      expect(before).toBeGreaterThan(0);
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

  test("that was fully answered is not cut, however long it is idle", async () => {
    const { open } = await serve();
    const { socket, end } = await open();
    socket.resume();
    await turnUntil(() => end.writableLength === 0);
    vi.advanceTimersByTime(600_000);
    expect(end.destroyed).toBe(false);
  });

  test("of a stream is left to the stream's own rule", async () => {
    const { open } = await serve((_request, response) => {
      if (response.socket) exemptFromStall(response.socket);
      response.end(LARGE);
    });
    const { end } = await open();
    vi.advanceTimersByTime(600_000);
    expect(end.destroyed).toBe(false);
  });
});
