/** The report in every format: no finding is lost, no key is printed, and a shell turns a curl command into the same request. */
import { execFileSync } from "node:child_process";
import { XMLParser } from "fast-xml-parser";
import { describe, expect, test } from "vitest";
import { jsonOf, redactor } from "../contract-test.ts";
import { badKey, KEYLESS, keyed } from "../wire/caller.ts";
import { junitOf } from "./junit.ts";
import { bounded, curlOf, type Failure, type Report, type Result } from "./outcome.ts";
import { tableOf, textOf } from "./text.ts";

const failure: Failure = {
  what: 'price: expected "string" & got <number> \u0000\ud800',
  contractSays: "money is text",
  sent: "curl 'http://service/?a=1&b=<2>'",
  cameBack: '200 | {"price":1}',
};
const result = (change: Partial<Result>): Result => ({
  route: "spot.get",
  group: "responses",
  title: "body",
  status: "passed",
  failures: [],
  durationMs: 12,
  ...change,
});
const report: Report = {
  baseUrl: "http://service",
  contractVersion: "0.1.0",
  seed: 42,
  callers: ["without a key", "tier pro"],
  requests: 7,
  durationMs: 1_500,
  results: [
    result({}),
    result({ status: "failed", title: "delay", failures: [failure] }),
    result({
      route: "bars.list",
      group: "access",
      status: "not checked",
      reason: "keyless allowance",
      title: "GC, without a key",
    }),
    result({ route: "bars.list", group: "access", title: "GC, tier pro" }),
  ],
};

describe("the table", () => {
  test("counts what passed, failed and was not checked, a row for each route", () => {
    const rows = tableOf(report)
      .split("\n")
      .filter((line) => /spot|bars/.test(line))
      .map((line) => line.split("│").map((cell) => cell.trim()));
    expect(rows).toEqual([
      ["", "spot.get", "·", "·", "·", "·", "1 FAILED, 1 ok", "·", "·", "·", ""],
      ["", "bars.list", "·", "·", "·", "1 ok, 1 not checked", "·", "·", "·", "·", ""],
    ]);
  });
});

describe("the text", () => {
  test("includes the seed, every failure in full, what was not checked and why, and ends with the count", () => {
    const text = textOf(report);
    expect(text).toContain(
      "contract 0.1.0 against http://service, seed 42\ncallers: without a key, tier pro; 7 requests in 1.5 s",
    );
    expect(text).toContain(
      `FAILED spot.get, responses: delay\n  ${failure.what}\n    contract:  money is text\n    sent:      ${failure.sent}\n    received:  ${failure.cameBack}`,
    );
    expect(text).toContain("not checked: keyless allowance\n  bars.list, access: GC, without a key\n");
    expect(text.endsWith("\n2 passed, 1 failed, 1 not checked\n")).toBe(true);
  });
});

describe("the JSON", () => {
  test("counts what passed, failed and was not checked before it lists every result", () => {
    const { counts, results, seed } = JSON.parse(jsonOf(report));
    expect(counts).toEqual({ passed: 2, failed: 1, notChecked: 1 });
    expect({ seed, results }).toEqual({ seed: 42, results: report.results });
  });
});

describe("the JUnit file", () => {
  const parsed = () =>
    new XMLParser({
      ignoreAttributes: false,
      attributeNamePrefix: "",
      parseAttributeValue: false,
      isArray: (name) => name === "testsuite" || name === "testcase",
    }).parse(junitOf(report), true);

  test("is well-formed whatever came back, and holds a case for each check", () => {
    const { testsuites } = parsed();
    expect(testsuites).toMatchObject({ tests: "4", failures: "1", errors: "0", skipped: "1", time: "1.500" });
    expect(testsuites.testsuite.map(({ name, tests }: { name: string; tests: string }) => [name, tests])).toEqual([
      ["spot.get", "2"],
      ["bars.list", "2"],
    ]);
    const [spot, bars] = testsuites.testsuite;
    expect(spot.testcase[0]).toEqual({ name: "responses: body", classname: "assay.contract.spot.get", time: "0.012" });
    expect(spot.testcase[1].failure.message).toBe('price: expected "string" & got <number> \\u0000\\ud800');
    expect(spot.testcase[1].failure["#text"]).toContain("sent: curl 'http://service/?a=1&b=<2>'\nreceived: 200 | {\"price\":1}");
    expect(bars.testcase[0].skipped).toEqual({ message: "keyless allowance" });
  });
});

describe("failures of one check", () => {
  test("are reported a few times and then counted", () => {
    const many = Array.from({ length: 21 }, (_, at) => ({ ...failure, what: `fault ${at}` }));
    expect(bounded(many).map(({ what }) => what)).toEqual([
      ...many.slice(0, 16).map(({ what }) => what),
      "and 5 more of this kind",
    ]);
    expect(bounded(many.slice(0, 16))).toEqual(many.slice(0, 16));
  });
});

describe("hiding keys", () => {
  test("removes those of the run, and anything else that looks like one", () => {
    const hide = redactor(["secret-of-another-form"]);
    const other = `assay_live_${"a1B2".repeat(9)}`;
    expect(hide(`a secret-of-another-form, "${other}" and assay_live_abcde`)).toBe('a [key], "[key]" and assay_live_abcde');
  });
});

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
