/** Curl commands: a shell turns them into the same request, and they contain no key. */
import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { badKey, KEYLESS, keyed } from "./caller.ts";
import { curlOf } from "./curl.ts";

/** The arguments curl would receive. */
const wordsOf = (line: string): string[] =>
  execFileSync("bash", ["-c", `curl() { printf '%s\\0' "$@"; }; ASSAY_PRO_KEY=mine; ${line}`], { encoding: "utf8" })
    .split("\0")
    .slice(0, -1);

const KEY = "assay_live_0123456789abcdefghijklmnopqrstuv";

describe("a curl line", () => {
  test("sends the same request, quotes and all", () => {
    const caller = keyed("pro", KEY);
    const line = curlOf({
      method: "POST",
      url: "http://service/v1/spot/it's%20$HOME?a=`b`",
      headers: { ...caller.headers, "x-request-id": "contract-test-1", "content-type": "application/json" },
      body: `{"name":"o'clock $(x)"}`,
      caller,
    });
    expect(line).not.toContain(KEY);
    expect(wordsOf(line)).toEqual([
      ..."-sS -i -X POST --path-as-is".split(" "),
      "http://service/v1/spot/it's%20$HOME?a=`b`",
      ...["-H", "Authorization: Bearer mine"],
      ...["-H", "content-type: application/json"],
      ...["--data-raw", `{"name":"o'clock $(x)"}`],
    ]);
  });

  test("shows an invalid key, and none where there was none", () => {
    const bad = badKey({ "x-api-key": "not-a-key" });
    const plain = { method: "GET", url: "http://service/", body: undefined };
    expect(curlOf({ ...plain, headers: bad.headers, caller: bad })).toBe(
      "curl -sS -i --path-as-is 'http://service/' -H 'x-api-key: not-a-key'",
    );
    expect(curlOf({ ...plain, method: "HEAD", headers: {}, caller: KEYLESS })).toBe(
      "curl -sS -i --head --path-as-is 'http://service/'",
    );
  });
});
