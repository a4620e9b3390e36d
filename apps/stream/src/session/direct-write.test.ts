/** Against what Node's own `socket.write` does, on real connections. */
import { once } from "node:events";
import { connect, createServer, Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { TLSSocket } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import { isDirect, writeDirect } from "./direct-write.ts";

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

describe("a direct write", () => {
  test("is possible on this Node, over TCP only", async () => {
    const { near, far } = await openPair();
    expect([isDirect(near), isDirect(far)]).toEqual([true, true]);
    expect(isDirect(new Socket())).toBe(false);
    expect(isDirect(new TLSSocket(far))).toBe(false);
    near.destroy();
    expect(isDirect(near)).toBe(false);
  });

  test("arrives before what is written to the stream after it, and after what was written before", async () => {
    const { near, far } = await openPair();
    const queue = { queued: 0 };
    let expected = "";
    for (let at = 0; at < 2_000; at += 1) {
      const text = `${at};`;
      expected += text;
      if (at % 3 === 0) near.write(text);
      else expect(writeDirect(near, Buffer.from(text), queue)).toBe(true);
      expect([queue.queued, near.writableLength]).toEqual([0, 0]);
    }
    expect(near.bytesWritten).toBe(expected.length);
    near.end();
    expect(String(await readAll(far))).toBe(expected);
  });

  test("that the kernel takes in part is queued until the peer reads, and keeps its place", async () => {
    const { near, far } = await openPair();
    const queue = { queued: 0 };
    expect(writeDirect(near, MANY, queue)).toBe(true);
    expect(queue.queued).toBe(MANY.length);
    near.write("then the stream");
    expect(near.writableLength).toBeGreaterThan(0);
    const written = MANY.length + "then the stream".length;
    expect(near.bytesWritten).toBe(written);
    await pause(50);
    expect(queue.queued).toBe(MANY.length);
    const reading = readAll(far);
    await expect.poll(() => [queue.queued, near.writableLength]).toEqual([0, 0]);
    expect(writeDirect(near, Buffer.from(", then directly"), queue)).toBe(true);
    near.end();
    const all = await reading;
    expect(all.subarray(0, MANY.length).equals(MANY)).toBe(true);
    expect(all.subarray(MANY.length).toString()).toBe("then the stream, then directly");
  });

  test("arrives in small parts that the kernel takes one after the other, without a byte lost", async () => {
    const { near, far } = await openPair();
    const queue = { queued: 0 };
    let waits = 0;
    const sent: Buffer[] = [];
    const reading = readAll(far);
    for (let at = 0; at < 300; at += 1) {
      const bytes = Buffer.alloc(100_000, `${at},`);
      sent.push(bytes);
      if (queue.queued === 0 && near.writableLength === 0) writeDirect(near, bytes, queue);
      else near.write(bytes);
      waits += queue.queued > 0 ? 1 : 0;
      if (at % 50 === 49) await expect.poll(() => queue.queued + near.writableLength).toBe(0);
    }
    expect(waits).toBeGreaterThan(0);
    near.end();
    expect((await reading).equals(Buffer.concat(sent))).toBe(true);
  });

  test("that is queued is delivered when the stream is ended meanwhile", async () => {
    const { near, far } = await openPair();
    const queue = { queued: 0 };
    writeDirect(near, MANY, queue);
    near.end("the end");
    const all = await readAll(far);
    expect([all.length, all.subarray(MANY.length).toString()]).toEqual([MANY.length + 7, "the end"]);
    expect(queue.queued).toBe(0);
  });

  test("that is queued when the connection is destroyed is dropped without an error", async () => {
    const { near } = await openPair();
    const queue = { queued: 0 };
    const errors: Error[] = [];
    near.on("error", (error) => errors.push(error));
    writeDirect(near, MANY, queue);
    near.destroy();
    await once(near, "close");
    await expect.poll(() => queue.queued).toBe(0);
    expect(errors).toEqual([]);
  });

  test("is left to the stream when the connection is ended, destroyed or has a timeout", async () => {
    const queue = { queued: 0 };
    const refuses = async (prepare: (socket: Socket) => void): Promise<void> => {
      const { near } = await openPair();
      prepare(near);
      expect(writeDirect(near, Buffer.from("x"), queue)).toBe(false);
      expect([near.bytesWritten, queue.queued]).toEqual([0, 0]);
    };
    await refuses((socket) => socket.end());
    await refuses((socket) => socket.destroy());
    await refuses((socket) => socket.setTimeout(60_000));
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
    const direct = await errorOf((socket) => writeDirect(socket, bytes, { queued: 0 }), isBefore);
    expect(direct).toMatchObject({ syscall: "write", code: "ECONNRESET" });
    expect(direct).toEqual(await errorOf((socket) => socket.write(bytes), isBefore));
  });
});

describe("a Node without the binding", () => {
  /** Loaded once more: the binding is looked for when the file is. */
  const loadedWith = async (binding: unknown, name: string): Promise<typeof import("./direct-write.ts")> => {
    const own = process as { binding?: unknown }; // its types omit it
    const before = own.binding;
    own.binding = binding;
    try {
      return await import(/* @vite-ignore */ `./direct-write.ts?${name}`);
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
    const loaded = await loadedWith(binding, name);
    expect(loaded.isDirect(near)).toBe(false);
    expect(loaded.writeDirect(near, Buffer.from("x"), { queued: 0 })).toBe(false);
    expect(near.bytesWritten).toBe(0);
  });
});
