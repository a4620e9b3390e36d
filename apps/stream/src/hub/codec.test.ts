/** Hand-written encodings, checked with third-party parsers. */
import type { Writable } from "node:stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as library from "ws";
import { SSE, textFrame, WS } from "./codec.ts";

/** Of the first plane; the library's own unit lists all 1.1 million characters first, which takes seconds. */
const anyCharacter = fc.nat({ max: 0xd7_ff }).map((code) => String.fromCharCode(code));

// The library exports its parser, but without types.
const { Receiver } = library as unknown as { Receiver: new (options: object) => Writable };

/** How a WebSocket client parses bytes. */
const received = (bytes: Buffer): string[] => {
  const messages: string[] = [];
  const receiver = new Receiver({ isServer: false });
  receiver.on("message", (data: Buffer, isBinary: boolean) => messages.push(isBinary ? "binary" : data.toString("utf8")));
  receiver.write(bytes);
  return messages;
};

describe("a text frame", () => {
  test.each([0, 1, 125, 126, 127, 65_535, 65_536, 70_000])("of %i bytes is read as it was written", (length) => {
    const text = "x".repeat(length);
    expect(received(textFrame(text))).toEqual([text]);
  });

  test("of any text is read as it was written, alone or among others", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ unit: anyCharacter, maxLength: 200 }).filter((text) => Buffer.from(text).toString() === text),
          { maxLength: 5 },
        ),
        (texts) => {
          expect(received(Buffer.concat(texts.map(textFrame)))).toEqual(texts);
        },
      ),
    );
  });

  test("is what both kinds of message are on a WebSocket", () => {
    expect(received(Buffer.concat([WS.tick("{}", "a:1"), WS.event("gap", "[]")]))).toEqual(["{}", "[]"]);
  });
});

describe("server-sent events", () => {
  test("are ticks without a name and with an id, and others with a name and without one", () => {
    expect(SSE.tick('{"a":1}', "XAU:7").toString()).toBe('id: XAU:7\ndata: {"a":1}\n\n');
    expect(SSE.event("gap", "{}").toString()).toBe("event: gap\ndata: {}\n\n");
    expect(SSE.event("heartbeat", "{}").toString()).toBe(": heartbeat\n\nevent: heartbeat\ndata: {}\n\n");
  });
});
