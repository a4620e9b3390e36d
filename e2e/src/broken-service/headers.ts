/** Headers and methods that violate the contract. */
import { answer, type BrokenWay, header, replace, without } from "./broken-way.ts";

/** HTTP semantics. */
export const BROKEN_HEADERS: readonly BrokenWay[] = [
  { what: "CORS", only: "carat.get", caughtBy: "responses: no CORS", breakage: header("access-control-allow-origin", "*") },
  {
    what: "JSON called text",
    only: "carat.get",
    caughtBy: "responses: content type",
    also: ["examples", "valid input", "invariants"],
    breakage: header("content-type", "text/plain"),
  },
  {
    what: "a request id of its own",
    only: "carat.get",
    caughtBy: "responses: request id",
    also: ["invariants"],
    breakage: header("x-request-id", "abc"),
  },
  {
    what: "a malformed request id that is echoed",
    only: "service",
    caughtBy: "HTTP: malformed request ids",
    breakage: answer(({ headers }, request) => {
      headers["x-request-id"] = request.headers["x-request-id"] ?? "";
    }),
  },
  { what: "no Cache-Control", only: "carat.get", caughtBy: "responses: cache-control", breakage: without("cache-control") },
  {
    what: "one caller's answer kept for all",
    only: "convert.get",
    caughtBy: "responses: cache-control",
    breakage: header("cache-control", "public, max-age=60"),
  },
  { what: "no RateLimit", only: "carat.get", caughtBy: "responses: limit headers", breakage: without("ratelimit") },
  {
    what: "limits that do not add up",
    only: "carat.get",
    caughtBy: "responses: limit headers",
    breakage: header("x-ratelimit-remaining", "3"),
  },
  {
    what: "a 401 that does not say how to authenticate",
    only: "account.usage",
    caughtBy: "responses: WWW-Authenticate",
    breakage: without("www-authenticate"),
  },
  {
    what: "a deprecated route that does not say so",
    only: "prices.history",
    caughtBy: "responses: deprecation headers",
    breakage: without("deprecation"),
  },
  { what: "405 without Allow", only: "carat.get", caughtBy: "HTTP: other methods", breakage: without("allow") },
  {
    what: "a preflight that is answered",
    only: "carat.get",
    caughtBy: "HTTP: other methods",
    also: ["responses"],
    breakage: replace((_, { method }) => method === "OPTIONS", { status: 204 }),
  },
  {
    what: "no HEAD",
    only: "carat.get",
    caughtBy: "HTTP: HEAD",
    also: ["responses"],
    breakage: replace((_, { method }) => method === "HEAD", { status: 405 }),
  },
  {
    what: "a conditional request answered in full",
    only: "publicHistory.xau",
    caughtBy: "HTTP: conditional requests",
    breakage: () => ({
      ask: ({ headers }) => {
        delete headers["if-none-match"];
      },
    }),
  },
];
