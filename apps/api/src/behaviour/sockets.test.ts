import { connect, type Socket } from "node:net";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Env } from "../http/send.ts";
import { listen } from "../server.ts";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";

let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await startTestApp();
  ({ key } = await app.key("realtime_pro"));
});
afterAll(() => app.close());

/** What was received on a connection, and whether the peer closed it. */
interface Exchange {
  readonly text: string;
  readonly closed: boolean;
  /** How many bytes the peer accepted. */
  readonly sent: number;
}

const KIB = 1024;

/**
 * Writes to a raw socket.
 * @param speak writes the request; it may continue as long as the peer reads
 */
const raw = (speak: (socket: Socket) => void, patienceMs = 10_000, port = app.port): Promise<Exchange> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, "127.0.0.1", () => speak(socket));
    const done = (closed: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text: Buffer.concat(chunks).toString("latin1"), closed, sent: socket.bytesWritten });
    };
    const timer = setTimeout(() => done(false), patienceMs);
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", () => {});
    socket.on("close", () => done(true));
  });

const head = (...lines: string[]): string => [...lines, "Host: localhost", "", ""].join("\r\n");
const postAs = (bearer: string, ...headers: string[]): string =>
  head("POST /v1/account/keys HTTP/1.1", `Authorization: Bearer ${bearer}`, ...headers);
const post = (...headers: string[]): string => postAs(key, ...headers);
const statusOf = ({ text }: Exchange): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);

/** Keeps writing chunks as long as the peer reads. */
const pour = (socket: Socket, chunk: string, most: number): void => {
  let left = most;
  const more = (): void => {
    while (left > 0 && !socket.destroyed) {
      left -= 1;
      if (!socket.write(chunk)) {
        socket.once("drain", more);
        return;
      }
    }
  };
  more();
};

test.each([
  ["a path with a backslash", "GET /v1/spot/XAU\\USD HTTP/1.1\r\nHost: localhost\r\n\r\n"],
  ["a host that is none", "GET /v1/health HTTP/1.1\r\nHost: a b<>\r\n\r\n"],
  ["no path at all", "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n"],
])("%s is refused in the same form as everything else", async (_, text) => {
  const answer = await raw((socket) => socket.write(text));
  expect(statusOf(answer)).toBe(400);
  const [head = "", body = ""] = answer.text.split("\r\n\r\n");
  const { request_id: id, ...refusal } = JSON.parse(body) as Record<string, string>;
  expect(refusal).toEqual({ error: "bad_request", message: "The path or the host of the request cannot be read." });
  expect(/^x-request-id: (\S+)\r$/im.exec(head)?.[1]).toBe(id);
  expect(head.toLowerCase()).toContain("cache-control: no-store");
});

describe("two Authorization headers", () => {
  test.each(["/v1/spot/gold", "/trpc/account.usage"])("are refused, even if one of them is good: %s", async (path) => {
    for (const [first, second] of [
      [key, "another"],
      ["another", key],
      [key, key],
    ]) {
      const authorizations = [`Authorization: Bearer ${first}`, `Authorization: Bearer ${second}`];
      const answer = await raw((socket) => socket.write(head(`GET ${path} HTTP/1.1`, "Connection: close", ...authorizations)));
      expect(statusOf(answer)).toBe(401);
      expect(answer.text).toContain('"error":"invalid_api_key"');
      expect(answer.text).toContain("More than one API key was supplied.");
    }
  });
});

describe("a body over 64 KiB", () => {
  test("is refused by its Content-Length before any of it is read", async () => {
    const answer = await raw((socket) =>
      socket.write(post(`Content-Length: ${512 * KIB + 1}`, "Content-Type: application/json")),
    );
    expect(statusOf(answer)).toBe(413);
    expect(answer.text).toContain('"error":"payload_too_large"');
    expect(answer.closed, "so that nothing more of it is taken").toBe(true);
  });

  test("up to 512 KiB is drained after the answer, so that the sender sees no reset connection", async () => {
    const answer = await raw((socket) => {
      socket.write(post(`Content-Length: ${512 * KIB}`, "Content-Type: application/json"));
      socket.once("data", () => socket.write("x".repeat(512 * KIB) + head("GET /v1/health HTTP/1.1", "Connection: close")));
    });
    const [first = "", second = ""] = answer.text.split(/(?=HTTP\/1\.1 200)/);
    expect(first).toContain("HTTP/1.1 413");
    expect(first).toContain('"error":"payload_too_large"');
    expect(second).toContain('"status":"ok"');
  });

  test("without a Content-Length is refused as soon as it is too large, and reading stops", async () => {
    const chunk = `${(KIB).toString(16)}\r\n${"x".repeat(KIB)}\r\n`;
    const answer = await raw((socket) => {
      socket.write(post("Transfer-Encoding: chunked", "Content-Type: application/json"));
      pour(socket, chunk, 100_000);
    });
    expect(statusOf(answer)).toBe(413);
    expect(answer.text).toContain('"error":"payload_too_large"');
    expect(answer.closed).toBe(true);
    expect(answer.sent, "a hundred megabytes were to come").toBeLessThan(20 * KIB * KIB);
  });

  test("is refused on every route and by tRPC", async () => {
    for (const line of ["GET /v1/prices", "DELETE /v1/account/keys/x", "POST /trpc/account.mintKey", "GET /v1/health"]) {
      const answer = await raw((socket) => socket.write(head(`${line} HTTP/1.1`, `Content-Length: ${10 * KIB * KIB}`)));
      expect(statusOf(answer), line).toBe(413);
      expect(answer.closed, line).toBe(true);
    }
  });

  test("is not read after any other refusal either", async () => {
    for (const line of ["POST /v1/nothing", "PUT /v1/prices", "GET /nothing"]) {
      const answer = await raw((socket) => {
        socket.write(head(`${line} HTTP/1.1`, `Content-Length: ${100 * KIB * KIB}`));
        pour(socket, "x".repeat(KIB), 100_000);
      });
      expect([404, 405], line).toContain(statusOf(answer));
      expect(answer.closed, line).toBe(true);
      expect(answer.sent, line).toBeLessThan(20 * KIB * KIB);
    }
  });

  test("without a Content-Length is not read where no body is expected", async () => {
    for (const line of ["GET /v1/prices", "GET /v1/health", "DELETE /v1/account/keys/x"]) {
      const answer = await raw((socket) => {
        socket.write(head(`${line} HTTP/1.1`, "Transfer-Encoding: chunked"));
        pour(socket, `${KIB.toString(16)}\r\n${"x".repeat(KIB)}\r\n`, 100_000);
      });
      expect(statusOf(answer), line).toBeGreaterThan(0);
      expect(answer.closed, line).toBe(true);
      expect(answer.sent, line).toBeLessThan(20 * KIB * KIB);
    }
  });

  test("by one byte is too large; one of exactly 64 KiB is read", async () => {
    const body = (bytes: number): string => `{"_filler":"${"x".repeat(bytes - 14)}"}`;
    for (const [bytes, status] of [
      [64 * KIB, 201],
      [64 * KIB + 1, 413],
    ] as const) {
      expect(Buffer.byteLength(body(bytes))).toBe(bytes);
      // A key mints once.
      const [one, two] = [await app.key("pro"), await app.key("pro")];
      const answered = await fetch(`${app.url}/v1/account/keys`, {
        method: "POST",
        headers: { Authorization: `Bearer ${one.key}` },
        body: body(bytes),
      });
      expect(answered.status).toBe(status);
      await answered.arrayBuffer();
      const chunked = await raw((socket) => {
        socket.write(postAs(two.key, "Transfer-Encoding: chunked", "Connection: close"));
        socket.write(`${bytes.toString(16)}\r\n${body(bytes)}\r\n0\r\n\r\n`);
      });
      expect(statusOf(chunked)).toBe(status);
    }
  });
});

describe("headers", () => {
  test("that come too slowly are cut off", async () => {
    const { server, port, close } = await listen(new Hono<Env>(), { host: "127.0.0.1", port: 0, maxPipelined: 32 });
    expect(server.headersTimeout, "in earnest").toBe(10_000);
    server.headersTimeout = 300;
    let drip: NodeJS.Timeout | undefined;
    const answer = await raw(
      (socket) => {
        socket.write("GET /v1/health HTTP/1.1\r\n");
        drip = setInterval(() => socket.write("X-Slow: 1\r\n"), 100);
      },
      8_000,
      port,
    );
    clearInterval(drip);
    await close(0);
    expect(answer.closed).toBe(true);
    expect([0, 408]).toContain(statusOf(answer));
  });
});

describe("a connection", () => {
  test("serves many requests, and is kept after refusals", async () => {
    const request = (path: string): string => head(`GET ${path} HTTP/1.1`);
    const answer = await raw((socket) => {
      socket.write(request("/v1/health") + request("/v1/nothing") + request("/v1/prices?symbol=garbage"));
      socket.write(head("GET /v1/health HTTP/1.1", "Connection: close"));
    });
    expect([...answer.text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => match[1])).toEqual(["200", "404", "400", "200"]);
  });

  test("aborted by the client in the middle of a body affects no one else", async () => {
    await raw((socket) => {
      socket.write(post("Content-Length: 100"));
      socket.write('{"name":', () => socket.destroy());
    });
    expect((await app.ask("/v1/health")).status).toBe(200);
    expect(app.log.filter(({ level }) => level === "error")).toEqual([]);
  });
});

describe("anything but HTTP", () => {
  test.each([
    ["an unknown method", () => head("FOO /v1/health HTTP/1.1"), 400],
    ["a junk line", () => "hello\r\n\r\n", 400],
    ["headers over 8 KiB", () => head("GET /v1/health HTTP/1.1", `X-Long: ${"a".repeat(9 * KIB)}`), 431],
  ])("is answered in the common error format: %s", async (_what, request, status) => {
    const answer = await raw((socket) => socket.write(request()));
    expect(statusOf(answer)).toBe(status);
    expect(answer.closed).toBe(true);
    const body = JSON.parse(answer.text.slice(answer.text.indexOf("\r\n\r\n") + 4));
    expect(body).toEqual({ error: "bad_request", message: expect.any(String), request_id: expect.any(String) });
    expect(answer.text).toContain(`X-Request-Id: ${body.request_id}\r\n`);
  });

  test("does not include a health check over HTTP/1.0 without a Host: it succeeds", async () => {
    const answer = await raw((socket) => socket.write("GET /v1/health HTTP/1.0\r\n\r\n"));
    expect(statusOf(answer)).toBe(200);
  });
});
