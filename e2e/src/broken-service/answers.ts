/** Answers whose shape or status violates the contract. */
import { answer, type BrokenWay, field, query, refusalField, replace } from "./broken-way.ts";

/** Bodies and statuses. */
export const BROKEN_ANSWERS: readonly BrokenWay[] = [
  {
    what: "money as a float",
    only: "spot.get",
    caughtBy: "responses: body",
    also: ["invariants"],
    breakage: field("price", ({ price }) => Number(price)),
  },
  {
    what: "money with an exponent",
    only: "carat.get",
    caughtBy: "responses: body",
    also: ["invariants"],
    breakage: field("price_gram_24k", () => "1.3e2"),
  },
  {
    what: "an instant without its Z",
    only: "carat.get",
    caughtBy: "responses: body",
    also: ["invariants"],
    breakage: field("timestamp", ({ timestamp }) => String(timestamp).replace("Z", "")),
  },
  {
    what: "a missing field",
    only: "spot.get",
    caughtBy: "responses: body",
    also: ["invariants"],
    breakage: field("unit", () => undefined),
  },
  {
    what: "a field nobody declared",
    only: "convert.get",
    caughtBy: "responses: body",
    also: ["invariants"],
    breakage: field("debug", () => true),
  },
  {
    what: "an error without its message",
    only: "convert.get",
    caughtBy: "responses: body",
    breakage: refusalField("message", () => undefined),
  },
  {
    what: "HTML with status 200",
    only: "carat.get",
    caughtBy: "responses: content type",
    also: ["examples", "valid input", "invalid input", "access", "responses", "HTTP", "invariants"],
    breakage: answer((answered, { path }) => {
      if (!path.startsWith("/v1/carat")) return;
      Object.assign(answered, { body: "<html></html>", headers: { ...answered.headers, "content-type": "text/html" } });
    }),
  },
  {
    what: "JSON in every format",
    only: "convert.get",
    caughtBy: "responses: content type",
    also: ["examples", "valid input", "responses", "invariants"],
    breakage: query((it) => {
      if (it.get("format") === "text") it.delete("format");
    }),
  },
  {
    what: "CSV with other digits than JSON",
    only: "publicHistory.xau",
    caughtBy: "invariants: csv has the same content as JSON",
    breakage: answer((answered) => {
      if (answered.headers["content-type"]?.startsWith("text/csv")) answered.body = answered.body.replaceAll(/\d\r\n/g, "\r\n");
    }),
  },
  {
    what: "ticks without their number",
    only: "streams.prices",
    caughtBy: "responses: body",
    breakage: answer((answered) => {
      answered.body = answered.body.replace(/,"seq":\d+/, "");
    }),
  },
  {
    what: "a proxy's HTML page for a path that is not there",
    only: "service",
    caughtBy: "HTTP: unknown paths",
    also: ["responses"],
    breakage: replace(({ status }) => status === 404, { body: "<h1>Not Found</h1>", headers: { "content-type": "text/html" } }),
  },
  {
    what: "another status of success",
    only: "convert.get",
    caughtBy: "responses: status and code",
    also: ["examples", "valid input", "invalid input", "access", "responses", "HTTP", "invariants"],
    breakage: replace(({ status }, { path }) => status === 200 && path.startsWith("/v1/convert"), { status: 201 }),
  },
  {
    what: "an undeclared code",
    only: "carat.get",
    caughtBy: "valid input: any request the schema allows is answered as declared",
    also: ["invalid input"],
    breakage: refusalField("error", ({ error }) => (error === "unsupported_currency" ? "unknown_pair" : error)),
  },
  {
    what: "a code that does not exist",
    only: "bars.latest",
    caughtBy: "invalid input: missing",
    also: ["valid input", "invalid input", "access", "responses", "HTTP"],
    breakage: refusalField("error", () => "oops"),
  },
  {
    what: "a code under another status",
    only: "bars.latest",
    caughtBy: "invalid input: no such value",
    also: ["valid input", "invalid input", "responses", "HTTP"],
    breakage: replace(({ status }) => status === 422, { status: 400 }),
  },
  {
    what: "a failure reported as JSON",
    only: "carat.get",
    caughtBy: "responses: 500 in plain text",
    also: ["examples", "valid input", "invalid input", "access", "responses", "HTTP", "invariants"],
    breakage: replace((_, { path }) => path.startsWith("/v1/carat"), { status: 500, body: '{"error":"TypeError"}' }),
  },
  {
    what: "a failure with some inputs only",
    only: "spot.get",
    caughtBy: "valid input: any request the schema allows is answered as declared",
    also: ["invalid input"],
    breakage: replace((_, { path }) => /%[89A-F]/.test(path), {
      status: 500,
      body: "Internal Server Error",
      headers: { "content-type": "text/plain" },
    }),
  },
  {
    what: "a 503 that does not say how long to wait",
    only: "convert.get",
    caughtBy: "responses: Retry-After",
    also: ["examples", "valid input", "invalid input", "access", "responses", "HTTP", "invariants"],
    breakage: replace((_, { path }) => path.startsWith("/v1/convert"), { status: 503 }),
  },
];
