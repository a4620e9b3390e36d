/** Parameters a route does not have: which are refused, and what the refusal suggests. */
import { describe, expect, test } from "vitest";
import { contract, pages, type Route, streams, unrecognizedParameters } from "./index.ts";

const ROUTES = [contract, pages, { streams }].flatMap((tree) =>
  Object.values<Record<string, Route>>(tree).flatMap((actions) => Object.values(actions)),
);
const HINTED = ROUTES.filter(({ hints }) => hints !== undefined).map((route) => [route.path, route] as const);

const messageOf = (route: Route, name: string, place: "query" | "body" | "input" = "query"): string | undefined =>
  unrecognizedParameters(route, place)([name])[0]?.message;

describe("a hint", () => {
  test.each(HINTED)("of %s is of a name the route does not have, and is what its refusal says", (_, route) => {
    for (const [name, way] of Object.entries(route.hints ?? {})) {
      expect(name, "in lower case, without separators").toMatch(/^[a-z]+$/);
      expect(messageOf(route, name), name).toBe(`${name} is not a parameter of ${route.path}: ${way}`);
    }
  });
});

describe("a name", () => {
  test("in another case or with other separators is corrected", () => {
    expect(messageOf(contract.spot.get, "Include")).toContain("it is written include");
    expect(messageOf(contract.account.revokeKey, "keyId", "input")).toContain("it is written key_id");
    expect(messageOf(contract.spot.get, "as-of")).toContain("a past instant is at");
  });

  test("given in another place is sent there", () => {
    expect(messageOf(contract.spot.get, "symbol")).toContain("symbol belongs in the path");
    expect(messageOf(contract.account.mintKey, "name")).toContain("name belongs in the body");
    expect(messageOf(contract.account.mintKey, "name", "body")).toBeUndefined();
    expect(messageOf(contract.spot.get, "symbol", "input")).toBeUndefined();
  });

  test("without a hint is answered with the names there are", () => {
    expect(messageOf(contract.convert.get, "x")).toMatch(/the parameters are from, to, amount, unit, include, format$/);
    expect(messageOf(contract.account.usage, "x", "input")).toMatch(/there are none$/);
  });

  test("that begins with an underscore is ignored", () => {
    expect(messageOf(contract.spot.get, "_")).toBeUndefined();
    expect(messageOf(contract.spot.get, "__proto__")).toBeUndefined();
  });
});
