/** Before a session: malformed handshakes, other upgrades, and the other paths of the process. */
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import { machineRandom } from "@assay/ports";
import { connectRaw, statusesIn } from "@assay/process/testing";
import { generateKey } from "@assay/services";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { startTestStreams, type TestStreams } from "../testing/start-test-streams.ts";

let app: TestStreams;
beforeAll(async () => {
  app = await startTestStreams();
});
afterAll(() => app.close());

/** Sends a raw head and reads until the peer closes, or until enough was received. */
const exchange = async (lines: readonly string[], body = "", enough?: RegExp): Promise<string> => {
  const socket = connect(app.port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(`${lines.join("\r\n")}\r\nHost: assay\r\n\r\n${body}`);
  let text = "";
  return new Promise((resolve, reject) => {
    const finish = () => {
      socket.destroy();
      resolve(text);
    };
    socket.on("data", (data) => {
      text += data.toString();
      if (enough?.test(text)) finish();
    });
    socket.on("end", finish);
    socket.on("error", reject);
  });
};
const upgrade = (path: string, ...headers: string[]) =>
  exchange([`GET ${path} HTTP/1.1`, "Connection: Upgrade", "Upgrade: websocket", ...headers], "", /"request_id":"[^"]+"\}/);
const KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";

describe("a handshake", () => {
  test("without a key is answered as plain HTTP in the common error format", async () => {
    const answer = await upgrade("/v1/stream", "Sec-WebSocket-Version: 13", "X-Request-Id: h-1");
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain("X-Request-Id: h-1");
    expect(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")))).toMatchObject({ error: "bad_request", request_id: "h-1" });
  });

  test.each(["Sec-WebSocket-Version: 7", "Sec-WebSocket-Version: 8", "X-None: 1"])(
    "with %s is answered with the supported version",
    async (version) => {
      const answer = await upgrade("/v1/stream", KEY, version);
      expect(answer).toMatch(/^HTTP\/1\.1 426 /);
      expect(answer).toContain("Sec-WebSocket-Version: 13");
      expect(answer).toMatch(/^Upgrade: websocket\r$/m);
      expect(answer).toMatch(/^Connection: Upgrade, close\r$/m);
    },
  );

  test("that is not a handshake is answered with the required upgrade", async () => {
    const answer = await exchange(["GET /v1/stream HTTP/1.1"]);
    expect(answer).toMatch(/^HTTP\/1\.1 426 /);
    expect(answer).toMatch(/^Upgrade: websocket\r$/m);
    expect(answer).toMatch(/^Connection: Upgrade, close\r$/m);
  });

  test("on another path is answered as a plain request for it", async () => {
    const answer = await upgrade("/v1/elsewhere", KEY, "Sec-WebSocket-Version: 13");
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).toContain('"error":"not_found"');
  });

  test("from any origin is accepted, and no CORS header is sent", async () => {
    const socket = new WebSocket(`${app.url.replace("http", "ws")}/v1/stream`, { origin: "https://elsewhere.example" });
    const [response] = await once(socket, "upgrade");
    expect(Object.keys(response.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    socket.terminate();
  });

  test("agrees on no compression, even if the client offers it", async () => {
    const socket = new WebSocket(`${app.url.replace("http", "ws")}/v1/stream`, { perMessageDeflate: true });
    await once(socket, "open");
    expect(socket.extensions).toBe("");
    socket.terminate();
  });

  test("echoes its request id, and accepts no subprotocol that is offered", async () => {
    const socket = new WebSocket(`${app.url.replace("http", "ws")}/v1/stream`, ["foo"], {
      headers: { "X-Request-Id": "mine-1" },
    });
    const failed = once(socket, "error");
    const [response]: [IncomingMessage] = (await once(socket, "upgrade")) as [IncomingMessage]; // as documented by `ws`
    expect(response.headers["x-request-id"]).toBe("mine-1");
    expect(response.headers["sec-websocket-protocol"]).toBeUndefined();
    await failed; // a client that requires a subprotocol closes
  });

  test.each(["", "websocket"])("is done by GET alone (Upgrade: %s)", async (upgrade) => {
    const lines = ["POST /v1/stream HTTP/1.1", `Connection: ${upgrade ? "Upgrade" : "close"}`, "Content-Length: 0"];
    const answer = await exchange([...lines, ...(upgrade ? [`Upgrade: ${upgrade}`, "Sec-WebSocket-Version: 13"] : [])]);
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
    expect(answer).toMatch(/^Allow: GET\r$/m);
    expect(answer).toContain('"error":"method_not_allowed"');
  });

  const HANDSHAKE = ["Connection: Upgrade", "Upgrade: websocket", KEY, "Sec-WebSocket-Version: 13"];

  test("with two hosts is refused as any request is", async () => {
    const answer = await exchange(["GET /v1/stream HTTP/1.1", ...HANDSHAKE, "X-Request-Id: two", "Host: other"]);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/"error":"bad_request",.*"request_id":"two"\}$/);
  });

  test.each([
    ["over HTTP/1.0", "HTTP/1.0", [], ""],
    ["with a body", "HTTP/1.1", ["Content-Length: 2"], "{}"],
    ["with a body in chunks", "HTTP/1.1", ["Transfer-Encoding: chunked"], "2\r\n{}\r\n0\r\n\r\n"],
  ])("%s opens no connection", async (_what, version, headers, body) => {
    const answer = await exchange([`GET /v1/stream ${version}`, ...HANDSHAKE, ...headers], body);
    expect(answer).toMatch(/^HTTP\/1\.1 426 /);
    expect(answer).toContain("GET over HTTP/1.1, without a body");
  });

  test.each(["", "?", "?_=17"])("accepts a query string without names, and those that bypass caches (%j)", async (query) => {
    const socket = new WebSocket(`${app.url.replace("http", "ws")}/v1/stream${query}`);
    await once(socket, "open");
    socket.terminate();
  });

  test("refuses parameters, which nothing reads, as a route of REST does", async () => {
    const answer = await exchange(["GET /v1/stream?foo=1&symbols=XAU-USD-SPOT&_=1 HTTP/1.1", ...HANDSHAKE, "X-Request-Id: asks"]);
    expect(answer).toMatch(/^HTTP\/1\.1 422 /);
    expect(answer).toMatch(/^Connection: close\r$/m);
    const way = "is not a parameter of /v1/stream: there are none; the key, channels and symbols are sent in frames";
    expect(JSON.parse(answer.slice(answer.indexOf("{")))).toMatchObject({
      error: "validation_error",
      request_id: "asks",
      issues: [
        { path: ["query", "foo"], code: "unrecognized_parameter", message: `foo ${way}` },
        { path: ["query", "symbols"], code: "unrecognized_parameter", message: `symbols ${way}` },
      ],
    });
  });
});

describe("an offer of another protocol", () => {
  test("is ignored, and the request is served as if it had not been made", async () => {
    const lines = [
      "GET /v1/health HTTP/1.1",
      "Connection: Upgrade, HTTP2-Settings",
      "Upgrade: h2c",
      "HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA",
    ];
    const answer = await exchange(lines, "", /"version"/);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('"service":"assay"');
  });

  test("leaves the connection usable for the next request, and honours its close", async () => {
    const both = "GET /v1/health HTTP/1.1\r\nHost: assay\r\nConnection: close\r\n\r\n";
    const answer = await exchange(["GET /asyncapi.json HTTP/1.1", "Connection: Upgrade", "Upgrade: h2c"], both);
    expect(answer.match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
    expect(answer).toContain('"asyncapi":"3.1.0"');
    const closed = await exchange(["GET /v1/health HTTP/1.1", "Connection: Upgrade, close", "Upgrade: h2c"]);
    expect(closed).toMatch(/Connection: close/i);
  });
});

describe("the process", () => {
  const ask = async (path: string, method = "GET") => {
    const response = await fetch(`${app.url}${path}`, { method });
    return { status: response.status, text: await response.text(), headers: response.headers };
  };

  test("answers health and its document", async () => {
    expect(await ask("/v1/health")).toMatchObject({ status: 200, text: '{"status":"ok","service":"assay","version":"0.1.0"}' });
    const { text, headers } = await ask("/asyncapi.json");
    expect(JSON.parse(text).servers.websocket.host).toBe(`127.0.0.1:${app.port}`);
    expect(headers.get("cache-control")).toBe("public, max-age=3600");
    expect(await ask("/v1/health", "HEAD")).toMatchObject({ status: 200, text: "" });
  });

  test("sends its document compressed, and not again to a client that has it", async () => {
    const asked = (headers: Record<string, string>, method = "GET") => fetch(`${app.url}/asyncapi.json`, { method, headers });
    const plain = await asked({ "Accept-Encoding": "identity" });
    const text = await plain.text();
    for (const encoding of ["br", "gzip"]) {
      const headers = { "Accept-Encoding": encoding };
      const packed = await asked(headers);
      expect([packed.headers.get("content-encoding"), packed.headers.get("vary")]).toEqual([encoding, "Accept-Encoding"]);
      expect(Number(packed.headers.get("content-length"))).toBeLessThan(text.length / 3);
      expect(await packed.text()).toBe(text);
      const etag = packed.headers.get("etag") ?? "";
      expect(etag).not.toBe(plain.headers.get("etag"));
      const head = await asked(headers, "HEAD");
      expect(head.headers.get("content-length")).toBe(packed.headers.get("content-length"));
      const again = await asked({ ...headers, "If-None-Match": `W/${etag}` });
      expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
    }
  });

  test.each(["/v1/prices", "/", "/v1/prices/stream/x", "/metrics"])("answers %s as not found", async (path) => {
    const { status, text } = await ask(path);
    expect([status, JSON.parse(text).error]).toEqual([404, "not_found"]);
  });

  test("refuses other methods on its paths", async () => {
    const { status, headers } = await ask("/v1/health", "DELETE");
    expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });
});

describe("garbage behind the request for a stream", () => {
  const request = async () => {
    const { key } = await app.key("pro");
    return `GET /v1/prices/stream?symbol=gold HTTP/1.1\r\nHost: assay\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  };

  test("ends the stream, and writes no second status line into it", async () => {
    const connection = await connectRaw(app.port, onTestFinished);
    connection.send(await request());
    await connection.until((received) => received.includes("retry: "));
    connection.send("garbage\r\n\r\n");
    const received = await connection.ended();
    expect(statusesIn(received)).toEqual([200]);
    expect(received).not.toContain("bad_request");
  });

  test("that arrives before the stream does leaves none open", async () => {
    const connection = await connectRaw(app.port, onTestFinished);
    connection.send(`${await request()}garbage\r\n\r\n`);
    expect(await connection.ended()).toBe("");
    expect(app.service.streams.open).toBe(0);
  });
});

test("two Authorization headers open no SSE stream, even if the first of them is good", async () => {
  const { key } = await app.key("pro");
  const answer = await exchange(
    ["GET /v1/prices/stream?symbol=gold HTTP/1.1", `Authorization: Bearer ${key}`, "Authorization: Bearer other"],
    "",
    /"request_id":"[^"]+"\}/,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  expect(answer).toContain('"error":"invalid_api_key"');
});

test("a body behind two thousand headers and an offer to upgrade is a body, never another request", async () => {
  const many = "a:\r\n".repeat(2_000).slice(0, -2);
  const smuggled = "GET /v1/health HTTP/1.1\r\nHost: assay\r\n\r\n";
  for (const offer of ["Upgrade: h2c", "Upgrade: websocket"]) {
    const lines = ["POST /v1/nothing HTTP/1.1", offer, "Connection: Upgrade, close", many, "X-Request-Id: late"];
    const answer = await exchange([...lines, `Content-Length: ${smuggled.length}`], smuggled);
    expect([...answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => status)).toEqual(["404"]);
    expect(answer.toLowerCase()).toContain("x-request-id: late\r\n");
  }
});

// A test above presents a bad key, which counts against the same limit of the address: these have a service of their own.
describe("guessed keys", () => {
  let app: TestStreams;
  beforeAll(async () => {
    app = await startTestStreams();
  });
  afterAll(() => app.close());

  test("reach the store twenty times a minute over SSE and WebSocket together, and lock no active key out", async () => {
    const used = await app.key("realtime_pro");
    await app.ws(used.key);
    const attempts = Array.from({ length: 30 }, async (_, turn) => {
      if (turn % 2) return (await app.sse("?symbol=XAU-USD-SPOT", generateKey(machineRandom))).status;
      const client = await app.ws();
      client.send({ action: "auth", api_key: generateKey(machineRandom) });
      return client.closed;
    });
    const outcomes = await Promise.all(attempts);
    const of = (...codes: number[]) => outcomes.filter((outcome) => codes.includes(outcome)).length;
    const others = outcomes.filter((outcome) => ![401, 4401, 429, 4503].includes(outcome));
    // Those that were not checked may retry.
    expect({ refused: of(401, 4401), unchecked: of(429, 4503), others }).toEqual({ refused: 20, unchecked: 10, others: [] });
    await app.ws(used.key);
  });

  test("leave twenty lines a minute in the log, and a count of the others", async () => {
    const lines = () => app.log.filter(({ message }) => message === "closed a stream");
    const before = lines().length;
    for (let turn = 0; turn < 30; turn += 1) {
      const client = await app.ws();
      client.send({ action: "subscribe", symbols: [] });
      expect(await client.closed).toBe(4401);
    }
    expect(lines().length - before).toBeLessThanOrEqual(20);
  });
});
