/** Many requests at once, and bytes that are not HTTP behind them: answers in order, each whole, and no other. */
import type { RequestListener, ServerResponse } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { connectRaw, statusesIn, turnUntil } from "../testing/raw-connection.ts";
import { type FrontHandlers, listenOn } from "./listen.ts";
import { closeUnread, noteStream } from "./pipeline.ts";

const NOTHING: FrontHandlers = { request: () => false, upgrade: () => false };

const start = async (application: RequestListener, front?: FrontHandlers): Promise<number> => {
  const place = { host: "127.0.0.1", port: 0, maxPipelined: 32, front };
  const { port, close } = await listenOn((create, settings) => create(settings, application), place);
  onTestFinished(() => close(0));
  return port;
};

const get = (path: string, ...headers: string[]): string => [`GET ${path} HTTP/1.1`, "Host: a", ...headers, "", ""].join("\r\n");
const answersIn = (received: string): string[] => [...received.matchAll(/<(\/[\w-]*)>/g)].map(([, path = ""]) => path);
const GARBAGE = "\u0016\u0003 not HTTP\r\n\r\n";

describe.each([
  ["alone", undefined],
  ["with streams beside it", NOTHING],
])("a server %s", (_, front) => {
  test("answers as many requests as may be pipelined, drops the others of the same read, and closes", async () => {
    const seen: string[] = [];
    const port = await start(({ url = "" }, response) => {
      seen.push(url);
      response.end(`<${url}>`);
    }, front);
    const connection = await connectRaw(port, onTestFinished);
    connection.send(Array.from({ length: 2_000 }, (__, index) => get(`/${index}`)).join(""));
    const expected = Array.from({ length: 32 }, (__, index) => `/${index}`);
    expect(answersIn(await connection.ended())).toEqual(expected);
    expect(seen).toEqual(expected);
  });

  test("does not limit the requests of a connection whose client reads their answers", async () => {
    const port = await start(({ url = "" }, response) => void response.end(`<${url}>`), front);
    const connection = await connectRaw(port, onTestFinished);
    for (let round = 1; round <= 4; round += 1) {
      connection.send(get("/").repeat(30));
      expect(answersIn(await connection.until((received) => answersIn(received).length === 30 * round))).toHaveLength(30 * round);
    }
    expect(connection.socket.closed).toBe(false);
  });

  test("delivers an answer that waits for its reader before one request too many", async () => {
    const large = "x".repeat(16 * 1024 * 1024);
    const part = large.slice(0, 1024 * 1024);
    const port = await start(({ url = "" }, response) => {
      if (url !== "/large") return void response.end(`<${url}>`);
      const more = (left: number): void => {
        if (left === 0) response.end("</large>");
        else if (response.write(part)) setImmediate(more, left - 1);
        else response.once("drain", () => more(left - 1));
      };
      more(16);
    }, front);
    const connection = await connectRaw(port, onTestFinished);
    connection.send(get("/large") + get("/next").repeat(40));
    const received = await connection.ended();
    expect(received.length).toBeGreaterThan(large.length);
    expect(answersIn(received)).toEqual(["/large", ...Array.from({ length: 31 }, () => "/next")]);
  });
});

describe("bytes that are not HTTP", () => {
  test("behind unanswered requests close the connection after the answers, in order and without another", async () => {
    const waiting: ServerResponse[] = [];
    const port = await start((_incoming, response) => void waiting.push(response));
    const connection = await connectRaw(port, onTestFinished);
    connection.send(get("/1") + get("/2") + GARBAGE);
    await turnUntil(() => waiting.length === 2);
    waiting[1]?.end("</2>");
    waiting[0]?.end("</1>");
    const received = await connection.ended();
    expect(answersIn(received)).toEqual(["/1", "/2"]);
    expect(statusesIn(received)).toEqual([200, 200]);
  });

  test("behind a request answered at once lose its answer neither", async () => {
    const port = await start(({ url = "" }, response) => void response.end(`<${url}>`));
    const connection = await connectRaw(port, onTestFinished);
    connection.send(get("/1") + get("/2") + GARBAGE.repeat(20_000));
    const received = await connection.ended();
    expect(statusesIn(received)).toEqual([200, 200]);
    expect(answersIn(received)).toEqual(["/1", "/2"]);
  });

  test("behind a stream close it at once", async () => {
    const port = await start((incoming, response) => {
      noteStream(incoming.socket);
      response.write("<stream>");
    });
    const connection = await connectRaw(port, onTestFinished);
    connection.send(get("/"));
    await connection.until((received) => received.includes("<stream>"));
    connection.send(GARBAGE);
    const received = await connection.ended();
    expect(statusesIn(received)).toEqual([200]);
    expect(received).toMatch(/<stream>\r\n$/);
  });

  test("as a body of an unknown coding follow its refusal alone", async () => {
    const port = await start((_incoming, response) => void response.end("</>"));
    const connection = await connectRaw(port, onTestFinished);
    connection.send(`${get("/", "Transfer-Encoding: xchunked")}hello`);
    expect(statusesIn(await connection.ended())).toEqual([501]);
  });

  test("in the body that a request waits for are answered 400 in its place", async () => {
    const port = await start((incoming, response) => void incoming.resume().on("end", () => response.end()));
    const connection = await connectRaw(port, onTestFinished);
    connection.send(`POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n`);
    const received = await connection.ended();
    expect(statusesIn(received)).toEqual([400]);
    expect(received).toMatch(/\{"error":"bad_request","message":"[^"]+","request_id":"[^"]+"\}$/);
  });

  test("in the body of a request behind another leave the first its answer, and the second none", async () => {
    const waiting: ServerResponse[] = [];
    const port = await start((_incoming, response) => void waiting.push(response));
    const connection = await connectRaw(port, onTestFinished);
    connection.send(`${get("/1")}POST /2 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n`);
    await turnUntil(() => waiting.length === 2);
    waiting[0]?.end("</1>");
    const received = await connection.ended();
    expect(statusesIn(received)).toEqual([200]);
    expect(answersIn(received)).toEqual(["/1"]);
  });
});

describe("a body that is left unread", () => {
  const KIB = 1024;
  const chunk = (bytes: number): string => `${bytes.toString(16)}\r\n${"x".repeat(bytes)}\r\n`;
  const post = `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${chunk(1)}`;
  const refuseUnread: RequestListener = (_incoming, response) => {
    closeUnread(response);
    response.writeHead(413, { Connection: "close" }).end("too large");
  };

  test("costs a sender that writes before it reads no answer", async () => {
    let hasAnswered = false;
    const port = await start((incoming, response) => {
      refuseUnread(incoming, response);
      response.once("finish", () => {
        hasAnswered = true;
      });
    });
    const connection = await connectRaw(port, onTestFinished);
    connection.socket.pause();
    connection.send(post);
    await turnUntil(() => hasAnswered);
    for (let sent = 0; sent < 8; sent += 1) {
      await new Promise((written) => connection.socket.write(chunk(16 * KIB), written));
    }
    connection.socket.resume();
    expect(statusesIn(await connection.ended())).toEqual([413]);
  });

  test("is dropped up to a bound, behind which the sender waits", async () => {
    const port = await start(refuseUnread);
    const piece = chunk(KIB * KIB);
    const { socket, send, until } = await connectRaw(port, onTestFinished);
    // Half open: it writes on after the answer has ended.
    socket.allowHalfOpen = true;
    send(post);
    expect(statusesIn(await until((received) => received.includes("too large")))).toEqual([413]);
    let sent = 0;
    const write = (): void => {
      sent += 1;
      socket.write(piece, (error) => error || sent === 1_024 || write());
    };
    write();
    await new Promise((closed) => socket.once("close", closed));
    // What neither side has read is in the kernel's buffers.
    expect(sent).toBeLessThan(64);
  });
});
