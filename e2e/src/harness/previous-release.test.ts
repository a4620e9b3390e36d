import type { Report } from "@assay/contract-test";
import { expect, test } from "vitest";
import { breaksIn } from "./previous-release.ts";

const report = (group: Report["results"][number]["group"], ...found: string[]): Report => ({
  baseUrl: "http://assay.test",
  contractVersion: "0.1.0",
  seed: 1,
  callers: [],
  requests: 1,
  durationMs: 1,
  results: [
    {
      route: "bars.list",
      group,
      title: "body",
      status: "failed",
      durationMs: 1,
      failures: found.map((what) => ({ what, sent: "", cameBack: "", contractSays: "" })),
    },
  ],
});

test("what an answer or the document has gained is no break", () => {
  const gained = [
    'bars.0: Unrecognized key: "turnover"',
    "the route does not declare unknown_past",
    "the parameter order is not in the contract",
  ];
  expect(breaksIn(report("responses", ...gained))).toEqual([]);
  expect(breaksIn(report("invalid input", "limit out of range: was answered 200"))).toEqual([]);
  expect(breaksIn(report("invalid input", "threshold wrong type: was answered 404 alert_not_found"))).toEqual([]);
});

test("what an answer has lost is a break, beside whatever it gained", () => {
  const found = ["bars.0.volume: Invalid input: expected string, received undefined", 'bars.0: Unrecognized key: "turnover"'];
  expect(breaksIn(report("responses", ...found))).toEqual([`bars.list, responses: body: ${found[0]}`]);
  expect(breaksIn(report("document", "the parameter limit is missing"))).toHaveLength(1);
  expect(breaksIn(report("invalid input", "limit out of range: was answered 500 text/plain"))).toHaveLength(1);
  expect(breaksIn(report("access", "answered 200 instead of status 401 unauthenticated"))).toHaveLength(1);
});
