/** What is logged, and what never is. */
import type { LogLevel } from "@assay/config";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLogger, logText, redactLine } from "./logger.ts";

/** Of the first plane; the library's own unit lists all 1.1 million characters first, which takes seconds. */
const anyCharacter = fc.nat({ max: 0xd7_ff }).map((code) => String.fromCharCode(code));

const KEY = "assay_live_0123456789abcdefghijklmnopqrstuvwxyzAB";

const open = (level: LogLevel = "info") => {
  const lines: string[] = [];
  const logger = createLogger({ level, name: "api", stream: { write: (line) => lines.push(line) } });
  return { logger, lines };
};

describe("the log", () => {
  test("is one JSON object a line, with level, time, process and message", () => {
    const { logger, lines } = open();
    logger.info({ port: 8080 }, "ready\nto serve");
    expect(lines).toHaveLength(1);
    expect(lines[0]?.endsWith("}\n")).toBe(true);
    expect(JSON.parse(lines[0] ?? "")).toEqual({
      level: "info",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      name: "api",
      pid: process.pid,
      port: 8080,
      msg: "ready\nto serve",
    });
  });

  test("leaves out what is below its level", () => {
    const { logger, lines } = open("warn");
    logger.info("unheard");
    logger.warn("heard");
    expect(lines).toHaveLength(1);
    expect(open("silent").logger.isLevelEnabled("fatal")).toBe(false);
  });

  test.each([
    ["an Authorization header", { headers: { authorization: `Bearer ${KEY}` } }],
    ["an Authorization header of another kind", { req: { headers: { Authorization: "Basic aHVudGVyMjpodW50ZXIy" } } }],
    ["an X-API-Key header", { a: { b: { c: { "x-api-key": "hunter2" } } } }],
    ["repeated headers", { headers: { "x-api-key": ["hunter2", "hunter2"] } }],
    ["an api_key field", { frame: { action: "auth", api_key: "hunter2" } }],
    ["a plaintext field", { minted: [{ plaintext: 'hunter2"quoted' }] }],
    ["a password in a URL", { url: "redis://:hunter2@cache:6379" }],
    ["a password with odd characters", { url: 'postgres://u:hun@t:e/r"hunter2\\@db/assay' }],
    ["a secret in a query", { path: "/v1/spot?api_key=hunter2&symbol=XAU" }],
    [
      "a field in JSON that is quoted",
      { body: JSON.stringify({ api_key: 'hunter2"\\', list: [JSON.stringify({ plaintext: "x" })] }) },
    ],
    ["a key anywhere", { note: `tried ${KEY} twice` }],
    ["a password in an error", { err: new Error("connect to postgres://u:hunter2@db failed") }],
  ])("hides %s, and stays JSON", (_what, fields) => {
    const { logger, lines } = open();
    logger.error(fields, `it went wrong with redis://:hunter2@cache and ${KEY}`);
    const line = lines[0] ?? "";
    expect(() => JSON.parse(line)).not.toThrow();
    expect(line).not.toContain("hunter2");
    expect(line).not.toContain("aHVudGVyMjpodW50ZXIy");
    expect(line).not.toContain("6789abcdefgh");
  });

  test.each(["a://b:", '"authorization":"', '\\"api_key\\":\\"', "x_", "Bearer ", "?key=", "a.", "\\"])(
    "is not slowed down by a text made of %s",
    (part) => {
      const long = redactLine(`${part.repeat(10_000)}@`).length;
      expect(long).toBeGreaterThan(0);
    },
    2_000,
  );

  test("keeps what is not secret", () => {
    const { logger, lines } = open();
    const fields = {
      url: "https://db.example.com:5432/a?symbol=XAU",
      mail: "ops@example.com",
      key_prefix: "assay_live_01234",
      token: 7,
    };
    logger.info(fields, "at 10:30 mail ops@example.com");
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ ...fields, msg: "at 10:30 mail ops@example.com" });
  });

  test("stays one JSON object whatever is logged", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: anyCharacter }), (value, message) => {
        const { logger, lines } = open();
        const quoted = JSON.stringify({ api_key: message, authorization: [message, value] });
        logger.info({ value, authorization: value, url: `a://b:${message}@c`, quoted, plaintext: [message, message] }, message);
        expect(lines).toHaveLength(1);
        expect(() => JSON.parse(lines[0] ?? "")).not.toThrow();
      }),
    );
  });
});

const openText = () => {
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(line) };
  return { logger: createLogger({ level: "debug", name: "api", format: "text", stream }), lines };
};

/** Lines without their time. */
const shown = (lines: readonly string[]): string => lines.join("").replaceAll(/^\d\d:\d\d:\d\d {2}/gm, "");

describe("a line for people", () => {
  test("says what happened, then the fields, and marks what is not ordinary", () => {
    const { logger, lines } = openText();
    logger.info({ port: 8080, host: "127.0.0.1" }, "listening");
    logger.warn({ feed: "gold-api", why: "no answer", ages: [1, 2] }, "feed failed; retrying");
    logger.debug("looked");
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d {2}listening/);
    expect(shown(lines)).toBe(
      'listening  port=8080  host=127.0.0.1\nwarn  feed failed; retrying  feed=gold-api  why="no answer"  ages=[1,2]\ndebug  looked\n',
    );
  });

  test("has an error below it, and where it was thrown", () => {
    const { logger, lines } = openText();
    logger.error({ err: new RangeError("a close is above zero"), requestId: "7f3a" }, "a request failed");
    const [head, error, frame] = shown(lines).split("\n");
    expect(head).toBe("error  a request failed  requestId=7f3a");
    expect(error).toBe("          RangeError: a close is above zero");
    expect(frame).toMatch(/^ {10}at .*logger\.test\.ts/);
  });

  test("hides secrets as JSON lines do", () => {
    const { logger, lines } = openText();
    logger.warn({ headers: { authorization: `Bearer ${KEY}` }, url: "postgres://u:pass@db/x" }, `refused ${KEY}`);
    expect(shown(lines)).not.toContain(KEY);
    expect(shown(lines)).not.toContain("pass@");
  });

  test("cannot control the terminal or forge another line", () => {
    const { logger, lines } = openText();
    const hostile = "\u001b]0;owned\u0007\u001b[2J\r\n12:00:00  error  forged\u009b31m\u007f";
    logger.info({ name: "x", publisher: hostile }, hostile);
    logger.error({ err: new Error(hostile) }, "failed");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal must see none
    expect(lines.join("")).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    expect(lines[0]?.split("\n")).toHaveLength(2);
    expect(lines.join("")).not.toMatch(/^12:00:00/m);
  });

  test("is coloured only on request", () => {
    const line = JSON.stringify({ level: "error", time: "2026-11-20T14:03:27.000Z", msg: "failed" });
    expect(logText(line, false)).toBe("14:03:27  error  failed\n");
    expect(logText(line, true)).toContain("\u001b[31merror");
  });
});
