import { describe, expect, test } from "vitest";
import { targetsOf } from "./targets.ts";

const PLACES = new Map([
  ["/v1/spot/{symbol}", "spot"],
  ["/v1/bars", "bars"],
  ["/badge/{metal}.svg", "badge"],
  ["/badge/sources.svg", "sources"],
]);
const pathOf = (url: string): string => url.split("?")[0] ?? "";

describe("a target", () => {
  test("is the place of a path, its decoded parameters and the query", () => {
    const find = targetsOf(PLACES);
    expect(find("/v1/spot/XAU%2FUSD?include=karat", pathOf)).toEqual({
      place: "spot",
      path: { symbol: "XAU/USD" },
      query: "include=karat",
    });
    expect(find("/badge/gold.svg", pathOf)).toEqual({ place: "badge", path: { metal: "gold" }, query: "" });
    expect(find("/badge/sources.svg", pathOf)).toEqual({ place: "sources", path: {}, query: "" });
    expect(find("/badge/{metal}.svg", pathOf)).toMatchObject({ place: "badge", path: { metal: "{metal}" } });
    expect(find("/v1/spot", pathOf)).toBeNull();
    expect(find("/v1/bars", () => null)).toBeNull();
  });

  test("is the same object for the same URL, which nobody can change", () => {
    const find = targetsOf(PLACES);
    const first = find("/v1/bars?limit=1", pathOf);
    expect(find("/v1/bars?limit=1", pathOf)).toBe(first);
    expect(find("/v1/bars?limit=2", pathOf)).not.toBe(first);
    expect(Object.isFrozen(first) && Object.isFrozen(first?.path)).toBe(true);
  });

  test("is kept for a bounded number of URLs, and not for very long ones or where nothing is", () => {
    let readings = 0;
    const counting = (url: string): string => {
      readings += 1;
      return pathOf(url);
    };
    const find = targetsOf(PLACES);
    const readingsOf = (...urls: string[]): number => {
      readings = 0;
      for (const url of urls) find(url, counting);
      return readings;
    };
    expect(readingsOf("/v1/bars", "/v1/bars")).toBe(1);
    const long = `/v1/bars?q=${"x".repeat(600)}`;
    expect(readingsOf(long, long)).toBe(2);
    expect(readingsOf("/nowhere", "/nowhere")).toBe(2);
    const many = Array.from({ length: 2_000 }, (_, index) => `/v1/bars?q=${index}`);
    expect(readingsOf(...many)).toBe(2_000);
    expect(readingsOf("/v1/bars")).toBe(1);
  });
});
