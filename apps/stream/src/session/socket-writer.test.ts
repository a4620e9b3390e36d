/** Against what Node's own `socket.write` does, on real connections. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { TLSSocket } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import { SocketWriter } from "./socket-writer.ts";

/** More than the kernel takes at once. */
const MANY = Buffer.alloc(32_000_000, "0123456789");

/** Both ends of a connection, the first of them a server's; neither reads until it is asked to. */
const openPair = async (): Promise<{ near: Socket; far: Socket }> => {
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const far = connect((server.address() as { port: number }).port, "127.0.0.1"); // it listens on a port
  far.on("error", () => undefined);
  const [near] = (await once(server, "connection")) as [Socket]; // the event's argument
  onTestFinished(() => {
    near.destroy();
    far.destroy();
    server.close();
  });
  return { near, far };
};

const readAll = async (socket: Socket): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** What the stream's own bookkeeping does not know: bytes written past it. */
const isPastStream = (socket: Socket, write: () => void): boolean => {
  let isCalled = false;
  const { write: own } = socket;
  socket.write = (...parts: unknown[]) => {
    isCalled = true;
    return Reflect.apply(own, socket, parts);
  };
  write();
  socket.write = own;
  return !isCalled;
};

describe("a write", () => {
  test("goes past the stream on this Node, over TCP only, and not when there is a timeout to put off", async () => {
    const { near, far } = await openPair();
    const isDirect = (socket: Socket): boolean => {
      const writer = new SocketWriter(socket);
      return isPastStream(socket, () => writer.write(Buffer.from("x")));
    };
    expect([isDirect(near), isDirect(far)]).toEqual([true, true]);
    near.setTimeout(60_000);
    expect(isDirect(near)).toBe(false);
    const encrypted = new TLSSocket(far);
    encrypted.on("error", () => undefined);
    expect(isDirect(encrypted)).toBe(false);
  });

  test("arrives before what is written to the stream after it, and after what was written before", async () => {
    const { near, far } = await openPair();
    const writer = new SocketWriter(near);
    let expected = "";
    for (let at = 0; at < 2_000; at += 1) {
      const text = `${at};`;
      expected += text;
      if (at % 3 === 0) near.write(text);
      else writer.write(Buffer.from(text));
      expect([writer.isIdle(), writer.backlog]).toEqual([true, 0]);
    }
    expect(near.bytesWritten).toBe(expected.length);
    near.end();
    expect(String(await readAll(far))).toBe(expected);
  });

  test("that the kernel takes in part is queued until the peer reads, and keeps its place", async () => {
    const { near, far } = await openPair();
    const writer = new SocketWriter(near);
    writer.write(MANY);
    expect([writer.isIdle(), writer.backlog, near.writableLength]).toEqual([false, MANY.length, 0]);
    writer.write(Buffer.from("then the stream"));
    expect(near.writableLength).toBeGreaterThan(0);
    const written = MANY.length + "then the stream".length;
    expect([near.bytesWritten, writer.backlog]).toEqual([written, written]);
    await pause(50);
    expect([writer.isIdle(), writer.backlog]).toEqual([false, written]);
    const reading = readAll(far);
    await expect.poll(() => [writer.isIdle(), writer.backlog]).toEqual([true, 0]);
    expect(isPastStream(near, () => writer.write(Buffer.from(", then directly")))).toBe(true);
    near.end();
    const all = await reading;
    expect(all.subarray(0, MANY.length).equals(MANY)).toBe(true);
    expect(all.subarray(MANY.length).toString()).toBe("then the stream, then directly");
  });

  test("waits for what others have written to the stream, when it was told", async () => {
    const { near, far } = await openPair();
    const writer = new SocketWriter(near);
    expect(writer.isIdle()).toBe(true);
    near.write(MANY);
    expect(writer.isIdle()).toBe(true);
    writer.noteStream();
    expect(writer.isIdle()).toBe(false);
    writer.write(Buffer.from("after it"));
    const reading = readAll(far);
    await expect.poll(() => writer.isIdle()).toBe(true);
    near.end();
    expect((await reading).subarray(MANY.length).toString()).toBe("after it");
  });

  test("is never inside what others write to the stream, when it was not told", async () => {
    const { near, far } = await openPair();
    const writer = new SocketWriter(near);
    expect(writer.isIdle()).toBe(true);
    near.write(MANY);
    near.write("second");
    writer.write(Buffer.from("[ours]"));
    expect(writer.isIdle()).toBe(false);
    const reading = readAll(far);
    await expect.poll(() => writer.isIdle() && near.writableLength === 0).toBe(true);
    near.end();
    const all = await reading;
    expect(all.subarray(0, MANY.length).equals(MANY)).toBe(true);
    expect(all.subarray(MANY.length).toString()).toBe("[ours]second");
  });

  test("arrives in small parts that the kernel takes one after the other, without a byte lost", async () => {
    const { near, far } = await openPair();
    const writer = new SocketWriter(near);
    let waits = 0;
    const sent: Buffer[] = [];
    const reading = readAll(far);
    for (let at = 0; at < 300; at += 1) {
      const bytes = Buffer.alloc(100_000, `${at},`);
      sent.push(bytes);
      writer.write(bytes);
      waits += writer.isIdle() ? 0 : 1;
      if (at % 50 === 49) await expect.poll(() => writer.isIdle()).toBe(true);
    }
    expect(waits).toBeGreaterThan(0);
    near.end();
    expect((await reading).equals(Buffer.concat(sent))).toBe(true);
  });

  test("that is queued is delivered when the stream is ended meanwhile", async () => {
    const { near, far } = await openPair();
    const writer = new SocketWriter(near);
    writer.write(MANY);
    near.end("the end");
    const all = await readAll(far);
    expect([all.length, all.subarray(MANY.length).toString()]).toEqual([MANY.length + 7, "the end"]);
    expect(writer.backlog).toBe(0);
  });

  test("after the connection has ended is dropped without an error, and what was written before arrives", async () => {
    const { near, far } = await openPair();
    const errors: Error[] = [];
    near.on("error", (error) => errors.push(error));
    const writer = new SocketWriter(near);
    writer.write(Buffer.from("before"));
    near.end();
    near.resume();
    const all = await readAll(far);
    await expect.poll(() => near.destroyed).toBe(true);
    writer.write(Buffer.from("after"));
    await pause(20);
    expect([String(all), errors]).toEqual(["before", []]);
  });

  test("that is queued when the connection is destroyed is dropped without an error, and so is a later one", async () => {
    const { near } = await openPair();
    const writer = new SocketWriter(near);
    const errors: Error[] = [];
    near.on("error", (error) => errors.push(error));
    writer.write(MANY);
    near.destroy();
    await once(near, "close");
    await expect.poll(() => writer.isIdle()).toBe(true);
    writer.write(Buffer.from("x"));
    await pause(20);
    writer.write(Buffer.from("x"));
    await pause(20);
    expect(errors).toEqual([]);
  });
});

describe("a client that left", () => {
  /** The error a connection ends with when the client leaves before, or after, the write. */
  const errorOf = async (write: (socket: Socket) => unknown, isBefore: boolean): Promise<object> => {
    const { near, far } = await openPair();
    const failed = once(near, "error");
    if (!isBefore) write(near);
    await pause(20);
    far.resetAndDestroy();
    await once(far, "close");
    await pause(20);
    if (isBefore) write(near);
    const [error] = (await failed) as [NodeJS.ErrnoException]; // the event's argument
    expect(near.destroyed).toBe(true);
    const { name, message, code, errno, syscall } = error;
    return { name, message, code, errno, syscall };
  };

  test.each([
    ["before the write", Buffer.from("x"), true],
    ["with bytes queued", MANY, false],
  ])("%s, ends the connection with the error that Node reports", async (_, bytes, isBefore) => {
    const direct = await errorOf((socket) => new SocketWriter(socket).write(bytes), isBefore);
    expect(direct).toMatchObject({ syscall: "write", code: "ECONNRESET" });
    expect(direct).toEqual(await errorOf((socket) => socket.write(bytes), isBefore));
  });
});

describe("a Node without the binding", () => {
  /** Loaded once more: the binding is looked for when the file is. */
  const loadedWith = async (binding: unknown, name: string): Promise<typeof import("./socket-writer.ts")> => {
    const own = process as { binding?: unknown }; // its types omit it
    const before = own.binding;
    own.binding = binding;
    try {
      return await import(/* @vite-ignore */ `./socket-writer.ts?${name}`);
    } finally {
      own.binding = before;
    }
  };
  const refuses = (): never => {
    throw new Error("not permitted");
  };

  test.each([
    ["missing", undefined],
    ["refused", refuses],
    ["empty", () => ({})],
    ["other", () => ({ WriteWrap: class {}, streamBaseState: [0, 0], kLastWriteWasAsync: 3 })],
    ["short", () => ({ WriteWrap: class {}, streamBaseState: new Int32Array(2), kLastWriteWasAsync: 3 })],
  ])("leaves everything to the stream: %s", async (name, binding) => {
    const { near } = await openPair();
    const { SocketWriter: Loaded } = await loadedWith(binding, name);
    const writer = new Loaded(near);
    expect(isPastStream(near, () => writer.write(Buffer.from("x")))).toBe(false);
    expect([near.bytesWritten, writer.isIdle()]).toEqual([1, true]);
  });
});
