import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { QuotaExceededError } from "../generated/errors.ts";
import { getSpot } from "../testing/operations.ts";
import { serve } from "../testing/serve.ts";
import { Client } from "./client.ts";
import { errorFrom } from "./error-from.ts";
import { ApiError, AssayError, ConnectionError, type ErrorRegistry, RequestTimeoutError } from "./errors.ts";

/** Of the first plane; the library's own unit lists all 1.1 million characters first, which takes seconds. */
const anyCharacter = fc.nat({ max: 0xd7_ff }).map((code) => String.fromCharCode(code));

class Http400Error extends ApiError {}
class InvalidSymbolError extends Http400Error {
  get hint(): unknown {
    return this.body?.hint;
  }
}
const REGISTRY: ErrorRegistry = { byCode: { invalid_symbol: InvalidSymbolError }, byStatus: { 400: Http400Error } };
const NOW_MS = Date.UTC(2026, 10, 20, 12);

const from = (status: number, text: string, headers: Record<string, string> = {}): ApiError =>
  errorFrom(new Response(text === "" ? null : text, { status, headers }), text, REGISTRY, NOW_MS);

describe("an error answer", () => {
  test("becomes the class of its code, with the fields of its body", () => {
    const error = from(400, '{"error":"invalid_symbol","message":"No.","request_id":"r-1","hint":"BASE-QUOTE-CONTRACT"}');
    expect(error).toBeInstanceOf(InvalidSymbolError);
    expect(error).toBeInstanceOf(Http400Error);
    expect(error).toBeInstanceOf(AssayError);
    expect(error).toMatchObject({ status: 400, code: "invalid_symbol", requestId: "r-1", hint: "BASE-QUOTE-CONTRACT" });
    expect(error.message).toBe("400 invalid_symbol: No. BASE-QUOTE-CONTRACT (request r-1)");
  });

  test("names its request by path and not by query, and never contains the key", async () => {
    const refused = { status: 404, body: { error: "not_found", message: "No." }, headers: { "x-request-id": "r-1" } };
    const { url } = await serve(() => refused);
    const client = new Client({ baseUrl: `${url}/metals`, apiKey: "assay_live_secret", maxRetries: 0 });
    const message = (params: object) => client.call(getSpot, params).then(String, (error: Error) => error.message);
    expect(await message({ symbol: "XAU/USD", include: ["karat"] })).toBe(
      "404 not_found: No. (GET /metals/v1/spot/XAU%2FUSD, request r-1)",
    );
    expect(await message({ symbol: "assay_live_secret" })).toBe("404 not_found: No. (GET /metals/v1/spot/[key], request r-1)");
  });

  test("says which tier it requires", () => {
    const error = from(403, '{"error":"plan_gated","message":"Not included.","required_tier":"pro"}');
    expect(error.message).toBe("403 plan_gated: Not included. It needs the tier pro.");
  });

  test("of an unknown code becomes the class of its status, of an unknown status an ApiError", () => {
    expect(from(400, '{"error":"brand_new"}').constructor).toBe(Http400Error);
    expect(from(418, '{"error":"teapot"}').constructor).toBe(ApiError);
    for (const code of ["__proto__", "constructor", "toString"]) {
      expect(from(418, `{"error":"${code}"}`).constructor).toBe(ApiError);
    }
  });

  test("says which parameters are at fault", () => {
    const issues = ["limit", "to"].map((name) => ({ path: ["query", name], code: "x", message: "must be an integer" }));
    const error = from(422, JSON.stringify({ error: "validation_error", message: "A parameter is not valid.", issues }));
    expect(error.message).toBe(
      "422 validation_error: A parameter is not valid. query.limit: must be an integer. query.to: must be an integer.",
    );
  });

  test.each<[string, number, string, Record<string, string>, string]>([
    ["plain text", 500, "Internal Server Error", { "x-request-id": "r-9" }, "500: Internal Server Error (request r-9)"],
    [
      "a proxy's page",
      502,
      `<html><head><title>502 Bad Gateway</title></head><body>${"<p>nginx</p>".repeat(999)}</body></html>`,
      { "content-type": "text/html; charset=utf-8" },
      "502: text/html, “502 Bad Gateway”",
    ],
    [
      "a page without a title",
      503,
      "<style>a{}</style><h1>Down</h1>\n<p>soon",
      { "content-type": "text/html" },
      "503: text/html, “Down soon”",
    ],
    ["nothing", 504, "", {}, "504: an error without a body"],
    ["JSON without a code", 500, '{"detail":"x"}', { "content-type": "application/json" }, '500: {"detail":"x"}'],
    ["JSON that is no object", 500, "[1]", { "content-type": "application/json" }, "500: application/json, “[1]”"],
    ["JSON with a code that is no text", 500, '{"error":{"a":1}}', {}, '500: {"error":{"a":1}}'],
  ])("that is %s is described in a few words", (_, status, text, headers, message) => {
    const error = from(status, text, headers);
    expect([error.code, error.message]).toEqual([null, message]);
    expect(error.requestId).toBe(headers["x-request-id"] ?? null);
  });

  test("that is a redirect names only where it leads, not the signed link", () => {
    const { message } = from(307, "", { location: "https://store.example/a?signature=secret" });
    expect(message).toContain("https://store.example,");
    expect(message).not.toContain("secret");
    expect(from(302, "", { location: "/elsewhere" }).message).toContain("a redirect,");
  });

  test.each<[string, string | undefined, string, number | null]>([
    ["seconds", "36", "{}", 36],
    ["a date to come", "Fri, 20 Nov 2026 12:00:10 GMT", "{}", 10],
    ["a date gone by", "Fri, 20 Nov 2026 11:00:00 GMT", "{}", 0],
    ["nonsense", "soon", "{}", null],
    ["a negative number", "-5", "{}", null],
    ["nothing but the body's seconds", undefined, '{"retry_after_seconds":7}', 7],
  ])("with Retry-After of %s gives the seconds to wait", (_, header, body, seconds) => {
    const error = from(429, body, header === undefined ? {} : { "retry-after": header });
    expect([error.retryAfterSeconds, error.retryAfter]).toEqual([seconds, seconds]);
  });

  test("has a short message and can always be made, whatever was answered", () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.json(),
      fc.string().map((inner) => `<html>${inner.repeat(500)}`),
    );
    fc.assert(
      fc.property(fc.integer({ min: 400, max: 599 }), text, (status, body) => {
        const error = from(status, body);
        expect(error.status).toBe(status);
        if (error.body === null) expect(error.message.length).toBeLessThan(200);
      }),
    );
  });
});

test("errors carry their names on the prototype and print without the head of the answer", () => {
  const error = from(404, '{"error":"not_found","message":"No."}', { "x-extra": "header" });
  expect([error.name, String(error)]).toEqual(["ApiError", "ApiError: 404 not_found: No."]);
  expect(inspect(error)).not.toContain("x-extra");
  expect(error.headers.get("x-extra")).toBe("header");
  expect(new RequestTimeoutError("late")).toBeInstanceOf(ConnectionError);
  expect(String(new RequestTimeoutError("late"))).toBe("RequestTimeoutError: late");
});

const quotaExceeded = (body: Record<string, unknown>): QuotaExceededError =>
  new QuotaExceededError({
    status: 429,
    code: "quota_exceeded",
    message: "Used up.",
    requestId: null,
    retryAfterSeconds: null,
    headers: new Headers(),
    body,
  });

test("an error says when its window restarts, and null where the answer does not say", () => {
  expect(quotaExceeded({ reset_at: "2026-12-01T00:00:00Z" }).resetAt).toEqual(new Date("2026-12-01T00:00:00Z"));
  for (const body of [{}, { reset_at: null }, { reset_at: 5 }, { reset_at: "soon" }])
    expect(quotaExceeded(body).resetAt).toBeNull();
});
