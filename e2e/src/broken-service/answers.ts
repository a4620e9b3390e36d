/** Answers whose shape, status or headers violate the contract. */
import { answer, type BrokenWay, field, header, query, refusalField, replace, without } from "./broken-way.ts";

const ALL = ["examples", "valid input", "invalid input", "access", "responses", "HTTP", "invariants"] as const;
const PLAIN_500 = { status: 500, body: "Internal Server Error", headers: { "content-type": "text/plain" } };
const PAGE_404 = { body: "<h1>Not Found</h1>", headers: { "content-type": "text/html" } };

const html = answer((answered, { path }) => {
  if (!path.startsWith("/v1/carat")) return;
  Object.assign(answered, { body: "<html></html>", headers: { ...answered.headers, "content-type": "text/html" } });
});
const csv = (change: (text: string) => string) =>
  answer((answered) => {
    if (answered.headers["content-type"]?.startsWith("text/csv")) answered.body = change(answered.body);
  });
const asked = (prefix: string, parts: Parameters<typeof replace>[1]) => replace((_, { path }) => path.startsWith(prefix), parts);

/** Bodies and statuses. */
export const BROKEN_ANSWERS: readonly BrokenWay[] = [
  ["money as a float", "spot.get", "responses: body", field("price", ({ price }) => Number(price)), "invariants"],
  ["money with an exponent", "carat.get", "responses: body", field("price_gram_24k", () => "1.3e2"), "invariants"],
  [
    "an instant without its Z",
    "carat.get",
    "responses: body",
    field("timestamp", ({ timestamp }) => String(timestamp).replace("Z", "")),
    "invariants",
  ],
  ["a missing field", "spot.get", "responses: body", field("unit", () => undefined), "invariants"],
  ["a field nobody declared", "convert.get", "responses: body", field("debug", () => true), "invariants"],
  ["an error without its message", "convert.get", "responses: body", refusalField("message", () => undefined)],
  ["HTML with status 200", "carat.get", "responses: content type", html, ...ALL],
  [
    "JSON in every format",
    "convert.get",
    "responses: content type",
    query((it) => {
      if (it.get("format") === "text") it.delete("format");
    }),
    ...(["examples", "valid input", "responses", "invariants"] as const),
  ],
  [
    "CSV with other digits than JSON",
    "publicHistory.xau",
    "invariants: csv has the same content as JSON",
    csv((text) => text.replaceAll(/\d\r\n/g, "\r\n")),
  ],
  [
    "ticks without their number",
    "streams.prices",
    "responses: body",
    answer((answered) => {
      answered.body = answered.body.replace(/,"seq":\d+/, "");
    }),
    ...(["invariants", "responses"] as const),
  ],
  [
    "a proxy's HTML page for a path that is not there",
    "service",
    "HTTP: unknown paths",
    replace(({ status }) => status === 404, PAGE_404),
    ...(["responses", "HTTP"] as const),
  ],
  [
    "another status of success",
    "convert.get",
    "responses: status and code",
    replace(({ status }, { path }) => status === 200 && path.startsWith("/v1/convert"), { status: 201 }),
    ...ALL,
  ],
  [
    "an undeclared code",
    "carat.get",
    "valid input: any request the schema allows is answered as declared",
    refusalField("error", ({ error }) => (error === "unsupported_currency" ? "unknown_pair" : error)),
    "invalid input",
  ],
  ["a code that does not exist", "bars.latest", "invalid input: missing", refusalField("error", () => "oops"), ...ALL],
  [
    "a code under another status",
    "bars.latest",
    "invalid input: no such value",
    replace(({ status }) => status === 422, { status: 400 }),
    ...(["valid input", "invalid input", "responses", "HTTP"] as const),
  ],
  [
    "a failure reported as JSON",
    "carat.get",
    "responses: 500 in plain text",
    asked("/v1/carat", { status: 500, body: '{"error":"TypeError"}' }),
    ...ALL,
  ],
  [
    "a failure with some inputs only",
    "spot.get",
    "valid input: any request the schema allows is answered as declared",
    replace((_, { path }) => /%[89A-F]/.test(path), PLAIN_500),
    "invalid input",
  ],
  [
    "a 503 that does not say how long to wait",
    "convert.get",
    "responses: Retry-After",
    asked("/v1/convert", { status: 503 }),
    ...ALL,
  ],
];

/** HTTP semantics. */
export const BROKEN_HEADERS: readonly BrokenWay[] = [
  ["CORS", "carat.get", "responses: no CORS", header("access-control-allow-origin", "*")],
  [
    "JSON called text",
    "carat.get",
    "responses: content type",
    header("content-type", "text/plain"),
    ...(["examples", "valid input", "invariants"] as const),
  ],
  ["a request id of its own", "carat.get", "responses: request id", header("x-request-id", "abc"), "invariants"],
  [
    "a malformed request id that is echoed",
    "service",
    "HTTP: request ids",
    answer(({ headers }, request) => {
      headers["x-request-id"] = request.headers["x-request-id"] ?? "";
    }),
    "responses",
  ],
  ["no Cache-Control", "carat.get", "responses: cache-control", without("cache-control")],
  ["one caller's answer kept for all", "convert.get", "responses: cache-control", header("cache-control", "public, max-age=60")],
  ["no RateLimit", "carat.get", "responses: limit headers", without("ratelimit")],
  ["limits that do not add up", "carat.get", "responses: limit headers", header("x-ratelimit-remaining", "3")],
  ["a 401 that does not say how to authenticate", "account.usage", "responses: WWW-Authenticate", without("www-authenticate")],
  ["a deprecated route that does not say so", "prices.history", "responses: deprecation headers", without("deprecation")],
  ["405 without Allow", "carat.get", "HTTP: other methods", without("allow")],
  [
    "a preflight that is answered",
    "carat.get",
    "HTTP: other methods",
    replace((_, { method }) => method === "OPTIONS", { status: 204 }),
    "responses",
  ],
  ["no HEAD", "carat.get", "HTTP: HEAD", replace((_, { method }) => method === "HEAD", { status: 405 }), "responses"],
  [
    "304 to any tag",
    "publicHistory.xau",
    "HTTP: conditional requests",
    answer((answered, { headers }) => {
      if (headers["if-none-match"]) Object.assign(answered, { status: 304, body: "" });
    }),
  ],
  [
    "a conditional request answered in full",
    "publicHistory.xau",
    "HTTP: conditional requests",
    () => ({
      ask: ({ headers }) => {
        delete headers["if-none-match"];
      },
    }),
  ],
];
