/** Malformed and excessive tRPC requests: refused before they cost anything, and counted against the limits that apply. */
import { createTRPCClient, httpBatchLink, httpBatchStreamLink, TRPCClientError } from "@trpc/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshAddress, startTestApp, type TestApp } from "../testing/start-test-app.ts";
import type { AppRouter, WireErrorData } from "../trpc/router.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** A refusal in tRPC's format. */
const readRefusal = async (response: Response) =>
  (await response.json()) as { error: { data: { wire: { error: string; retry_after_seconds?: number } } } }; // the test checks each field

const names = (count: number, separator = ",") => Array.from({ length: count }, () => "a").join(separator);

describe("a request that names more than ten procedures", () => {
  test.each([
    ["3,900 unknown ones", `/trpc/${names(3_900)}?batch=1`, {}],
    ["eleven", `/trpc/${names(11)}?batch=1`, {}],
    ["eleven, their commas encoded", `/trpc/${names(11, "%2C")}?batch=1`, {}],
    ["eleven, in small letters", `/trpc/${names(11, "%2c")}?batch=1`, {}],
    ["eleven, for a stream of lines", `/trpc/${names(11)}?batch=1`, { headers: { "trpc-accept": "application/jsonl" } }],
    ["eleven, in a POST", `/trpc/${names(11)}?batch=1`, { method: "POST", body: {} }],
    ["eleven, without a batch", `/trpc/${names(11)}`, {}],
    ["eleven that exist", `/trpc/${Array(11).fill("carat.get").join(",")}?batch=1`, {}],
  ])("is refused as a whole: %s", async (_, path, request) => {
    const { status, text, headers, json } = await app.ask(path, request);
    expect(status).toBe(400);
    expect(json).toEqual({
      error: {
        message: "A batch may contain at most 10 calls.",
        code: -32600,
        data: {
          code: "BAD_REQUEST",
          httpStatus: 400,
          wire: {
            error: "bad_request",
            message: "A batch may contain at most 10 calls.",
            request_id: headers.get("x-request-id"),
          },
        },
      },
    });
    expect(text.length, "however many were named").toBeLessThan(300);
    expect(headers.get("cache-control")).toBe("no-store");
  });

  test.each([
    ["a batch", httpBatchLink],
    ["a stream of lines", httpBatchStreamLink],
  ])("is named in the error of the typed client of %s", async (_, link) => {
    const headers = { "X-Forwarded-For": freshAddress() };
    const client = createTRPCClient<AppRouter>({ links: [link({ url: `${app.url}/trpc`, headers })] });
    const calls = await Promise.allSettled(Array.from({ length: 11 }, () => client.carat.get.query({})));
    for (const each of calls) {
      expect(each.status).toBe("rejected");
      const { reason } = each as PromiseRejectedResult; // compared above
      expect(reason).toBeInstanceOf(TRPCClientError);
      const data = (reason as TRPCClientError<AppRouter>).data as WireErrorData; // the client does not type its fields
      expect(data.wire).toMatchObject({ error: "bad_request" });
    }
  });

  test("is not refused because of commas in its input", async () => {
    const input = encodeURIComponent(JSON.stringify({ currency: ",".repeat(20) }));
    expect((await app.ask(`/trpc/carat.get?input=${input}`)).json.error.data.wire.error).not.toBe("bad_request");
  });
});

describe("a body over 64 KiB", () => {
  test("is refused in tRPC's error format", async () => {
    const { status, json, headers } = await app.ask("/trpc/account.mintKey", {
      method: "POST",
      body: { name: "x".repeat(70_000) },
    });
    expect(status).toBe(413);
    const wire = { error: "payload_too_large", message: expect.any(String), request_id: headers.get("x-request-id") };
    expect(json.error).toEqual({
      message: wire.message,
      code: -32013,
      data: { code: "PAYLOAD_TOO_LARGE", httpStatus: 413, wire },
    });
  });
});

interface Spending {
  readonly from: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}
const POST = { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" };

describe("what reaches no procedure", () => {
  const spend = async (path: string, requests: number, { from, ...request }: Spending): Promise<number[]> => {
    const statuses: number[] = [];
    for (let sent = 0; sent < requests; sent += 1) {
      const response = await fetch(`${app.url}${path}`, { ...request, headers: { ...request.headers, "X-Forwarded-For": from } });
      statuses.push(response.status);
      await response.arrayBuffer();
    }
    return statuses;
  };

  test.each([
    ["unknown ones, ten at a time", `/trpc/${names(10)}?batch=1`, 6, 404, {}],
    [
      "unknown ones, for a stream of lines",
      `/trpc/${names(10)}?batch=1`,
      6,
      200,
      { headers: { "trpc-accept": "application/jsonl" } },
    ],
    ["one at a time", "/trpc/nothing", 60, 404, {}],
    ["queries that are put", "/trpc/spot.get", 60, 405, { ...POST, method: "PUT" }],
    ["changes that are put", "/trpc/account.mintKey", 60, 405, { ...POST, method: "PUT" }],
    ["unknown ones that are posted", "/trpc/nothing", 60, 404, POST],
    ["changes that are asked for", "/trpc/account.mintKey", 60, 405, {}],
    ["connection parameters that are not JSON", "/trpc/spot.get?connectionParams=%7B", 60, 400, {}],
    ["connection parameters of another form", "/trpc/spot.get?connectionParams=%7B%22a%22:1%7D", 60, 400, {}],
    ["queries and changes in one batch", "/trpc/spot.get,account.mintKey?batch=1", 60, 400, {}],
  ] as [string, string, number, number, Omit<Spending, "from">][])(
    "count as light requests: %s",
    async (_, path, requests, status, request) => {
      const from = freshAddress();
      expect(await spend(path, requests, { ...request, from })).toEqual(Array(requests).fill(status));
      const refusal = await fetch(`${app.url}${path}`, { ...request, headers: { ...request.headers, "X-Forwarded-For": from } });
      const { status: refused, headers } = refusal;
      const { wire } = (await readRefusal(refusal)).error.data;
      expect(refused).toBe(429);
      expect(wire).toMatchObject({ error: "rate_limit_exceeded", limit: 60, window: "minute" });
      expect(headers.get("retry-after")).toBe(String(wire.retry_after_seconds));
      expect(headers.get("x-ratelimit-limit")).toBe("60");
      expect((await app.ask("/v1/metadata/tiers", { from })).status, "it is the same window").toBe(429);
      expect((await app.ask("/trpc/nothing")).status, "from elsewhere").toBe(404);
    },
  );

  test("are counted apart from calls, which have their own limits", async () => {
    const from = freshAddress();
    const { key } = await app.key("pro");
    for (let sent = 0; sent < 70; sent += 1) expect((await app.ask("/trpc/account.usage", { key, from })).status).toBe(200);
    expect((await app.ask("/trpc/nothing", { from })).status).toBe(404);
  });
});

describe("a mutation whose body is not JSON", () => {
  const FORM = new FormData();
  FORM.set("name", "form");
  const BODIES = [
    ["multipart", new Response(FORM)],
    ["bytes", new Response("{}", { headers: { "Content-Type": "application/octet-stream" } })],
    ["a form", new Response("name=x", { headers: { "Content-Type": "application/x-www-form-urlencoded" } })],
    ["text", new Response("{}", { headers: { "Content-Type": "text/plain" } })],
    ["JSON by another name", new Response("{}", { headers: { "Content-Type": "application/jsonl" } })],
  ] as const;

  test.each(BODIES)("changes nothing, and is refused after the checks that come first: %s", async (_, template) => {
    const { key } = await app.key("pro");
    const body = Buffer.from(await template.clone().arrayBuffer());
    const mint = async (authorization: Record<string, string>) => {
      const response = await fetch(`${app.url}/trpc/account.mintKey`, {
        method: "POST",
        headers: {
          "X-Forwarded-For": freshAddress(),
          "Content-Type": template.headers.get("content-type") ?? "",
          ...authorization,
        },
        body,
      });
      return { status: response.status, wire: (await readRefusal(response)).error.data.wire };
    };
    const refused = await mint({ Authorization: `Bearer ${key}` });
    expect(refused.status).toBe(422);
    expect(refused.wire).toMatchObject({
      error: "validation_error",
      issues: [{ path: ["body"], code: "invalid_media_type", message: "must be application/json" }],
    });
    expect((await app.ask("/v1/account/keys", { key })).json).toHaveLength(1);
    expect((await mint({})).wire.error).toBe("unauthenticated");
    expect((await mint({ Authorization: "Bearer bad" })).wire.error).toBe("invalid_api_key");
  });
});

test("a query by POST is counted like one by GET, and refused with a body that is too long or not JSON", async () => {
  const from = freshAddress();
  const ask = (body: string) => app.ask("/trpc/carat.get", { from, method: "POST", body: JSON.parse(body) as object });
  for (let sent = 0; sent < 10; sent += 1) expect((await ask('{"currency":"EUR"}')).status).not.toBe(429);
  expect((await ask('{"currency":"EUR"}')).status).toBe(429);
  expect((await app.ask("/trpc/carat.get", { from })).status, "it is the same window").toBe(429);
  expect((await app.ask("/trpc/carat.get", { method: "POST", body: { currency: "x".repeat(70_000) } })).status).toBe(413);
  const text = await fetch(`${app.url}/trpc/carat.get`, {
    method: "POST",
    headers: { "Content-Type": "text/plain", "X-Forwarded-For": freshAddress() },
    body: "{}",
  });
  expect(text.status).toBe(422);
});

test("input is read after the limits: input that cannot be read is counted like every other call", async () => {
  const from = freshAddress();
  const broken = `/trpc/carat.get?input=${"[".repeat(6_000)}`;
  for (let sent = 0; sent < 10; sent += 1) expect((await app.ask(broken, { from })).status).toBe(400);
  expect((await app.ask(broken, { from })).status).toBe(429);
});
