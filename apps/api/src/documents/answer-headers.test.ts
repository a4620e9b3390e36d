/** The headers of real answers are those listed in the OpenAPI document. */
import { DEFAULT_CATALOG } from "@assay/contract";
import { openApiText } from "@assay/process";
import { FRIDAY_MS, makeBars, makeRates, makeTick } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";

interface Operation {
  readonly responses: Readonly<Record<string, { readonly headers?: object }>>;
}
// We generate it in this shape.
const document = JSON.parse(await openApiText("https://prices.example.com", DEFAULT_CATALOG)) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

describe("the headers of real answers", () => {
  let app: TestApp;
  let key = "";
  beforeAll(async () => {
    app = await startTestApp();
    key = (await app.key("pro")).key;
    await app.publish({
      ticks: [makeTick(1), makeTick(1, { instrument: "XAG-USD-SPOT", price: "52.125", freshUntilMs: FRIDAY_MS - 1 })],
      fx: [makeRates()],
      bars: makeBars("1d", FRIDAY_MS - (FRIDAY_MS % 86_400_000), 3),
    });
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
    "content-encoding",
  ]);

  /** Sent only where there is something to say. */
  const SOMETIMES = new Set(["Sunset", "X-Should-Retry", "X-Stale-Reason"]);

  test.each([
    ["/v1/health", "/v1/health", "none", 200],
    ["/v1/status", "/v1/status", "none", 200],
    ["/v1/metadata/tiers", "/v1/metadata/tiers", "none", 200],
    ["/v1/public/xau-history", "/v1/public/xau-history", "none", 200],
    ["/console/market.json", "/console/market.json", "none", 200],
    ["/badge/{metal}.svg", "/badge/gold.svg", "none", 200],
    ["/badge/{metal}.svg", "/badge/silver.svg", "none", 403],
    ["/embed/{metal}", "/embed/gold", "none", 200],
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
    const always = listed.filter((name) => !SOMETIMES.has(name) && !(name === "Link" && path === "/v1/bars"));
    expect(
      always.filter((name) => !headers.has(name)),
      `${status}: listed, not sent`,
    ).toEqual([]);
  });

  test.each([
    ["/v1/convert", "/v1/convert?from=XAG&to=USD"],
    ["/v1/spot/{symbol}", "/v1/spot/silver"],
  ])("of a stale figure of %s as text say why, and the document lists it", async (path, asked) => {
    const { headers } = await app.ask(asked, { key, headers: { Accept: "text/plain" } });
    expect(headers.get("x-stale-reason")).toBe("feed_down");
    expect(document.paths[path]?.["get"]?.responses["200"]?.headers).toHaveProperty("X-Stale-Reason");
  });

  test("of a page as CSV name the next one", async () => {
    const asked = "/v1/bars?symbol=XAU%2FUSD&from=2026-11-01&to=2026-11-20&limit=1";
    const { headers } = await app.ask(asked, { key, headers: { Accept: "text/csv" } });
    const [, next = ""] = /^<([^>]+)>; rel="next"$/.exec(headers.get("link") ?? "") ?? [];
    expect(next.startsWith(`${app.url}${asked}&cursor=`), next).toBe(true);
    const page = await app.ask(next.slice(app.url.length), { key, headers: { Accept: "text/csv" } });
    expect(page.text.split("\r\n")[1]).toMatch(/^2026-11-19T00:00:00Z,/);
  });

  test("documents an ETag: the same request with it is answered 304", async () => {
    const first = await app.ask("/v1/public/xau-history");
    const again = await app.ask("/v1/public/xau-history", { headers: { "If-None-Match": first.headers.get("etag") ?? "" } });
    expect(again.status).toBe(304);
    expect(document.paths["/v1/public/xau-history"]?.["get"]?.responses).toHaveProperty("304");
  });
});
