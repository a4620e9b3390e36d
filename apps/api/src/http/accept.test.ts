import { contract } from "@assay/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { acceptReader } from "./accept.ts";

const bars = acceptReader(contract.bars.list);
const spot = acceptReader(contract.spot.get);

describe("an Accept header", () => {
  test.each([
    ["text/csv", "csv"],
    ["TEXT/CSV", "csv"],
    ["text/csv;header=present", "csv"],
    ["text/csv; q=0.5", "csv"],
    ["text/*", "csv"],
    ["text/csv, */*", "csv"],
    ["text/csv, application/json;q=0.9", "csv"],
    ["application/xml, text/csv;q=0.1", "csv"],
    ["application/json;q=0, */*", "csv"],
  ])("%s chooses the preferred format", (header, format) => {
    expect(bars?.(header)).toBe(format);
  });

  test.each([
    undefined,
    "",
    "*/*",
    "application/json",
    "application/*",
    "application/json, text/csv",
    "application/json, text/plain, */*",
    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "text/csv;q=0.9, application/json",
    "text/csv;q=0",
    "text/csv;q=0, text/*",
    "application/xml",
    "text/plain",
    "csv",
    "/",
    "text/csv/x",
    ",;,q=1",
    `text/csv,${" ".repeat(1_024)}`,
  ])("%j is JSON: the route lacks what it names, or JSON is preferred", (header) => {
    expect(bars?.(header)).toBeUndefined();
  });

  test("chooses the bare figure by text/plain where a route has one", () => {
    expect(spot?.("text/plain")).toBe("text");
    expect(spot?.("application/json, text/plain, */*"), "what axios sends").toBeUndefined();
  });

  test("is ignored by a route without other formats", () => {
    expect(acceptReader(contract.system.health)).toBeNull();
  });

  test("chooses a format of the route or none, whatever it contains", () => {
    const part = fc.constantFrom("text", "csv", "*", "/", ";", ",", "q=0.5", "q=2", "application/json", " ", "plain");
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(part).map((parts) => parts.join("")),
        ),
        (header) => {
          expect([undefined, "csv"]).toContain(bars?.(header));
        },
      ),
    );
  });
});
