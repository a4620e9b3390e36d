/** HTTP semantics: the request id, HEAD, other methods, response headers. */
import { type Contract, errorCodesOf, type Route } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { expectRefusal, expectSuccess } from "./exchange.ts";
import type { RouteCase } from "./route-case.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** The methods a path answers, as listed in `Allow`. */
const allowedOn = (contract: Contract, path: string): Set<string> => {
  const routes: Route[] = Object.values(contract).flatMap((actions) => Object.values(actions));
  const methods = routes.filter((route) => route.path === path).map((route) => route.method as string);
  return new Set(methods.includes("GET") ? [...methods, "HEAD"] : methods);
};

/** Long enough not to be guessable, and never an id a client sent. */
const MADE_ID = /^[A-Za-z0-9._-]{16,64}$/;

/** Registers the tests of a route's HTTP semantics. */
export const registerProtocolTests = (it: RouteCase, contract: Contract): void => {
  const { route } = it;

  test("echoes a well-formed request id and makes one for any other", async () => {
    const idOf = async (headers: Record<string, string>) =>
      (await it.ask(await it.anyCaller(), { headers })).headers.get("x-request-id");
    expect(await idOf({ "X-Request-Id": "Az0._-" })).toBe("Az0._-");
    expect(await idOf({ "X-Request-Id": "x".repeat(64) })).toBe("x".repeat(64));
    const made: (string | null)[] = [await idOf({})];
    for (const bad of ["x".repeat(65), "a b", "a,b", "é", "<script>", ""]) made.push(await idOf({ "X-Request-Id": bad }));
    for (const id of made) expect(id).toMatch(MADE_ID);
    expect(new Set(made).size, "each its own").toBe(made.length);
  });

  if (route.method === "GET") {
    test("answers HEAD as GET, without the body", async () => {
      const caller = await it.anyCaller();
      const get = await it.ask(caller);
      const head = await it.ask(caller, { method: "HEAD" });
      expectSuccess(route, get);
      expect(head.status).toBe(get.status);
      expect(head.text).toBe("");
      for (const name of ["content-type", "cache-control", "etag", "x-ratelimit-limit", "ratelimit-policy", "deprecation"]) {
        expect(head.headers.get(name), name).toBe(get.headers.get(name));
      }
      const length = head.headers.get("content-length");
      if (length !== null) expect(Number(length)).toBe(Buffer.byteLength(get.text));
    });
  }

  test("answers other methods with 405 and the allowed ones in Allow", async () => {
    const allowed = allowedOn(contract, route.path);
    for (const method of METHODS.filter((each) => !allowed.has(each))) {
      const answer = await it.ask(null, { method });
      expect(answer.status, method).toBe(405);
      expect(new Set(answer.headers.get("allow")?.split(", ")), method).toEqual(allowed);
      if (method !== "HEAD") expectRefusal(route, answer, "method_not_allowed");
    }
  });

  if (route.successor) {
    test("says on success and when gated that it is deprecated, and what replaces it", async () => {
      const { headers } = await it.ask(await it.anyCaller());
      expect(headers.get("deprecation")).toBe("true");
      expect(headers.get("link")).toBe(`<${route.successor}>; rel="successor-version"`);
    });
  }

  test("declares every code once", () => {
    const codes = errorCodesOf(route);
    expect(new Set(codes).size).toBe(codes.length);
  });
};

/** Registers the tests of paths that match no route. */
export const registerUnknownPathTests = (it: RouteCase): void => {
  describe("undeclared paths", () => {
    test.each(["/v1", "/v1/", "/v1/nothing", "/v2/prices", "/v1/prices/", "/v1//prices", "/", "/%", "/v1/spot/%zz/x"])(
      "%s is not found, by any method",
      async (path) => {
        const { baseUrl, freshAddress } = it.harness;
        for (const method of ["GET", "POST", "DELETE"]) {
          const response = await fetch(`${baseUrl}${path}`, { method, headers: freshAddress() });
          expect(response.status).toBe(404);
          expect(await response.json()).toMatchObject({ error: "not_found", request_id: response.headers.get("x-request-id") });
        }
      },
    );
  });
};
