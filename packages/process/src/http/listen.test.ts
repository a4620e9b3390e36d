/** The limits of every server: heads arrive completely or not at all, answers are sent in order. */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { connectRaw, statusesIn, turnUntil } from "../testing/raw-connection.ts";
import { clientAddress, keyOf } from "./client.ts";
import { type FrontHandlers, listenOn, type PortSetting } from "./listen.ts";

/** Has no handlers of its own: upgrade requests are served as if they had not asked. */
const NOTHING: FrontHandlers = { request: () => false, upgrade: () => false };

const addressOf = clientAddress(["127.0.0.1"]);

const echo: RequestListener = (incoming, response) => {
  let body = "";
  incoming.setEncoding("utf8").on("data", (text: string) => {
    body += text;
  });
  incoming.on("end", () => {
    const headers = incoming.rawHeaders.length / 2;
    response.end(`<${JSON.stringify({ url: incoming.url, headers, body, from: addressOf(incoming), key: keyOf(incoming) })}>`);
  });
};

const start = async (application: RequestListener, front?: FrontHandlers): Promise<number> => {
  const { port, close } = await listenOn((create, settings) => create(settings, application), {
    host: "127.0.0.1",
    port: 0,
    maxPipelined: 32,
    front,
  });
  onTestFinished(() => close(0));
  return port;
};

const seenIn = (received: string) =>
  [...received.matchAll(/<(\{.*?\})>/g)].map(
    ([, text = ""]) => JSON.parse(text) as { url: string; headers: number; body: string; from: string; key: string | null },
  );

const exchange = async (port: number, text: string) => {
  const connection = await connectRaw(port, onTestFinished);
  connection.send(text);
  const received = await connection.ended();
  return { statuses: statusesIn(received), seen: seenIn(received) };
};

/** Twice as many headers as Node accepts by default, in less than 8 KiB. */
const MANY = "a:\r\n".repeat(2_000);
const OFFER = "Connection: Upgrade, close\r\nUpgrade: h2c\r\n";

describe.each([
  ["alone", undefined],
  ["with streams beside it", NOTHING],
])("a server %s", (_, front) => {
  test("sees what is behind two thousand headers: the address, the key, the length", async () => {
    const port = await start(echo, front);
    const late = "X-Forwarded-For: 203.0.113.7\r\nX-API-Key: late\r\nContent-Length: 2\r\nConnection: close\r\n";
    const { seen } = await exchange(port, `POST /whole HTTP/1.1\r\nHost: a\r\n${MANY}${late}\r\n{}`);
    expect(seen).toEqual([{ url: "/whole", headers: 2_005, body: "{}", from: "203.0.113.7", key: { kind: "key", key: "late" } }]);
  });

  test("treats a body as a body, however many headers precede its length and whatever upgrade is offered", async () => {
    const port = await start(echo, front);
    const smuggled = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";
    const head = `POST /outer HTTP/1.1\r\nHost: a\r\n${MANY}${OFFER}Content-Length: ${smuggled.length}\r\n\r\n`;
    const { seen } = await exchange(port, head + smuggled);
    expect(seen.map(({ url, body }) => ({ url, body }))).toEqual([{ url: "/outer", body: smuggled }]);
  });

  test.each([
    ["no host", ""],
    ["two hosts", "Host: a\r\nhost: b\r\n"],
  ])("refuses %s under the request's id", async (_what, hosts) => {
    const connection = await connectRaw(await start(echo, front), onTestFinished);
    connection.send(`GET / HTTP/1.1\r\nX-Request-Id: mine\r\n${hosts}\r\n`);
    expect(await connection.ended()).toMatch(/^HTTP\/1.1 400 .*\r\nX-Request-Id: mine\r\n.*"request_id":"mine"\}$/s);
  });

  test("answers a request that expects something unknown as if it did not", async () => {
    const { statuses, seen } = await exchange(
      await start(echo, front),
      "GET /x HTTP/1.1\r\nHost: a\r\nExpect: more\r\nConnection: close\r\n\r\n",
    );
    expect(statuses).toEqual([200]);
    expect(seen.map(({ url }) => url)).toEqual(["/x"]);
  });

  test("refuses headers over 8 KiB, few or many", async () => {
    const port = await start(echo, front);
    for (const headers of ["a:\r\n".repeat(20_000), `X-Long: ${"x".repeat(9_000)}\r\n`]) {
      const { statuses, seen } = await exchange(port, `GET / HTTP/1.1\r\nHost: a\r\n${headers}\r\n`);
      expect(statuses).toEqual([431]);
      expect(seen).toEqual([]);
    }
  });

  test.each([
    ["two lengths that differ", "Content-Length: 2\r\nContent-Length: 3\r\n"],
    ["two lengths that agree", "Content-Length: 2\r\nContent-Length: 2\r\n"],
    ["a list of lengths", "Content-Length: 2, 2\r\n"],
    ["a signed length", "Content-Length: +2\r\n"],
    ["a length and chunks", "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n"],
    ["chunks that are not the last coding", "Transfer-Encoding: chunked, identity\r\n"],
    ["a folded coding", "Transfer-Encoding:\r\n chunked\r\n"],
    ["a folded header", "X-Folded: a\r\n b\r\n"],
    ["a blank before the colon", "Content-Length : 2\r\n"],
    ["a line feed alone", "X-Bad: a\nContent-Length: 2\r\n"],
    ["a null", "X-Bad: a\0b\r\n"],
  ])("refuses %s, and what came behind it, with and without an offer to upgrade", async (_what, framing) => {
    const port = await start(echo, front);
    for (const offer of ["", OFFER]) {
      const text = `POST /outer HTTP/1.1\r\nHost: a\r\n${offer}${framing}\r\n{}GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n`;
      const { statuses, seen } = await exchange(port, text);
      expect(statuses).toEqual([400]);
      expect(seen).toEqual([]);
    }
  });

  test.each(["xchunked", "gzip, chunked", "gzip\r\nTransfer-Encoding: chunked"])(
    "refuses a body of the coding %j with 501, and treats nothing after it as a request",
    async (coding) => {
      const port = await start(echo, front);
      for (const offer of ["", "Connection: close\r\n", OFFER]) {
        const head = `POST /outer HTTP/1.1\r\nHost: a\r\n${offer}Transfer-Encoding: ${coding}\r\n\r\n`;
        const { statuses, seen } = await exchange(port, `${head}2\r\n{}\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n`);
        expect(statuses).toEqual([501]);
        expect(seen).toEqual([]);
      }
    },
  );

  test("reads chunks, in whatever letters they are announced", async () => {
    const chunks = "Transfer-Encoding: Chunked\r\nConnection: close\r\n\r\n2\r\n{}\r\n0\r\n\r\n";
    const { seen } = await exchange(await start(echo, front), `POST / HTTP/1.1\r\nHost: a\r\n${chunks}`);
    expect(seen.map(({ body }) => body)).toEqual(["{}"]);
  });

  test("closes an HTTP/1.0 connection that sends chunks, which a proxy of that time reads otherwise", async () => {
    const port = await start(echo, front);
    const chunks = "Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n";
    const { seen } = await exchange(port, `POST /outer HTTP/1.0\r\n${chunks}GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect(seen.map(({ url }) => url)).toEqual(["/outer"]);
  });
});

test("no answer overtakes another: an upgrade behind an unanswered request ends the connection after its answer", async () => {
  const waiting: ServerResponse[] = [];
  const seen: (string | undefined)[] = [];
  const application = ({ url }: IncomingMessage, response: ServerResponse): void => {
    seen.push(url);
    if (url === "/slow") waiting.push(response);
    else response.end(`<${url}>`);
  };
  const port = await start(application, NOTHING);
  const connection = await connectRaw(port, onTestFinished);
  connection.send(`GET /slow HTTP/1.1\r\nHost: a\r\n\r\nGET /overtaking HTTP/1.1\r\nHost: a\r\n${OFFER}\r\n`);
  await turnUntil(() => waiting.length === 1);
  waiting[0]?.end("</slow>");
  expect(await connection.ended()).toMatch(/^HTTP\/1\.1 200 (?:(?!HTTP\/).)*<\/slow>/s);
  expect(seen).toEqual(["/slow"]);
});

test("an upgrade behind a request that was answered is served on the same connection", async () => {
  const port = await start(echo, NOTHING);
  const connection = await connectRaw(port, onTestFinished);
  connection.send("GET /first HTTP/1.1\r\nHost: a\r\n\r\n");
  await connection.until((received) => seenIn(received).length === 1);
  connection.send(`GET /second HTTP/1.1\r\nHost: a\r\n${OFFER}\r\n`);
  expect(seenIn(await connection.ended()).map(({ url }) => url)).toEqual(["/first", "/second"]);
});

describe("an address", () => {
  const listenAt = (host: string, port: number, setting: PortSetting) =>
    listenOn((create, options) => create(options), { host, port, maxPipelined: 1, setting });

  test.each(["PORT", "METRICS_PORT"] as const)("in use is reported with %s", async (setting) => {
    const port = await start(() => undefined);
    await expect(listenAt("127.0.0.1", port, setting)).rejects.toMatchObject({
      name: "AddressError",
      message: `${setting} and HOST name an address that is in use: listen EADDRINUSE: address already in use 127.0.0.1:${port}`,
    });
  });

  test("of another machine is reported with HOST", async () => {
    // An address reserved for documentation, which no machine has.
    await expect(listenAt("192.0.2.1", 0, "PORT")).rejects.toThrow(/^PORT and HOST name an address that cannot be listened on: /);
  });
});
