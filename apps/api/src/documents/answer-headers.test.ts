/** The headers of real answers are those listed in the OpenAPI document. */
import { openApiText } from "@assay/process";
import { FRIDAY_MS, makeBars, makeRates, makeTick } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";

interface Operation {
  readonly responses: Readonly<Record<string, { readonly headers?: object }>>;
}
// We generate it in this shape.
const document = JSON.parse(openApiText("https://prices.example.com")) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

describe("the headers of real answers", () => {
  let app: TestApp;
  let key = "";
  beforeAll(async () => {
    app = await startTestApp();
    key = (await app.key("pro")).key;
    await app.publish({ ticks: [makeTick(1)], fx: [makeRates()], bars: makeBars("1d", FRIDAY_MS - (FRIDAY_MS % 86_400_000), 3) });
  });
  afterAll(() => app.close());

  /** Headers added by the server and the connection. */
  const OF_THE_TRANSPORT = new Set([
    "connection",
    "keep-alive",
    "date",
    "content-length",
    "content-type",
    "transfer-encoding",
    "vary",
  ]);

  test.each([
    ["/v1/health", "/v1/health", "none", 200],
    ["/v1/status", "/v1/status", "none", 200],
    ["/v1/metadata/tiers", "/v1/metadata/tiers", "none", 200],
    ["/v1/public/xau-history", "/v1/public/xau-history", "none", 200],
    ["/v1/prices", "/v1/prices", "none", 200],
    ["/v1/prices", "/v1/prices", "bad", 401],
    ["/v1/prices", "/v1/prices?symbol=garbage", "none", 400],
    ["/v1/prices/history", "/v1/prices/history?symbol=XAU&from=2026-11-01&to=2026-11-20", "none", 200],
    ["/v1/prices/history", "/v1/prices/history?symbol=GLD&from=2026-11-01&to=2026-11-20", "none", 403],
    ["/v1/spot/{symbol}", "/v1/spot/gold", "pro", 200],
    ["/v1/spot/{symbol}", "/v1/spot/silver", "none", 403],
    ["/v1/bars", "/v1/bars?symbol=XAU/USD&from=2026-11-01&to=2026-11-20", "pro", 200],
    ["/v1/bars", "/v1/bars", "pro", 422],
    ["/v1/convert", "/v1/convert?from=XAU&to=EUR", "pro", 200],
    ["/v1/convert", "/v1/convert?from=XAU&to=EUR", "none", 503],
    ["/v1/account/usage", "/v1/account/usage", "pro", 200],
    ["/v1/account/usage", "/v1/account/usage", "none", 401],
  ] as const)("of %s (%s, key: %s) with %i are those the document lists", async (path, asked, holds, expected) => {
    const { status, headers } = await app.ask(asked, { key: { none: undefined, bad: "no-such-key", pro: key }[holds] });
    expect(status).toBe(expected);
    const listed = Object.keys(document.paths[path]?.["get"]?.responses[String(status)]?.headers ?? {});
    const lowered = new Set(listed.map((name) => name.toLowerCase()));
    const sent = [...headers.keys()].filter((name) => !OF_THE_TRANSPORT.has(name));
    expect(
      sent.filter((name) => !lowered.has(name)),
      `${status}: sent, not listed`,
    ).toEqual([]);
    const always = listed.filter((name) => name !== "Sunset" && name !== "X-Should-Retry");
    expect(
      always.filter((name) => !headers.has(name)),
      `${status}: listed, not sent`,
    ).toEqual([]);
  });

  test("tells of an ETag that holds: the same request with it is answered 304", async () => {
    const first = await app.ask("/v1/public/xau-history");
    const again = await app.ask("/v1/public/xau-history", { headers: { "If-None-Match": first.headers.get("etag") ?? "" } });
    expect(again.status).toBe(304);
    expect(document.paths["/v1/public/xau-history"]?.["get"]?.responses).toHaveProperty("304");
  });
});
