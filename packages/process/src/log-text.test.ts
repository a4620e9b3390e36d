import { describe, expect, test } from "vitest";
import { logText } from "./log-text.ts";
import { createLogger } from "./logger.ts";

const KEY = "assay_live_0123456789abcdefghijklmnopqrstuvwxyzAB";

const open = () => {
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(line) };
  return { logger: createLogger({ level: "debug", name: "api", format: "text", stream }), lines };
};

/** Lines without their time. */
const shown = (lines: readonly string[]): string => lines.join("").replaceAll(/^\d\d:\d\d:\d\d {2}/gm, "");

describe("a line for people", () => {
  test("says what happened, then the fields, and marks what is not ordinary", () => {
    const { logger, lines } = open();
    logger.info({ port: 8080, host: "127.0.0.1" }, "listening");
    logger.warn({ feed: "gold-api", why: "no answer", ages: [1, 2] }, "feed failed; retrying");
    logger.debug("looked");
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d {2}listening/);
    expect(shown(lines)).toBe(
      'listening  port=8080  host=127.0.0.1\nwarn  feed failed; retrying  feed=gold-api  why="no answer"  ages=[1,2]\ndebug  looked\n',
    );
  });

  test("has an error below it, and where it was thrown", () => {
    const { logger, lines } = open();
    logger.error({ err: new RangeError("a close is above zero"), requestId: "7f3a" }, "a request failed");
    const [head, error, frame] = shown(lines).split("\n");
    expect(head).toBe("error  a request failed  requestId=7f3a");
    expect(error).toBe("          RangeError: a close is above zero");
    expect(frame).toMatch(/^ {10}at .*log-text\.test\.ts/);
  });

  test("hides secrets as JSON lines do", () => {
    const { logger, lines } = open();
    logger.warn({ headers: { authorization: `Bearer ${KEY}` }, url: "postgres://u:pass@db/x" }, `refused ${KEY}`);
    expect(shown(lines)).not.toContain(KEY);
    expect(shown(lines)).not.toContain("pass@");
  });

  test("cannot control the terminal or forge another line", () => {
    const { logger, lines } = open();
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
