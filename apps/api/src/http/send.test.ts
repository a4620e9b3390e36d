/** Answers as bytes on a connection. */
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setImmediate } from "node:timers/promises";
import { bodyBytes, type EncodedBody, EncodedList } from "@assay/contract";
import type { Outcome } from "@assay/services";
import { getRequestListener } from "@hono/node-server";
import { describe, expect, onTestFinished, test } from "vitest";
import { toResponse } from "./send.ts";

/** Sends requests on one connection, all at once, and reads until there is nothing left to come. */
const received = async (answer: () => Outcome | Promise<Outcome>, requests: string, isSlow = false): Promise<string> => {
  const server = createServer(
    { keepAliveTimeout: 65_000 },
    getRequestListener(() => {
      const outcome = answer();
      return outcome instanceof Promise ? outcome.then(toResponse) : toResponse(outcome);
    }),
  );
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1").setEncoding("latin1"); // it listens on a port
  let text = "";
  socket.on("data", (chunk: string) => {
    text += chunk;
    if (!isSlow) return;
    socket.pause();
    void setImmediate().then(() => socket.resume());
  });
  // The last request asks to close the connection.
  socket.write(`${requests}GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  await once(socket, "close");
  return text;
};

const GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
const HEADERS = { "Content-Type": "application/json", "X-Request-Id": "a-b.c_d", ETag: '"1"', Link: "</v1?a=%C3%A9>; rel=next" };

const BODIES: readonly [string, EncodedBody][] = [
  ["ASCII text", '{"price":"4065.10"}'],
  ["text beyond ASCII", "preço €10 — 金"],
  ["text of Latin-1, which is sent as UTF-8", "£ü"],
  ["empty text", ""],
  ["bytes", new Uint8Array([0, 255, 13, 10, 128])],
  ["no bytes", new Uint8Array()],
  ["a megabyte of text", "x".repeat(1_048_576)],
  ["a megabyte of bytes", new Uint8Array(1_048_576).fill(7)],
  ["a list", new EncodedList("[", [Buffer.from('{"a":1},'), Buffer.from('{"a":2}')], ',"é"]')],
  ["an empty list", new EncodedList("[", [new Uint8Array()], "]")],
  ["a megabyte of a list", new EncodedList("[", [new Uint8Array(500_000).fill(7), new Uint8Array(548_576).fill(8)], "]")],
];

describe("an answer arrives", () => {
  test.each(BODIES)("with its length and body: %s", async (_, body) => {
    for (const status of [200, 404, 429, 503]) {
      const text = await received(() => ({ status, headers: { ...HEADERS }, body }), GET);
      const [head = "", ...rest] = (text.split(/(?=HTTP\/1\.1 )/)[0] ?? "").split("\r\n\r\n");
      const bytes = Buffer.from(bodyBytes(body));
      expect(head).toContain(`HTTP/1.1 ${status} `);
      for (const [name, value] of Object.entries(HEADERS)) expect(head).toContain(`\r\n${name}: ${value}`);
      expect(head.match(/\r\nContent-Length: (\d+)/)?.[1]).toBe(String(bytes.length));
      expect(Buffer.from(rest.join("\r\n\r\n"), "latin1").equals(bytes)).toBe(true);
    }
  });

  test("to a reader that takes its time, with the next answer behind it", async () => {
    const answer = { status: 200, headers: HEADERS, body: "y".repeat(5_000_000) };
    const text = await received(() => ({ ...answer, headers: { ...HEADERS } }), GET, true);
    const [, first = "", last = ""] = text.split("HTTP/1.1 ");
    expect([first, last].map((each) => each.length - each.indexOf("\r\n\r\n") - 4)).toEqual([5_000_000, 5_000_000]);
  });

  test("of a list, whose memory is given back once it is copied", async () => {
    const rows = new Uint8Array(5_000_000).fill(0x79);
    let done = 0;
    const onDone = (): void => {
      done += 1;
      rows.fill(0x7a);
    };
    const list = new EncodedList("[", [rows], "]", onDone);
    const text = await received(() => ({ status: 200, headers: { ...HEADERS }, body: done === 0 ? list : "" }), GET, true);
    expect(done).toBe(1);
    expect(text.split("[")[1]?.indexOf("]")).toBe(5_000_000);
    expect(text).not.toContain("z");
  });

  test("to requests sent at once, answered in the order they came in, whichever was ready first", async () => {
    let ask = 0;
    const text = await received(() => {
      ask += 1;
      const outcome = { status: 200, headers: { ...HEADERS }, body: `answer ${ask}` };
      return ask === 1 ? setImmediate(outcome) : outcome;
    }, GET.repeat(4));
    expect([...text.matchAll(/answer \d/g)].map(String)).toEqual([1, 2, 3, 4, 5].map((each) => `answer ${each}`));
  });
});
